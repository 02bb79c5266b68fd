/**
 * `/healthz`, `/readyz`, `/metrics` and `/openapi.json`: for those who run the service.
 *
 * @module
 */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../http/problems.ts';
import type { Context } from './context.ts';
import { Readiness } from './readiness.ts';

const hide = { schema: { hide: true } } as const;

/** Those that anybody may see, however busy the service is. */
export function addStateRoutes(
  app: FastifyInstance,
  { store, log, databaseFiles }: Context & { readonly databaseFiles: readonly string[] },
): void {
  const readiness = new Readiness(store, databaseFiles);
  app.get('/healthz', hide, async () => ({ status: 'ok' }));
  app.get('/readyz', hide, async () => {
    try {
      await readiness.check();
      return { status: 'ready' };
    } catch (error) {
      log.warn({ err: error }, 'the store cannot be used');
      throw new Problem('not-ready', 'the store cannot be used; decisions rest on what this instance knows');
    }
  });
}

/** The description of the routes. */
export function addOpenApiRoute(app: FastifyInstance): void {
  // Beside this document, also below a path prefix.
  let openApi: string | undefined;
  app.get('/openapi.json', hide, async (_request, reply) => {
    openApi ??= JSON.stringify({ ...app.swagger(), servers: [{ url: './' }] });
    reply.type('application/json; charset=utf-8');
    return openApi;
  });
}

/** Those that need a token where one is set. */
export function addMetricsRoute(api: FastifyInstance, { metrics }: Context): void {
  /** The text under way: requests that arrive meanwhile share it. */
  let current: Promise<string> | undefined;
  api.get('/metrics', hide, async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    current ??= metrics.registry.metrics().finally(() => {
      current = undefined;
    });
    return current;
  });
}
