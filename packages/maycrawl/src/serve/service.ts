// The decision service: an HTTP API for robots.txt decisions, the pages, and the API of the monitor.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import fastifySwagger from '@fastify/swagger';
import { refetchRobotsTxt } from '@maycrawl/client';
import fastify, { type FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { addAuditRoutes } from './audits/routes.ts';
import { Agents } from './decide/agents.ts';
import type { DecideResult, DecideTask } from './decide/decide-worker.ts';
import { Decider } from './decide/decider.ts';
import { createPrivatePartition, type ServiceStore } from './decide/private-partition.ts';
import { HostGuard } from './http/host-guard.ts';
import type { ProblemCode } from './http/problems.ts';
import { Clients } from './limits/clients.ts';
import { LIMITS } from './limits/limits.ts';
import { createThreads, type RunInThread } from './limits/threads.ts';
import { PageRequests } from './page/page-requests.ts';
import { addCacheRoutes } from './routes/cache-routes.ts';
import type { Context } from './routes/context.ts';
import { addDecideRoutes } from './routes/decide-routes.ts';
import { addFileRoutes } from './routes/file-routes.ts';
import { createOpenApiOptions } from './routes/open-api.ts';
import { addOriginRoutes } from './routes/origin-routes.ts';
import { addPageRoutes } from './routes/page-routes.ts';
import { addPreferencesRoute } from './routes/preferences-routes.ts';
import { addMetricsRoute, addOpenApiRoute, addStateRoutes } from './routes/state-routes.ts';
import { addPages } from './routes/static-pages.ts';
import { limitConnections } from './server/connections.ts';
import { limitRest, refuseRequest, sendError } from './server/errors.ts';
import { limitMetrics, limitRate, limitRequests, requireBody, requireToken } from './server/guards.ts';
import { addHooks } from './server/hooks.ts';
import { createServerFactory } from './server/http-server.ts';
import { addJsonBodies } from './server/json-body.ts';
import { createFailureLog, type LogFailure } from './server/log-failure.ts';
import { refuseMalformed } from './server/malformed.ts';
import { Metrics } from './server/metrics.ts';
import { refuseUnknownNames, toValidationProblem } from './server/schema-names.ts';
import { Stopping } from './server/stopping.ts';
import { Tokens } from './server/tokens.ts';
import type { Service, ServiceOptions } from './service-options.ts';
import { addLiveRoutes, addWatchRoutes, createWatchContext } from './watch/routes.ts';

/** Milliseconds for one fetch. */
const TIMEOUT = 30_000;

/**
 * Creates a service that is ready to listen. Closing it completes the requests whose first byte has arrived, for `stopTime` at most, and waits
 * for fetches.
 *
 * @throws {RangeError} if the monitor is behind a proxy without tokens.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { store, trustProxy = [], rateLimit } = options;
  const tokens = new Tokens(options.tokens ?? []);
  const invalidateTokens = new Tokens(options.invalidateTokens ?? []);
  const isProxied = trustProxy.length > 0;
  if (options.watch !== undefined && tokens.isEmpty && isProxied)
    throw new RangeError('a monitor behind a proxy needs tokens');
  const log = options.log ?? pino({ level: 'silent' });
  const logFailure = createFailureLog(log);
  const limits = { ...LIMITS, ...options.limits };
  const metrics = new Metrics();
  metrics.observe(store);
  metrics.observeTokens([tokens, invalidateTokens]);
  const clients = new Clients({ limits, ...(rateLimit !== undefined && { rateLimit }) });
  const agents = new Agents(limits);
  const hosts = new HostGuard(options.hosts ?? []);
  let runInThread: RunInThread<DecideTask, DecideResult> = () => Promise.reject(new Error('not started'));
  const entries = options.allowPrivateAddresses === true ? createPrivatePartition(store) : store;
  const decider = createDecider({ ...options, store: entries }, log, logFailure, metrics, (...task) =>
    runInThread(...task),
  );
  const { now = Date.now } = options;
  const context: Context = { agents, clients, decider, store, entries, limits, metrics, log, now };

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
  // Each request waits for one decision at a time, so there are no more tasks than requests.
  runInThread = createThreads(app, context, new URL('./decide/decide-worker.js', import.meta.url), {
    limit: limits.requests,
    isShared: false,
  });
  addJsonBodies(app, limits, clients);
  // Bodies are JSON or NDJSON.
  app.removeContentTypeParser('text/plain');
  app.addHook('preClose', () => stopping.close(app.server, sockets));
  refuseUnknownNames(app);
  addHooks(app, { log, logFailure, metrics, limits });
  app.addHook('onClose', async () => decider.idle());
  await addRoutes(app, { ...options, tokens, invalidateTokens }, context, logFailure, stopping);
  app.decorate('drain', () => stopping.drain());
  app.decorate('replaceTokens', (read: () => Promise<readonly string[]>) => tokens.replace(read));
  app.decorate('replaceInvalidateTokens', (read: () => Promise<readonly string[]>) =>
    invalidateTokens.replace(read),
  );
  await app.ready();
  return app as unknown as Service;
}

function createDecider(
  options: Omit<ServiceOptions, 'store'> & { readonly store: ServiceStore },
  log: Logger,
  logFailure: LogFailure,
  metrics: Metrics,
  runInThread: RunInThread<DecideTask, DecideResult>,
): Decider {
  const {
    store,
    userAgent,
    allowPrivateAddresses = false,
    timeout,
    now,
    fetcher = refetchRobotsTxt,
  } = options;
  return new Decider({
    ...{ store, userAgent, allowPrivateAddresses, fetcher, runInThread },
    ...(timeout !== undefined && { timeout }),
    ...(now && { now }),
    onEvent: (event) => {
      metrics.countEvent(event);
      if (event.kind === 'store-failed' || event.kind === 'refresh-failed')
        log.warn({ err: event.error, origin: event.origin }, event.kind);
      else log.debug(event, event.kind);
    },
    onDecision: () => metrics.decisions++,
    onRefusal: (code) => metrics.countRefusal(code),
    onLocalFailure: (origin, error) => logFailure({ err: error, origin }, 'local-failure'),
  });
}

async function addRoutes(
  app: FastifyInstance,
  options: Omit<ServiceOptions, 'tokens' | 'invalidateTokens'> & {
    readonly tokens: Tokens;
    readonly invalidateTokens: Tokens;
  },
  context: Context,
  logFailure: LogFailure,
  stopping: Stopping,
): Promise<void> {
  const {
    tokens,
    invalidateTokens,
    allowPrivateAddresses = false,
    databaseFiles = [],
    pageFolder,
    auditFolder,
  } = options;
  const { userAgent, timeout = TIMEOUT } = options;
  const { clients, limits, log } = context;
  await app.register(
    fastifySwagger,
    createOpenApiOptions({ hasTokens: !tokens.isEmpty, hasInvalidateTokens: !invalidateTokens.isEmpty }),
  );
  addStateRoutes(app, { ...context, databaseFiles, isDraining: () => stopping.isDraining });
  await app.register(async (api) => {
    limitRequests(api, context);
    addOpenApiRoute(api);
    const pages = { hasMonitor: options.watch !== undefined, hasAudits: auditFolder !== undefined };
    if (pageFolder !== undefined && !addPages(api, pageFolder, pages))
      log.warn({ folder: pageFolder }, 'the folder of the pages has no index.html: no pages are served');
    await api.register(async (restricted) => {
      requireToken(restricted, tokens);
      if (auditFolder !== undefined) addAuditRoutes(restricted, auditFolder);
    });
  });
  await app.register(async (api) => {
    limitMetrics(api, clients);
    requireToken(api, tokens);
    addMetricsRoute(api, context);
  });
  const watch =
    options.watch &&
    (await createWatchContext(app, {
      ...{
        database: options.watch,
        limits,
        log,
        logFailure,
        allowPrivateAddresses,
        now: options.now ?? Date.now,
      },
      ...(options.watchLive && { live: options.watchLive }),
      isOpen: tokens.isEmpty,
      clients,
    }));
  const pages = new PageRequests({ userAgent, allowPrivateAddresses, timeout, limits });
  app.addHook('onClose', () => pages.close());
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
      addPageRoutes(bounded, context, pages);
      addPreferencesRoute(bounded, context, pages);
      if (watch !== undefined) await addWatchRoutes(bounded, watch);
    });
  });
  // The tokens of clients do not open it.
  if (!invalidateTokens.isEmpty)
    await app.register(async (api) => {
      limitRate(api, clients);
      requireToken(api, invalidateTokens);
      limitRequests(api, context);
      requireBody(api);
      addCacheRoutes(api, context, logFailure);
    });
}
