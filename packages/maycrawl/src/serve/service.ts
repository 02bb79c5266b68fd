// The decision service: an HTTP API for robots.txt decisions, the pages, and the API of the monitor.
import fastifySwagger from '@fastify/swagger';
import { refetchRobotsTxt } from '@maycrawl/client';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { addAuditRoutes } from './audits/routes.ts';
import { Agents } from './decide/agents.ts';
import type { DecideResult, DecideTask } from './decide/decide-worker.ts';
import { Decider } from './decide/decider.ts';
import { createPrivatePartition, type ServiceStore } from './decide/private-partition.ts';
import { Clients } from './limits/clients.ts';
import { LIMITS } from './limits/limits.ts';
import { createThreads, type RunInThread } from './limits/threads.ts';
import { createOpenApiOptions } from './open-api/open-api.ts';
import { PageRequests } from './page/page-requests.ts';
import { addCacheRoutes } from './routes/cache-routes.ts';
import type { Context } from './routes/context.ts';
import { addDecideRoutes } from './routes/decide-routes.ts';
import { addFileRoutes } from './routes/file-routes.ts';
import { addOriginRoutes } from './routes/origin-routes.ts';
import { addPageRoutes } from './routes/page-routes.ts';
import { addPreferencesRoute } from './routes/preferences-routes.ts';
import { createStoreProbe, Readiness } from './routes/readiness.ts';
import { addMetricsRoute, addOpenApiRoute, addProbes } from './routes/state-routes.ts';
import { addPages } from './routes/static-pages.ts';
import { createApp } from './server/app.ts';
import { limitMetrics, limitRate, limitRequests, requireBody, requireToken } from './server/guards.ts';
import { addJsonBodies } from './server/json-body.ts';
import { createFailureLog, type LogFailure } from './server/log-failure.ts';
import { Metrics } from './server/metrics.ts';
import type { Stopping } from './server/stopping.ts';
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
  let runInThread: RunInThread<DecideTask, DecideResult> = () => Promise.reject(new Error('not started'));
  const entries = options.allowPrivateAddresses === true ? createPrivatePartition(store) : store;
  const decider = createDecider({ ...options, store: entries }, log, logFailure, metrics, (...task) =>
    runInThread(...task),
  );
  const { now = Date.now } = options;
  const context: Context = { agents, clients, decider, store, entries, limits, metrics, log, now };

  const { app, stopping } = createApp({
    ...{ limits, clients, metrics, log, logFailure },
    ...{ hosts: options.hosts, trustProxy },
  });
  // Each request waits for one decision at a time, so there are no more tasks than requests.
  const decideWorker = new URL('./decide/decide-worker.js', import.meta.url);
  runInThread = createThreads(app, context, decideWorker, limits.requests);
  addJsonBodies(app, limits, clients);
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
      const { kind, origin } = event;
      if (kind === 'store-failed' || kind === 'refresh-failed') log.warn({ err: event.error, origin }, kind);
      else if (kind === 'fetch-failed') {
        const { error, ...details } = event;
        log.debug({ ...details, err: error }, kind);
      } else log.debug(event, kind);
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
  addProbes(app, {
    readiness: new Readiness(createStoreProbe(context.store), databaseFiles),
    isDraining: () => stopping.isDraining,
    notReady: 'the store is not usable; decisions use the memory of this instance',
    log,
  });
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
      await bounded.register(async (lines) => addDecideRoutes(lines, context));
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
