// `/v1/page` and `/v1/sample`: requests for more of a site than its robots.txt. They are POST requests with a JSON body, which pages of other sites cannot
// send: a link must not make the service of a visitor fetch what the link names.
import { isOwnRefusal } from '@maycrawl/client/policy';
import { SitemapError } from '@maycrawl/client/sitemap';
import { resolveUrl } from '@maycrawl/core/indexability';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_REPORT } from '../../api/page-api.ts';
import { SITEMAP_SAMPLE } from '../../api/sample-api.ts';
import { OWN_AGENT } from '../../audit/crawl/robots-guard.ts';
import { checkPage } from '../../audit/page/check-page.ts';
import { COMMON_CRAWLERS } from '../../audit/page/common-crawlers.ts';
import type { JudgedPage, PageTask } from '../../audit/page/judge-page.ts';
import { toGroupedVerdict, type VerdictJson } from '../../audit/page/page-tools.ts';
import { getProfile } from '../decide/profile-name.ts';
import { parseOrigin } from '../decide/sites.ts';
import { Problem } from '../http/problems.ts';
import { createThreads } from '../limits/threads.ts';
import { startWork, Work } from '../limits/work.ts';
import type { PageRequests } from '../page/page-requests.ts';
import { createServicePageTools } from '../page/service-page-tools.ts';
import { SAMPLE_BYTES, sampleSitemaps } from '../page/sitemap-sample.ts';
import type { Context } from './context.ts';
import * as schemas from './schemas.ts';

interface PageBody {
  readonly url: string;
  readonly agents?: readonly string[];
  readonly profile?: string;
}

interface SampleBody {
  readonly origin: string;
  readonly profile?: string;
}

export function addPageRoutes(api: FastifyInstance, context: Context, requests: PageRequests): void {
  const { decider, agents, limits, now } = context;
  const file = new URL('../page/page-worker.js', import.meta.url);
  const runInThread = createThreads<PageTask, JudgedPage>(api, context, file);
  const start = (request: FastifyRequest, reply: FastifyReply): Work => {
    const work = startWork(request, reply, context);
    reply.raw.once('close', work.client.take('pages'));
    return work;
  };

  const page = 'What crawlers may do with one page, and what they find there; the page is requested';
  api.post<{ Body: PageBody }>(
    '/v1/page',
    schemas.createReportOptions('page', page, { body: schemas.pageBody }, PAGE_REPORT),
    async (request, reply) => {
      const { url, agents: names, profile: name = 'google' } = request.body;
      requirePageUrl(url, limits.pageUrlChars);
      const profile = getProfile(name);
      const crawlers =
        names === undefined ? COMMON_CRAWLERS : [...new Set(names)].map((each) => agents.resolve(each));
      const parts = { decider, requests, runInThread, now };
      const tools = createServicePageTools(parts, profile, start(request, reply));
      return checkPage(url, crawlers, profile.name, tools);
    },
  );

  const own = agents.resolve(OWN_AGENT);
  const sample = 'A few URLs of a site, from the first sitemaps that its robots.txt names';
  api.post<{ Body: SampleBody }>(
    '/v1/sample',
    schemas.createReportOptions('sample', sample, { body: schemas.sampleBody }, SITEMAP_SAMPLE),
    async (request, reply) => {
      const { origin: written, profile: name = 'google' } = request.body;
      const origin = parseOrigin(written);
      const profile = getProfile(name);
      const whole = start(request, reply);
      const { policy } = await decider.getState(origin, profile, whole);
      const work = new Work(whole.client, limitTime(whole.signal, limits.sampleTime));
      const sitemaps = policy.kind === 'rules' ? policy.robots.sitemaps().map(({ value }) => value) : [];
      return sampleSitemaps(origin, sitemaps, {
        findRefusal: async (url) =>
          describeRefusal(JSON.parse(await decider.decide({ url, agent: own }, profile, work))),
        request: (url) => requests.run(url, work, (client) => client.open(url, SAMPLE_BYTES, work.signal)),
      });
    },
  );
}

/** @throws {Problem} unless a URL can be requested as a page. */
export function requirePageUrl(url: string, maxChars: number): void {
  if (url.length > maxChars)
    throw new Problem('url-too-long', `the URL of a page has at most ${maxChars} characters`);
  parseOrigin(url);
  if (resolveUrl(url, url) === null)
    throw new Problem('unsupported-scheme', 'a page has an http or https URL');
}

/** Describes why robots.txt does not allow a sitemap; `null` if it does. */
function describeRefusal(answer: VerdictJson): string | null {
  const { allowed, reason, message } = toGroupedVerdict(answer);
  if (allowed === true) return null;
  if (allowed === false && reason !== 'unreachable') return 'disallowed by robots.txt';
  const cause = message === null ? '' : ` (${message})`;
  if (isOwnRefusal(reason)) return `the robots.txt of its host was not requested${cause}`;
  return allowed === null ? message : `the robots.txt of its host cannot be fetched${cause}`;
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
