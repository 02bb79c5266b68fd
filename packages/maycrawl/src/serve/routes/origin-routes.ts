/**
 * `/v1/robots`: what a site answers, how it came, and what it means.
 *
 * @module
 */
import type { FastifyInstance } from 'fastify';
import { originReport } from '../../reports/origin.ts';
import { getProfile } from '../decide/profile-name.ts';
import { originOf } from '../decide/sites.ts';
import { getReportSteps, startWork } from '../limits/work.ts';
import type { Context } from './context.ts';
import * as schemas from './schemas.ts';

export function addOriginRoutes(api: FastifyInstance, context: Context): void {
  const { decider, log, store } = context;
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
    async (request, reply) => {
      const { query } = request;
      const origin = originOf(query.origin);
      const work = startWork(request, reply, context);
      const state = await decider.getState(origin, getProfile(query.profile), work);
      const steps = getReportSteps(state.history.answer?.bytes?.length ?? 0);
      work.require(steps);
      work.addDecision(steps);
      // The history is not what was asked for in the first place: without the store there is none.
      const events = await store.events(origin).catch((error: unknown) => {
        log.warn({ err: error }, 'the store does not tell what happened before');
        return [];
      });
      return originReport(state, events);
    },
  );
}
