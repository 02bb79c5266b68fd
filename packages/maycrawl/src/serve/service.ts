/**
 * The decision service: its routes, and what holds for all of them.
 *
 * @module
 */
import { METHODS } from 'node:http';
import fastifySwagger from '@fastify/swagger';
import type { RobotsStore } from '@maycrawl/client';
import { refetchRobotsTxt } from '@maycrawl/client';
import { timeSlices } from '@maycrawl/client/event-loop';
import type { Fetcher } from '@maycrawl/client/origins';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger, pino } from 'pino';
import type { WatchDatabase } from '../watch/database.ts';
import { addAudits } from './audits/routes.ts';
import { Agents } from './decide/agents.ts';
import type { DecideResult, DecideTask } from './decide/decide-worker.ts';
import { Decider } from './decide/decider.ts';
import { answerAtOnce, answeringAtOnce } from './decide/fast-path.ts';
import { HostGuard } from './http/host-guard.ts';
import { Problem, problemDocument, problemOf } from './http/problems.ts';
import { Clients } from './limits/clients.ts';
import { LIMITS, type Limits } from './limits/limits.ts';
import { Semaphore } from './limits/semaphore.ts';
import { makeThreads, type RunInThread } from './limits/threads.ts';
import type { Context } from './routes/context.ts';
import { addDecideRoutes } from './routes/decide-routes.ts';
import { addFileRoutes } from './routes/file-routes.ts';
import { addOriginRoutes } from './routes/origin-routes.ts';
import { addMetricsRoute, addOpenApiRoute, addStateRoutes } from './routes/state-routes.ts';
import { addPage } from './routes/static-pages.ts';
import {
  limitMetrics,
  limitRate,
  limitRequests,
  requireBody,
  requireHost,
  requireToken,
} from './server/guards.ts';
import { addJsonBodies } from './server/json-body.ts';
import { answerMalformed, requireRest } from './server/malformed.ts';
import { Metrics } from './server/metrics.ts';
import type { LiveOptions } from './watch/context.ts';
import { addLiveRoutes, addWatchRoutes, makeWatchContext } from './watch/routes.ts';

