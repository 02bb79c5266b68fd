/**
 * The fast path of `GET /v1/decide`: a decision that is in memory is answered before the framework sees the request. Routing, hooks
 * and validation take several times as long as the decision itself (docs/decisions/0016-fast-path-of-the-service.md).
 *
 * The fast path has no parser of its own: framework and fast path use {@link parseQuery}. It leaves every other request to the
 * route (decide-routes.ts), which gives the same response.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { findProfile } from '@maycrawl/core';
import { COMMON_HEADERS, Problem } from '../http/problems.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../server/metrics.ts';
import type { Agents, NamedAgent } from './agents.ts';
import type { Decider } from './decider.ts';

const ROUTE = '/v1/decide';

/** Parses a query string, for the framework and the fast path. A repeated name yields an array, which the schemas refuse. */
export function parseQuery(text: string): Record<string, unknown> {
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** The parameters of a decision. */
interface DecideQuery {
  readonly url: string;
  readonly agent: string;
  readonly profile: string;
}

/**
 * Reads the query of a request target.
 *
 * @returns `undefined` for another route, and for a query that the schema of the route refuses.
 */
export function readDecideQuery(target: string, { urlChars, agentChars }: Limits): DecideQuery | undefined {
  if (!target.startsWith('?', ROUTE.length) || !target.startsWith(ROUTE)) return undefined;
  const query = parseQuery(target.slice(ROUTE.length + 1));
  for (const name in query) if (name !== 'url' && name !== 'agent' && name !== 'profile') return undefined;
  const { url, agent, profile = 'google' } = query;
  if (typeof url !== 'string' || typeof agent !== 'string' || typeof profile !== 'string') return undefined;
  if (agent === '' || url.length > urlChars || agent.length > agentChars) return undefined;
  return { url, agent, profile };
}

/** What the fast path needs of the service. */
export interface FastPathContext {
  readonly agents: Agents;
  readonly decider: Decider;
  readonly limits: Limits;
  readonly metrics: Metrics;
}

/** Answers a request if its decision is in memory and cheap. @returns whether it did. */
export function tryFastPath(
  request: IncomingMessage,
  response: ServerResponse,
  { agents, decider, limits, metrics }: FastPathContext,
): boolean {
  const { method, url = '', headers } = request;
  if (method !== 'GET' || metrics.inFlight >= limits.requests) return false;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
  const start = performance.now();
  const query = readDecideQuery(url, limits);
  const profile = query && findProfile(query.profile);
  if (query === undefined || profile === undefined) return false;
  const agent = resolveAgent(agents, query.agent);
  const answer = agent && decider.decideIfCheap({ url: query.url, agent }, profile);
  if (answer === undefined) return false;
  response.writeHead(200, {
    ...COMMON_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(answer)),
  });
  response.end(answer);
  metrics.countResponse(ROUTE, 200, performance.now() - start);
  return true;
}

/** Returns the crawler with a name; `undefined` if the route must describe what is wrong with the name. */
function resolveAgent(agents: Agents, name: string): NamedAgent | undefined {
  try {
    return agents.resolve(name);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
