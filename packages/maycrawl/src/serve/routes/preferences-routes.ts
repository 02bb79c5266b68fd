// `/v1/preferences`: what a site declares about the use of a URL's content. The client sends what it has of the page, or lets the service
// request it. A thread reads the declarations (preferences-worker.ts).
import type { Profile } from '@maycrawl/core';
import type { PreferenceSources } from '@maycrawl/core/preferences';
import type { FastifyInstance } from 'fastify';
import { PREFERENCE_REPORTS } from '../../api/preferences-api.ts';
import { OWN_AGENT } from '../../audit/crawl/robots-guard.ts';
import { COMMON_CRAWLERS } from '../../audit/page/common-crawlers.ts';
import { toGroupedVerdict } from '../../audit/page/page-tools.ts';
import { type FetchedSources, fetchPageSources } from '../../preferences/page-sources.ts';
import { describeState } from '../decide/decision-text.ts';
import { getProfile } from '../decide/profile-name.ts';
import { parseOrigin } from '../decide/sites.ts';
import { Problem } from '../http/problems.ts';
import { createThreads } from '../limits/threads.ts';
import { startWork, type Work } from '../limits/work.ts';
import type { PageRequests } from '../page/page-requests.ts';
import type { Context } from './context.ts';
import { requirePageUrl } from './page-routes.ts';
import { preferencesBody } from './preferences-schema.ts';
import type { PreferencesTask } from './preferences-worker.ts';
import * as schemas from './schemas.ts';

interface PreferencesBody extends Omit<PreferenceSources, 'policy'> {
  readonly url: string;
  readonly agents?: readonly string[];
  readonly profile?: string;
  readonly robots?: string;
  readonly fetch?: boolean;
  readonly policyTokens?: readonly string[];
}

export function addPreferencesRoute(api: FastifyInstance, context: Context, requests: PageRequests): void {
  const { agents, decider, limits } = context;
  const file = new URL('./preferences-worker.js', import.meta.url);
  const runInThread = createThreads<PreferencesTask>(api, context, file);
  const own = agents.resolve(OWN_AGENT);
  /** Requests what the client does not have. The live robots.txt decides whether that is allowed, not one in the request. */
  const fetchSources = (
    url: string,
    { headers, metas, tdmrep }: Omit<PreferenceSources, 'policy'>,
    profile: Profile,
    work: Work,
  ): Promise<FetchedSources> => {
    requirePageUrl(url, limits.pageUrlChars);
    return fetchPageSources({
      url,
      wants: { page: headers === undefined && metas === undefined, tdmrep: tdmrep === undefined },
      isAllowed: async (target) =>
        toGroupedVerdict(JSON.parse(await decider.decide({ url: target, agent: own }, profile, work)))
          .allowed === true,
      fetch: (target) => requests.run(target, work, (client) => client.fetch(target, work.signal)),
      fetchFile: (target, maxBytes) =>
        requests.run(target, work, (client) =>
          client.fetchFile(target, maxBytes, { accept: '*/*' }, work.signal),
        ),
    });
  };
  const summary =
    'How crawlers may use the content of a URL, by what its site declares; the page is requested only on demand';
  api.post<{ Body: PreferencesBody }>(
    '/v1/preferences',
    schemas.createReportOptions('preferences', summary, { body: preferencesBody }, PREFERENCE_REPORTS),
    async (request, reply) => {
      const {
        url,
        agents: names,
        profile: name = 'google',
        robots,
        fetch = false,
        policyTokens = [],
        ...sources
      } = request.body;
      if (url.length > limits.pageUrlChars)
        throw new Problem('url-too-long', `the URL has at most ${limits.pageUrlChars} characters`);
      const origin = parseOrigin(url);
      const profile = getProfile(name);
      agents.requireTokens(policyTokens);
      const crawlers =
        names === undefined ? COMMON_CRAWLERS : [...new Set(names)].map((each) => agents.resolve(each));
      const work = startWork(request, reply, context);
      if (fetch) reply.raw.once('close', work.client.take('pages'));
      const state = robots === undefined ? await decider.getState(origin, profile, work) : undefined;
      const policy = state?.policy;
      const fetched = fetch ? await fetchSources(url, sources, profile, work) : null;
      const task: PreferencesTask = {
        ...{ url, origin, profile: profile.name, sources, policyTokens, fetched },
        agents: crawlers.map(({ name: agent, crawler }) => ({ name: agent, crawler })),
        robots:
          policy === undefined ? (robots as string) : policy.kind === 'rules' ? policy.robots.bytes : policy,
      };
      const reports = await runInThread(task, getSize(task), work);
      const head = {
        url,
        profile: profile.name,
        ...(state ? describeState(state) : { policy: { kind: 'rules' } }),
      };
      reply.type('application/json; charset=utf-8');
      return `${JSON.stringify(head).slice(0, -1)},${reports.slice(1)}`;
    },
  );
}

/** Returns the characters that a task reads, for each crawler again. */
function getSize({
  agents,
  robots,
  fetched,
  sources: { headers = [], metas = [], tdmrep = '', rsl = [], licenses = [], inlineRsl = [] },
}: PreferencesTask): number {
  const texts = [
    ...headers.flat(),
    ...metas.map(({ content }) => content),
    tdmrep,
    ...rsl.map(({ text }) => text),
    ...licenses,
    ...inlineRsl,
  ];
  const own = getLength(robots) + (fetched?.page?.body.length ?? 0) + (fetched?.tdmrep?.length ?? 0);
  const length = texts.reduce((sum, text) => sum + text.length, own);
  return length * agents.length;
}

function getLength(robots: PreferencesTask['robots']): number {
  return typeof robots === 'string' || robots instanceof Uint8Array ? robots.length : 0;
}