export interface ServiceOptions {
  /** The caller closes it, after the service. */
  readonly store: RobotsStore;
  /** The User-Agent header for fetching. */
  readonly userAgent: string;
  /** Whether addresses may be connected to that are not of the public Internet. @defaultValue false */
  readonly allowPrivate?: boolean;
  /** Milliseconds for one fetch; 30,000 if left out. */
  readonly timeout?: number;
  /** Who may ask: holders of one of these; anybody if there are none. */
  readonly tokens?: readonly string[];
  /**
   * Requests that one client may make in a minute, and what counts as much: a hundred further URLs or lines, a fetch of a
   * robots.txt. Without limit if omitted.
   */
  readonly rateLimit?: number;
  /** Names and addresses for which the service answers, beside those of the loopback interface (host-guard.ts). */
  readonly hosts?: readonly string[];
  /** The files of its databases: without one of them the service is not ready. */
  readonly databaseFiles?: readonly string[];
  /** Proxies whose word on the client's address is taken. */
  readonly trustProxy?: readonly string[];
  /** Where the built page is; none is served if left out. */
  readonly pageFolder?: string;
  /** Where reports of audits are; none are served if left out. */
  readonly auditFolder?: string;
  /** The database of the monitor, which the caller closes; there are no routes and pages of it if left out. */
  readonly watch?: WatchDatabase;
  /** How often those hear something who listen to the monitor, and how many may. */
  readonly watchLive?: Partial<LiveOptions>;
  readonly limits?: Partial<Limits>;
  /** Nothing is told if left out. */
  readonly log?: Logger;
  readonly fetcher?: Fetcher;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** What is counted where nobody was there to take the answer. */
const CLIENT_GONE = new Problem('client-gone', '').status;

/** Failures of this machine are logged once in so many milliseconds; the metrics count each. */
const LOCAL_FAILURE_PAUSE = 1_000;

/** Makes a service that is ready to listen. Closing it lets requests under way end, and waits for fetches. */
export async function createService(options: ServiceOptions): Promise<FastifyInstance> {
  const { store, userAgent, allowPrivate = false, timeout, tokens = [], trustProxy = [] } = options;
  const log = options.log ?? pino({ level: 'silent' });
  const limits = { ...LIMITS, ...options.limits };
  const metrics = new Metrics();
  metrics.observe(store);
  if (options.watch !== undefined && tokens.length === 0 && trustProxy.length > 0)
    throw new RangeError('behind a proxy the monitor needs tokens');
  const clients = new Clients({
    limits,
    ...(options.rateLimit !== undefined && { rateLimit: options.rateLimit }),
  });
  const agents = new Agents(limits);
  const hosts = new HostGuard(options.hosts ?? []);
  const fetches = new Semaphore(limits.fetches);
  const fetcher = options.fetcher ?? refetchRobotsTxt;
  let failedAt = Number.NEGATIVE_INFINITY;
  let runInThread: RunInThread<DecideTask, DecideResult> = () => Promise.reject(new Error('no thread yet'));
  const decider = new Decider({
    store,
    userAgent,
    allowPrivate,
    ...(timeout !== undefined && { timeout }),
    ...(options.now && { now: options.now }),
    fetcher: (url, validators, more) => fetches.run(() => fetcher(url, validators, more), more.signal),
    onEvent: (event) => {
      metrics.count(event);
      if (event.kind === 'store-failed' || event.kind === 'refresh-failed')
        log.warn({ err: event.error, origin: event.origin }, event.kind);
      else log.debug(event, event.kind);
    },
    runInThread: (task, size, work) => runInThread(task, size, work),
    onDecision: () => metrics.decisions++,
    onRefusal: (code) => metrics.refused(code),
    onLocalFailure: (origin, error) => {
      // There may be one for every request.
      if (performance.now() - failedAt < LOCAL_FAILURE_PAUSE) return;
      failedAt = performance.now();
      log.warn({ err: error, origin }, 'local-failure');
    },
  });
  let isStopping = false;
  const isDebugging = log.isLevelEnabled('debug');
  // Only where all may ask as they like, and nobody wants to read about it.
  const canAnswerAtOnce = tokens.length === 0 && options.rateLimit === undefined && !isDebugging;
  const fastPath = { agents, decider, hosts, limits, metrics };
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    // A name of a report has at most 255 bytes (audits.ts), of which each may be written with three characters.
    routerOptions: { maxParamLength: 3 * 255 },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    frameworkErrors: (error, request, reply) => {
      boundRest(request as FastifyRequest, reply as FastifyReply, limits);
      sendProblem(reply as FastifyReply, error, { log, metrics });
    },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, { clients, metrics }),
    serverFactory: answeringAtOnce(
      (request, response) => canAnswerAtOnce && !isStopping && answerAtOnce(request, response, fastPath),
      limits,
      (code) => metrics.refused(code),
    ),
  });
  const context: Context = { agents, clients, decider, store, limits, metrics, log };
  // Each request waits for one decision at a time: there are no more than requests.
  runInThread = makeThreads(app, context, new URL('./decide/decide-worker.js', import.meta.url), {
    limit: limits.requests,
    isShared: false,
  });
  addJsonBodies(app, limits, clients);

  // Bodies are JSON, or lines of it.
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler((error, _request, reply) => {
    sendProblem(reply, error, context);
  });
  app.setNotFoundHandler((request, reply) =>
    sendProblem(reply, createNotFoundProblem(app, request), context),
  );
  app.addHook('preClose', (done) => {
    isStopping = true;
    done();
  });
  // Not by a hook on the response: if there is one, the framework listens to each of them.
  app.addHook('onRequest', (request, reply, done) => {
    const { method, raw, routeOptions } = request;
    const { url = 'none' } = routeOptions;
    const start = performance.now();
    const { raw: response } = reply;
    reply.header('x-content-type-options', 'nosniff');
    boundRest(request, reply, limits);
    response.on('close', () => {
      // Else the connection would be kept for a next request.
      if (isStopping) raw.socket.end();
      const status = response.writableFinished ? response.statusCode : CLIENT_GONE;
      const milliseconds = performance.now() - start;
      metrics.answered(url, status, milliseconds);
      // Without the query: the URLs that are asked about may hold secrets.
      if (isDebugging) log.debug({ method, route: url, status, milliseconds }, 'answered');
    });
    done();
  });
  requireHost(app, hosts);
  // Before a body is read: it is not limited as those of the routes are.
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? createNotFoundProblem(app, request) : undefined);
  });
  // Many requests whose bodies arrive together are answered one after another, not all in one turn of the event loop.
  app.addHook('preHandler', ({ raw: { socket }, routeOptions: { url } }, _reply, done) => {
    const resume = (): void =>
      done(socket.destroyed ? new Problem('client-gone', 'the client has gone') : undefined);
    if (url !== '/healthz' && timeSlices.isUsedUp()) timeSlices.giveWay().then(resume, done);
    else done();
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
  addStateRoutes(app, { ...context, databaseFiles: options.databaseFiles ?? [] });
  await app.register(async (api) => {
    limitRequests(api, context);
    addOpenApiRoute(api);
    const { pageFolder, watch } = options;
    if (pageFolder !== undefined && !addPage(api, pageFolder, watch !== undefined))
      log.warn('the page was not built: there is none');
    await api.register(async (restricted) => {
      requireToken(restricted, tokens);
      if (options.auditFolder !== undefined) addAudits(restricted, options.auditFolder);
    });
  });
  await app.register(async (api) => {
    limitMetrics(api, clients);
    requireToken(api, tokens);
    addMetricsRoute(api, context);
  });
  const watch =
    options.watch &&
    (await makeWatchContext(app, {
      ...{ database: options.watch, limits, log, allowPrivate, now: options.now ?? Date.now },
      ...(options.watchLive && { live: options.watchLive }),
      isOpen: tokens.length === 0,
      clients,
    }));
  await app.register(async (api) => {
    limitRate(api, clients);
    requireToken(api, tokens);
    if (watch !== undefined) await addLiveRoutes(api, watch);
    await api.register(async (bounded) => {
      limitRequests(bounded, context);
      requireBody(bounded);
      addDecideRoutes(bounded, context);
      addFileRoutes(bounded, context);
      addOriginRoutes(bounded, context);
      if (watch !== undefined) await addWatchRoutes(bounded, watch);
    });
  });
  await app.ready();
  return app;
}

/** Bounds the time for the rest of a request that has its response before it is complete: it was refused. */
function boundRest({ raw }: FastifyRequest, { raw: response }: FastifyReply, { lingerTime }: Limits): void {
  response.once('close', () => {
    if (!raw.complete) requireRest(raw, lingerTime);
  });
}

/** What is wrong with a request for which there is no route: its path, or its method. */
function createNotFoundProblem(app: FastifyInstance, { url, method }: FastifyRequest): Problem {
  const [path = '/'] = url.split('?');
  // `hasRoute` would read the path as a pattern, with the regular expressions in it.
  const methods = METHODS.filter((each) => app.findRoute({ url: path, method: each }) !== null);
  if (methods.length === 0) return new Problem('not-found', `there is no ${path.slice(0, 200)}`);
  const allow = methods.join(', ');
  return new Problem('method-not-allowed', `${method} is not one of ${allow}`, { allow });
}

function sendProblem(
  reply: FastifyReply,
  error: unknown,
  { log, metrics }: Pick<Context, 'log' | 'metrics'>,
): FastifyReply {
  const problem = problemOf(error);
  metrics.refused(problem.code);
  if (problem.code === 'fault') log.error({ err: error }, 'a fault');
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemDocument(problem)));
}
