// Operational routes: `/healthz`, `/readyz`, `/metrics` and `/openapi.json`.
import type { FastifyInstance } from 'fastify';
import { Problem } from '../http/problems.ts';
import type { Context } from './context.ts';
import { Readiness } from './readiness.ts';

const hide = { schema: { hide: true } } as const;

/** Adds the probes. They have no token and no limit. */
export function addStateRoutes(
  app: FastifyInstance,
  {
    store,
    log,
    databaseFiles,
    isDraining,
  }: Context & { readonly databaseFiles: readonly string[]; readonly isDraining: () => boolean },
): void {
  const readiness = new Readiness(store, databaseFiles);
  app.get('/healthz', hide, async () => ({ status: 'ok' }));
  app.get('/readyz', hide, async () => {
    if (isDraining()) throw new Problem('shutting-down', 'the service is shutting down');
    try {
      await readiness.check();
      return { status: 'ready' };
    } catch (error) {
      log.warn({ err: error }, 'not ready: the store is not usable');
      throw new Problem('not-ready', 'the store is not usable; decisions use the memory of this instance');
    }
  });
}

export function addOpenApiRoute(app: FastifyInstance): void {
  // The server is relative to the document, so that it is right below any path of a proxy.
  let openApi: string | undefined;
  app.get('/openapi.json', hide, async (_request, reply) => {
    openApi ??= JSON.stringify({ ...app.swagger(), servers: [{ url: './' }] });
    reply.type('application/json; charset=utf-8');
    return openApi;
  });
}

/** Adds the metrics, which need a token if the service has tokens. */
export function addMetricsRoute(api: FastifyInstance, { metrics }: Context): void {
  /** The collection in progress: concurrent requests share it. */
  let current: Promise<string> | undefined;
  api.get('/metrics', hide, async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    current ??= metrics.registry.metrics().finally(() => {
      current = undefined;
    });
    return current;
  });
}
