// Error responses: problem documents, with and without the framework.

import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import { truncate } from '@maycrawl/core/internal';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { hasUnreadBody } from '../http/body.ts';
import { COMMON_HEADERS, formatProblem, PROBLEM_TYPE, Problem, toProblem } from '../http/problems.ts';
import type { HttpMetrics } from './http-metrics.ts';
import type { LogFailure } from './log-failure.ts';
import { discardRest, type RestLimits } from './malformed.ts';

export interface ErrorContext {
  readonly log: Logger;
  /** Logs failures of this machine and its databases, which every request may have. */
  readonly logFailure: LogFailure;
  readonly metrics: HttpMetrics;
}

/** Sends the problem document of an error. An unexpected error is logged, and so is a failure of a database. */
export function sendError(
  reply: FastifyReply,
  error: unknown,
  { log, logFailure, metrics }: ErrorContext,
): FastifyReply {
  const problem = toProblem(error);
  // The client has closed the connection before the response, a stream, began: the framework calls that an error.
  const isGone =
    reply.raw.destroyed && (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
  if (!isGone) metrics.countRefusal(problem.code);
  if (problem.code === 'database-unavailable')
    logFailure({ reason: (error as Error).message }, 'the database of the monitor cannot be used');
  if (problem.code === 'fault' && !isGone)
    log.error({ err: error }, 'request failed with an unexpected error');
  // The framework closes the connection of a refused body, which resets it while the client still sends: discardRest reads on instead.
  reply.removeHeader('connection');
  // The framework refuses some requests before the hook that sets the common headers.
  return reply
    .code(problem.status)
    .headers({ ...COMMON_HEADERS, ...problem.headers })
    .type(PROBLEM_TYPE)
    .send(formatProblem(problem));
}

/**
 * Refuses a request before the framework handles it: that costs a tenth of a refusal by a hook.
 */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  limits: RestLimits,
): void {
  const body = formatProblem(problem);
  const { status, headers } = problem;
  const length = String(Buffer.byteLength(body));
  limitRest(request, response, limits);
  response.writeHead(status, {
    ...COMMON_HEADERS,
    ...headers,
    'content-type': PROBLEM_TYPE,
    'content-length': length,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Limits what is read of a request that gets its response before it is complete. */
export function limitRest(request: IncomingMessage, response: ServerResponse, limits: RestLimits): void {
  if (!hasUnreadBody(request)) return;
  // Before Node discards the rest itself, with neither limits nor events.
  response.once('prefinish', () => {
    if (hasUnreadBody(request)) discardRest(request, limits);
  });
}

/** Creates the problem of a request without a route: its path is unknown, or its method is not allowed. */
export function createNotFoundProblem(app: FastifyInstance, { url, method }: FastifyRequest): Problem {
  const [path = '/'] = url.split('?');
  // Not `hasRoute`, which would parse the path as a pattern with regular expressions.
  const methods = METHODS.filter((each) => app.findRoute({ url: path, method: each }) !== null);
  if (methods.length === 0) return new Problem('not-found', `there is no route ${truncate(path, 200)}`);
  const allow = methods.join(', ');
  return new Problem('method-not-allowed', `the route allows ${allow}, not ${method}`, { allow });
}
