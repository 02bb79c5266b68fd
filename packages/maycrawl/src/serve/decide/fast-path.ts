/**
 * `GET /v1/decide` where the answer is known already, which is nearly always: given before the framework sees the request. Routing,
 * hooks and checks of what a request may look like take several times as long as a decision. Whatever is not as plain as can be
 * is left to the route, which gives the same answer (decide-routes.ts).
 *
 * @module
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { type TimeSlices, timeSlices } from '@maycrawl/client/event-loop';
import { findProfile } from '@maycrawl/core';
import type { FastifyServerFactory } from 'fastify';
import { createRequestClass } from '../http/body.ts';
import { getRequestedHost, type HostGuard } from '../http/host-guard.ts';
import { Problem } from '../http/problems.ts';
import type { Limits } from '../limits/limits.ts';
import type { Metrics } from '../server/metrics.ts';
import type { Agents, NamedAgent } from './agents.ts';
import type { Decider } from './decider.ts';

const ROUTE = '/v1/decide';

/** What is asked, and under which profile. */
interface PlainQuestion {
  readonly url: string;
  readonly agent: string;
  readonly profile: string;
}

/** The question in the target of a request, if it is a plain one; `undefined` is left to the framework. */
export function plainQuestion(target: string, { urlChars, agentChars }: Limits): PlainQuestion | undefined {
  if (!target.startsWith('?', ROUTE.length) || !target.startsWith(ROUTE)) return undefined;
  let url = '';
  let agent = '';
  let profile = '';
  for (const part of target.slice(ROUTE.length + 1).split('&')) {
    const at = part.indexOf('=');
    const value = at < 0 ? undefined : decoded(part.slice(at + 1));
    if (value === undefined || value === '') return undefined;
    const name = part.slice(0, at);
    if (name === 'url' && url === '') url = value;
    else if (name === 'agent' && agent === '') agent = value;
    else if (name === 'profile' && profile === '') profile = value;
    else return undefined;
  }
  if (url === '' || agent === '' || url.length > urlChars || agent.length > agentChars) return undefined;
  return { url, agent, profile: profile || 'google' };
}

function decoded(value: string): string | undefined {
  // In a query a plus is a space, and what follows a number sign is no query.
  if (/[+#;]/.test(value)) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** What the fast path needs of the service. */
export interface FastPath {
  readonly agents: Agents;
  readonly decider: Decider;
  readonly hosts: HostGuard;
  readonly limits: Limits;
  readonly metrics: Metrics;
}

/** Answers if it can be done at once. @returns whether it was. */
export function answerAtOnce(
  request: IncomingMessage,
  response: ServerResponse,
  { agents, decider, hosts, limits, metrics }: FastPath,
): boolean {
  const { method, url = '', headers, socket } = request;
  if (method !== 'GET' || metrics.underWay >= limits.requests) return false;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
  const host = getRequestedHost(request);
  if (host === undefined || !hosts.isAllowed(host, socket.localAddress ?? '')) return false;
  const start = performance.now();
  const question = plainQuestion(url, limits);
  const profile = question && findProfile(question.profile);
  if (question === undefined || profile === undefined) return false;
  const agent = resolve(agents, question.agent);
  const answer = agent && decider.decideIfCheap({ url: question.url, agent }, profile);
  if (answer === undefined) return false;
  response.writeHead(200, [
    ...['x-content-type-options', 'nosniff', 'content-type', 'application/json; charset=utf-8'],
    ...['content-length', String(Buffer.byteLength(answer))],
  ]);
  response.end(answer);
  metrics.answered(ROUTE, 200, performance.now() - start);
  return true;
}

/** The crawler that is meant; `undefined` if the route must say what is wrong with the name. */
function resolve(agents: Agents, name: string): NamedAgent | undefined {
  try {
    return agents.resolve(name);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * Makes servers that try to answer at once, and hand the request to the framework if they cannot.
 *
 * @param onRefusal - counts connections that are destroyed because too many requests came before their responses (RFC 9112
 * section 9.3.2, pipelining).
 * @param slices - in which requests are answered, as many as there is time for.
 */
export function answeringAtOnce(
  tryToAnswer: (request: IncomingMessage, response: ServerResponse) => boolean,
  {
    headTime,
    headBytes,
    idleTime,
    connectionRequests,
  }: Pick<Limits, 'headTime' | 'headBytes' | 'idleTime' | 'connectionRequests'>,
  onRefusal: (code: Problem['code']) => void,
  slices: Pick<TimeSlices, 'isUsedUp' | 'giveWay'> = timeSlices,
): FastifyServerFactory<Server> {
  /** The responses of each connection that the framework is making. */
  const pending = new WeakMap<Socket, Set<ServerResponse>>();
  const getPending = (socket: Socket): Set<ServerResponse> => {
    const known = pending.get(socket);
    if (known !== undefined) return known;
    const responses = new Set<ServerResponse>();
    pending.set(socket, responses);
    socket.once('close', () => {
      // Node closes only the response that it is sending. Those behind it would never end for what waits for them.
      for (const response of responses) if (response.socket === null) response.destroy().emit('close');
    });
    return responses;
  };
  return (handler, options) => {
    const listener: RequestListener = (request, response) => {
      const { socket, url } = request;
      // The rest of the requests that have arrived together with one for which the connection was destroyed.
      if (socket.destroyed) return;
      const responses = getPending(socket);
      // Thousands may arrive in one turn of the event loop. Whether the service lives is answered in any case.
      const isLate = slices.isUsedUp() && !(url === '/healthz' && responses.size === 0);
      if (!isLate && tryToAnswer(request, response)) return;
      if (responses.size >= connectionRequests) {
        onRefusal('client-limit');
        // A response would have to wait for all before it, while further requests arrive.
        socket.destroy();
        return;
      }
      responses.add(response);
      response.once('close', () => responses.delete(response));
      if (!isLate) handler(request, response);
      else
        void slices.giveWay().then(() => {
          if (!socket.destroyed && !tryToAnswer(request, response)) handler(request, response);
        });
    };
    // A body may take longer than its head: guards.ts limits it.
    const server = createServer(
      {
        ...{ headersTimeout: headTime, requestTimeout: 0, connectionsCheckingInterval: headTime / 4 },
        maxHeaderSize: headBytes,
        // The guard refuses a request without a host. What Node refuses by itself passes all guards by, and counts nowhere.
        requireHostHeader: false,
        IncomingMessage: createRequestClass(() => onRefusal('invalid-request')),
      },
      listener,
    );
    // An expectation that is not known may be ignored (RFC 9110 section 10.1.1).
    server.on('checkExpectation', listener);
    // Node drops what is beyond 2,000 without a word: that may be the header of a proxy, or of a browser, that a guard needs.
    server.maxHeadersCount = 0;
    // As the framework does it for the servers that it makes itself.
    server.keepAliveTimeout = Number(options['keepAliveTimeout']);
    // On every route: also what a GET answers can be more than the buffers of a socket, if many are sent together.
    server.setTimeout(idleTime);
    return server;
  };
}
