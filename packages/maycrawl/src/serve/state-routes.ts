/**
 * `/healthz`, `/readyz`, `/metrics` and `/openapi.json`: for those who run the service.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Context } from './context.ts';
import { Problem } from './problems.ts';

/** In so many milliseconds a store answers that can be used. */
const READY_TIME = 2_000;

const hide = { schema: { hide: true } } as const;

/** Those that anybody may see. */
export function addStateRoutes(app: FastifyInstance, { store, log }: Context): void {
  app.get('/healthz', hide, async () => ({ status: 'ok' }));
  app.get('/readyz', hide, async () => {
    const end = new AbortController();
    const late = sleep(READY_TIME, 'late', { signal: end.signal, ref: false });
    try {
      if ((await Promise.race([store.list(1), late])) === 'late') throw new Error('it does not answer');
      return { status: 'ready' };
    } catch (error) {
      log.warn({ err: error }, 'the store cannot be used');
      throw new Problem('not-ready', 'the store cannot be used; decisions rest on what this instance knows');
    } finally {
      late.catch(() => {});
      end.abort();
    }
  });
  // Beside this document, also below a path prefix.
  app.get('/openapi.json', hide, async () => ({ ...app.swagger(), servers: [{ url: './' }] }));
}

/** Those that need a token where one is set. */
export function addMetricsRoute(api: FastifyInstance, { metrics }: Context): void {
  api.get('/metrics', hide, async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
}
