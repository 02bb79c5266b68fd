// Hooks of every route: error responses, metrics, time slices.
import { timeSlices } from '@maycrawl/client/internal';
import type { FastifyInstance } from 'fastify';
import { createClientGoneProblem } from '../http/deadline.ts';
import { COMMON_HEADERS, Problem } from '../http/problems.ts';
import { createNotFoundProblem, type ErrorContext, limitRest, sendError } from './errors.ts';
import type { RestLimits } from './malformed.ts';

export interface HookContext extends ErrorContext {
  readonly limits: RestLimits;
}

/** The status that is counted if the client closed the connection before the response was complete. */
const CLIENT_GONE = new Problem('client-gone', '').status;

export function addHooks(app: FastifyInstance, { limits, ...context }: HookContext): void {
  const { log, metrics } = context;
  const isDebugging = log.isLevelEnabled('debug');
  app.setErrorHandler((error, _request, reply) => {
    sendError(reply, error, context);
  });
  app.setNotFoundHandler((request, reply) => sendError(reply, createNotFoundProblem(app, request), context));
  app.addHook('onRequest', ({ method, raw, routeOptions: { url = 'none' } }, reply, done) => {
    const start = performance.now();
    const { raw: response } = reply.headers(COMMON_HEADERS);
    limitRest(raw, response, limits);
    // Not an `onResponse` hook: Fastify would add more listeners to each response.
    response.on('close', () => {
      const status = response.writableFinished ? response.statusCode : CLIENT_GONE;
      const milliseconds = performance.now() - start;
      metrics.countResponse(url, status, milliseconds);
      // Without the query: URLs in it may contain secrets.
      if (isDebugging) log.debug({ method, route: url, status, milliseconds }, 'request completed');
    });
    done();
  });
  // Before the body is read, which only routes limit.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? createNotFoundProblem(app, request) : undefined);
  });
  // Requests whose bodies are complete at the same time take turns.
  app.addHook('preHandler', ({ raw: { socket }, routeOptions: { url } }, _reply, done) => {
    const resume = (): void => done(socket.destroyed ? createClientGoneProblem() : undefined);
    if (url !== '/healthz' && timeSlices.isUsedUp()) timeSlices.giveWay().then(resume, done);
    else done();
  });
}
