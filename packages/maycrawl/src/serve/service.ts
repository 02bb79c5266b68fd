/**
 * The decision service: its routes, and what holds for all of them.
 *
 * @module
 */
import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import fastifyRateLimit from '@fastify/rate-limit';
import fastifySwagger from '@fastify/swagger';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Fetcher } from '../client/asking.ts';
import { refetchRobotsTxt } from '../fetch/fetch.ts';
import type { RobotsStore } from '../store/store.ts';
import { addDecideRoutes } from './decide-routes.ts';
import { Decider } from './decider.ts';
import { gated } from './fetch-gate.ts';
import { addFileRoutes } from './file-routes.ts';
import { limitRequests, requireBody, requireToken } from './guards.ts';
import { LIMITS, type Limits } from './limits.ts';
import { Metrics } from './metrics.ts';
import { addOriginRoutes } from './origin-routes.ts';
import { addPage } from './page.ts';
import { Problem, problemDocument, problemOf } from './problems.ts';
import { addMetricsRoute, addStateRoutes } from './state-routes.ts';

export interface ServiceOptions {
  /** The caller closes it, after the service. */
  readonly store: RobotsStore;
  /** The User-Agent header for fetching. */
  readonly userAgent: string;
  /** Connect to addresses of the public Internet alone (fetch/guard.ts). */
  readonly publicOnly: boolean;
  /** Milliseconds for one fetch; 30,000 if left out. */
  readonly timeout?: number;
  /** Who may ask: holders of one of these; anybody if there are none. */
  readonly tokens?: readonly string[];
  /** Requests that one address may make in a minute; as many as it likes if left out. */
  readonly rateLimit?: number;
  /** Proxies whose word on the client's address is taken. */
  readonly trustProxy?: readonly string[];
  /** Where the built page is; none is served if left out. */
  readonly pageFolder?: string;
  readonly limits?: Partial<Limits>;
  readonly logger?: FastifyServerOptions['logger'];
  readonly fetcher?: Fetcher;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** What routes share. */
export interface Context {
  readonly decider: Decider;
  readonly store: RobotsStore;
  readonly limits: Limits;
  readonly metrics: Metrics;
}

/** Makes a service that is ready to listen. Closing it lets requests under way end, and waits for fetches. */
export async function makeService(options: ServiceOptions): Promise<FastifyInstance> {
  const { store, userAgent, publicOnly, timeout, tokens = [], trustProxy = [], logger = false } = options;
  const limits = { ...LIMITS, ...options.limits };
  const metrics = new Metrics();
  const app = fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Nothing is logged that belongs to one request alone: a logger for each would cost more than a decision.
    childLoggerFactory: (logger) => logger,
    bodyLimit: limits.bodyBytes,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    frameworkErrors: (error, _request, reply) => {
      sendProblem(reply as FastifyReply, error);
    },
    clientErrorHandler: answerMalformed,
  });
  const decider = new Decider(
    {
      store,
      userAgent,
      publicOnly,
      ...(timeout !== undefined && { timeout }),
      ...(options.now && { now: options.now }),
      fetcher: gated(options.fetcher ?? refetchRobotsTxt, limits.fetches),
      onEvent: (event) => {
        metrics.count(event);
        if (event.kind === 'store-failed' || event.kind === 'refresh-failed')
          app.log.warn({ err: event.error, origin: event.origin }, event.kind);
        else app.log.debug(event, event.kind);
      },
    },
    (count) => {
      metrics.decisions += count;
    },
  );
  const context: Context = { decider, store, limits, metrics };

  // Bodies are JSON, or lines of it.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error, _request, reply) => {
    sendProblem(reply, error);
  });
  app.setNotFoundHandler(({ url, method }, reply) => {
    const [path = '/'] = url.split('?');
    const methods = METHODS.filter((each) => app.hasRoute({ url: path, method: each }));
    if (methods.length === 0)
      return sendProblem(reply, new Problem('not-found', `there is no ${path.slice(0, 200)}`));
    const allow = methods.join(', ');
    return sendProblem(
      reply,
      new Problem('method-not-allowed', `${method} is not one of ${allow}`, { allow }),
    );
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
  let isStopping = false;
  app.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  app.addHook('onResponse', ({ method, raw, routeOptions: { url = 'none' } }, reply, done) => {
    // Else the connection would be kept for a next request.
    if (isStopping) raw.socket.end();
    const { statusCode: status, elapsedTime: milliseconds } = reply;
    metrics.answered(url, status, milliseconds);
    // Without the query: the URLs that are asked about may hold secrets.
    if (app.log.level === 'debug' || app.log.level === 'trace')
      app.log.debug({ method, route: url, status, milliseconds }, 'answered');
    done();
  });
  app.addHook('onClose', async () => decider.idle());

  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'maycrawl', description: 'May this crawler fetch this URL, and why?', version: 'v1' },
      ...(tokens.length > 0 && {
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
        security: [{ token: [] }],
      }),
    },
  });
  addStateRoutes(app, context);
  if (options.pageFolder !== undefined && !(await addPage(app, options.pageFolder)))
    app.log.warn('the page was not built: there is none');
  await app.register(async (api) => {
    requireToken(api, tokens);
    addMetricsRoute(api, context);
  });
  await app.register(async (api) => {
    if (options.rateLimit !== undefined)
      await api.register(fastifyRateLimit, {
        max: options.rateLimit,
        timeWindow: 60_000,
        errorResponseBuilder: (_request, { max }) =>
          new Problem('rate-limited', `an address may ask ${max} times a minute`),
      });
    requireToken(api, tokens);
    limitRequests(api, limits, metrics);
    requireBody(api, limits);
    addDecideRoutes(api, context);
    addFileRoutes(api, context);
    addOriginRoutes(api, context);
  });
  await app.ready();
  return app;
}

function sendProblem(reply: FastifyReply, error: unknown): FastifyReply {
  const problem = problemOf(error);
  if (problem.code === 'fault') reply.log.error({ err: error }, 'a fault');
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemDocument(problem)));
}

/** Answers what is no HTTP. */
function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(problemDocument(new Problem('invalid-request', 'that is no HTTP request')));
  const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\ncontent-length: ${body.length}`;
  socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`);
}
