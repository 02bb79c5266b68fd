/**
 * `/v1/robots`: what a site answers, how it came, and what it means.
 *
 * @module
 */
import type { FastifyInstance } from 'fastify';
import { originReport } from '../reports/origin.ts';
import type { Context } from './context.ts';
import { patienceFor } from './patience.ts';
import { profileNamed } from './profile-name.ts';
import * as schemas from './schemas.ts';
import { originOf } from './sites.ts';

export function addOriginRoutes(api: FastifyInstance, { decider, limits, log, store }: Context): void {
  const summary = 'What is known of a site, which is asked if that is due';
  api.get<{ Querystring: { readonly origin: string; readonly profile: string } }>(
    '/v1/robots',
    {
      schema: {
        operationId: 'robots',
        summary,
        querystring: schemas.originQuery,
        response: { 200: schemas.report(summary), ...schemas.failures },
      },
    },
    async ({ query }, reply) => {
      const patience = patienceFor(reply, limits.answerTime);
      const origin = originOf(query.origin);
      const state = await decider.holds(origin, profileNamed(query.profile), patience);
      // The history is not what was asked for in the first place: without the store there is none.
      const events = await store.events(origin).catch((error: unknown) => {
        log.warn({ err: error }, 'the store does not tell what happened before');
        return [];
      });
      return originReport(state, events);
    },
  );
}
