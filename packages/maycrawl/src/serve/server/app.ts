// The server of the framework, with what all its routes have: the host guard, limits of connections and heads, error responses, metrics,
// and stopping without dropped requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { HostGuard } from '../http/host-guard.ts';
import type { ProblemCode } from '../http/problems.ts';
import type { Clients } from '../limits/clients.ts';
import type { Limits } from '../limits/limits.ts';
import { limitConnections } from './connections.ts';
import { limitRest, refuseRequest, sendError } from './errors.ts';
import { addHooks } from './hooks.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { createServerFactory } from './http-server.ts';
import type { LogFailure } from './log-failure.ts';
import { refuseMalformed } from './malformed.ts';
import { refuseUnknownNames, toValidationProblem } from './schema-names.ts';
import { Stopping } from './stopping.ts';

export interface AppOptions {
  readonly limits: Limits;
  readonly clients: Clients;
  readonly metrics: HttpMetrics;
  readonly log: Logger;
  readonly logFailure: LogFailure;
  /** Host names and addresses, in addition to those of the loopback interface. @defaultValue none */
  readonly hosts?: readonly string[] | undefined;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. @defaultValue none */
  readonly trustProxy?: readonly string[] | undefined;
}

/** Creates a server without routes, and the state of its end. */
export function createApp({ limits, clients, metrics, log, logFailure, ...options }: AppOptions): {
  readonly app: FastifyInstance;
  readonly stopping: Stopping;
} {
  const { hosts: names = [], trustProxy = [] } = options;
  const isProxied = trustProxy.length > 0;
  const hosts = new HostGuard(names);
  const stopping = new Stopping(limits);
  const tryRefuse = (request: IncomingMessage, response: ServerResponse): boolean => {
    const problem = hosts.findProblem(request);
    if (problem === undefined) return false;
    metrics.countRefusal(problem.code);
    metrics.countResponse('none', problem.status, 0);
    refuseRequest(request, response, problem, limits);
    return true;
  };
  const onRefusal = (code: ProblemCode): void => metrics.countRefusal(code);
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    trustProxy: isProxied ? [...trustProxy] : false,
    // A request that arrived before the end is completed.
    return503OnClosing: false,
    routerOptions: {
      // The name of a report has at most 255 bytes, each of which may be percent-encoded.
      maxParamLength: 3 * 255,
      // A repeated name yields an array, which the schemas refuse.
      querystringParser: (text) => parse(text, '&', '=', { maxKeys: 0 }),
    },
    // An error has its schema, which has the names that it allows.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, verbose: true } },
    schemaErrorFormatter: toValidationProblem,
    frameworkErrors: (error, request, reply) => {
      limitRest(request.raw, reply.raw, limits);
      sendError(reply as never, error, { log, logFailure, metrics });
    },
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, { clients, metrics }),
    serverFactory: createServerFactory({
      ...{ limits, tryRefuse, onRefusal },
      isDraining: () => stopping.isDraining,
      closesConnections: () => stopping.closesConnections,
    }),
  });
  const sockets = limitConnections(app.server, {
    clients: isProxied ? undefined : clients,
    onCount: (change) => {
      metrics.connections += change;
    },
    onRefusal,
  });
  // Bodies are JSON or NDJSON.
  app.removeContentTypeParser('text/plain');
  app.addHook('preClose', () => stopping.close(app.server, sockets));
  refuseUnknownNames(app);
  addHooks(app, { log, logFailure, metrics, limits });
  return { app: app as unknown as FastifyInstance, stopping };
}
