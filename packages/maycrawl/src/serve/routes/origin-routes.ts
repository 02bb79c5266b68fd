// `/v1/robots`: the robots.txt of a site, how it was fetched, and what it means for the site.
import type { FastifyInstance } from 'fastify';
import { ROBOTS_REPORT } from '../../api/robots-api.ts';
import { createOriginReport } from '../../reports/policy.ts';
import { getProfile } from '../decide/profile-name.ts';
import { parseOrigin } from '../decide/sites.ts';
import { getReportSteps, startWork } from '../limits/work.ts';
import type { Context } from './context.ts';
import * as schemas from './schemas.ts';

export function addOriginRoutes(api: FastifyInstance, context: Context): void {
  const { decider, entries, log, now } = context;
  const summary = 'The robots.txt of a site and its policy; it is fetched first if that is due';
  api.get<{ Querystring: { readonly origin: string; readonly profile: string } }>(
    '/v1/robots',
    schemas.createReportOptions('robots', summary, { querystring: schemas.originQuery }, ROBOTS_REPORT),
    async (request, reply) => {
      const { query } = request;
      const origin = parseOrigin(query.origin);
      const work = startWork(request, reply, context);
      const profile = getProfile(query.profile);
      const state = await decider.getState(origin, profile, work);
      const steps = getReportSteps(state.history.response?.bytes.length ?? 0);
      // Without the store there are no events, but there is a policy.
      const events = await entries.events(origin).catch((error: unknown) => {
        log.warn({ err: error }, 'the events of a site could not be read from the store');
        return [];
      });
      return work.run(steps, () => createOriginReport(state, events, profile, now()));
    },
  );
}
