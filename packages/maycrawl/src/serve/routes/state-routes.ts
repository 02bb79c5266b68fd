// Operational routes: `/healthz`, `/readyz`, `/metrics` and `/openapi.json`.
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../http/problems.ts';
import type { HttpMetrics } from '../server/http-metrics.ts';
import type { Readiness } from './readiness.ts';

const hide = { schema: { hide: true } } as const;

export interface ProbeOptions {
  readonly readiness: Readiness;
  /** Describes to clients what does not work without the database. */
  readonly notReady: string;
  readonly isDraining: () => boolean;
  readonly log: Logger;
  /** Describes why the process does not work although it responds. @defaultValue it works */
  readonly findFault?: () => string | undefined;
}

/** Adds `/healthz` and `/readyz`. They have no token and no limit. */
export function addProbes(
  app: FastifyInstance,
  { readiness, notReady, isDraining, log, findFault }: ProbeOptions,
): void {
  app.get('/healthz', hide, async () => {
    const fault = findFault?.();
    if (fault !== undefined) throw new Problem('not-ready', fault);
    return { status: 'ok' };
  });
  app.get('/readyz', hide, async () => {
    if (isDraining()) throw new Problem('shutting-down', 'the service is shutting down');
    try {
      await readiness.check();
      return { status: 'ready' };
    } catch (error) {
      log.warn({ err: error }, 'not ready: a database is not usable');
      throw new Problem('not-ready', notReady);
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
export function addMetricsRoute(api: FastifyInstance, { metrics }: { readonly metrics: HttpMetrics }): void {
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
