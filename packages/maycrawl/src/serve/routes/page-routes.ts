/**
 * `/v1/sample`: requests for more of a site than its robots.txt. They are POST requests with a JSON body, which pages of other sites cannot
 * send: a link must not make the service of a visitor fetch what the link names.
 *
 * @module
 */
import { SitemapError } from '@maycrawl/client/sitemap';
import type { FastifyInstance } from 'fastify';
import { SITEMAP_SAMPLE } from '../../api/sample-api.ts';
import { OWN_AGENT } from '../../audit/crawl/robots-guard.ts';
import { getProfile } from '../decide/profile-name.ts';
import { parseOrigin } from '../decide/sites.ts';
import { startWork, Work } from '../limits/work.ts';
import type { PageRequests } from '../page/page-requests.ts';
import { SAMPLE_BYTES, sampleSitemaps } from '../page/sitemap-sample.ts';
import type { Context } from './context.ts';
import * as schemas from './schemas.ts';

interface SampleBody {
  readonly origin: string;
  readonly profile?: string;
}

export function addPageRoutes(api: FastifyInstance, context: Context, requests: PageRequests): void {
  const { decider, agents, limits } = context;
  const own = agents.resolve(OWN_AGENT);
  const summary = 'A few URLs of a site, from the first sitemaps that its robots.txt names';
  api.post<{ Body: SampleBody }>(
    '/v1/sample',
    {
      serializerCompiler: schemas.serializerCompiler,
      schema: {
        operationId: 'sample',
        summary,
        body: schemas.sampleBody,
        response: { 200: schemas.json(summary, SITEMAP_SAMPLE), ...schemas.failures },
      },
    },
    async (request, reply) => {
      const { origin: written, profile: name = 'google' } = request.body;
      const origin = parseOrigin(written);
      const profile = getProfile(name);
      const whole = startWork(request, reply, context);
      const { policy } = await decider.getState(origin, profile, whole);
      const work = new Work(whole.client, limitTime(whole.signal, limits.sampleTime), limits);
      const sitemaps = policy.kind === 'rules' ? policy.robots.sitemaps().map(({ value }) => value) : [];
      return sampleSitemaps(origin, sitemaps, {
        mayFetch: async (url) => JSON.parse(await decider.decide({ url, agent: own }, profile, work)).allowed,
        request: (url) => requests.run(url, work, (client) => client.open(url, SAMPLE_BYTES, work.signal)),
      });
    },
  );
}

/** Creates a signal that aborts with the other one, or after a time: then sitemaps are not read any further. */
function limitTime(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new SitemapError(`not read within ${milliseconds / 1000} seconds`)),
    milliseconds,
  );
  // The signal of a request aborts when its connection closes, at the latest.
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return AbortSignal.any([signal, controller.signal]);
}
