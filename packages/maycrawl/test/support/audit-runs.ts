// Audit runs without a crawl: a site is a table of responses, which are recorded in a run as a crawl records them.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readVisit } from '../../src/audit/crawl/visit.ts';
import { evaluateRun } from '../../src/audit/evaluate-run.ts';
import { RunPolicies } from '../../src/audit/judge/run-policies.ts';
import { openRun } from '../../src/audit/run/open-run.ts';
import type { Visit } from '../../src/audit/run/records/page.ts';
import { TDMREP_FILES } from '../../src/audit/run/records/site-facts.ts';
import { type Classify, getHost, type Waiting } from '../../src/audit/run/records/url.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';
import type { RunEnd, RunSettings } from '../../src/audit/run/settings.ts';
import type { StoredRobots } from '../../src/audit/run/tables/robots-table.ts';

/** The response of a URL. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly milliseconds?: number;
  /** The request failed with this code. */
  readonly failure?: string;
}

/** A site and the settings of its audit. */
export interface Site {
  readonly start: string;
  /** The responses by URL; other URLs respond with 404. */
  readonly answers: Readonly<Record<string, Answer>>;
  readonly robots?: string | Pick<StoredRobots, 'policy' | 'code' | 'message'>;
  /** The text of its tdmrep.json. */
  readonly tdmrep?: string;
  /** The robots.txt files of other sites, by origin. */
  readonly otherRobots?: Readonly<Record<string, string>>;
  /** URLs of each sitemap. */
  readonly sitemaps?: Readonly<Record<string, readonly string[]>>;
  readonly agents?: readonly string[];
  readonly end?: RunEnd['reason'];
  readonly settings?: Partial<RunSettings>;
  /** URLs that contain this text are traps. */
  readonly trap?: string;
}

/** The time at which all runs are judged: 21 November 2026. */
const NOW: number = Date.UTC(2026, 10, 21);

/** Creates the settings of an audit by Googlebot without limits. */
export function createSettings(starts: readonly string[], settings: Partial<RunSettings>): RunSettings {
  return {
    ...{
      starts,
      agents: ['Googlebot'],
      scope: 'host',
      maxPages: null,
      maxDepth: null,
      include: [],
      exclude: [],
    },
    ...{ maxAlike: null, sitemaps: true, isRobotsGiven: false, list: null, profile: 'google' },
    startedAt: NOW,
    ...settings,
  };
}

/** Writes a run into a new file. @returns the run, open. */
export async function makeRun(path: string, site: Site): Promise<RunStore> {
  const run = await openRun(path, 'new');
  const { origin, host } = new URL(site.start);
  const agents = site.agents ?? ['Googlebot'];
  const settings = createSettings([site.start], {
    ...{ agents, sitemaps: site.sitemaps !== undefined, startedAt: NOW - 60_000 },
    ...site.settings,
  });
  const classify: Classify = (url) => {
    if (getHost(url) !== host) return { state: 'outside' };
    if (site.trap !== undefined && url.includes(site.trap))
      return { state: 'crawl-trap', reason: 'no end of it' };
    return { state: 'waiting' };
  };
  run.set('settings', settings);
  if (site.tdmrep !== undefined) TDMREP_FILES.set(run, origin, { text: site.tdmrep, problem: null });
  const { robots = '' } = site;
  for (const [each, file] of Object.entries({ [origin]: robots, ...site.otherRobots }))
    setRobots(run, each, file);
  run.addStarts([site.start], classify);
  for (const [url, entries] of Object.entries(site.sitemaps ?? {})) {
    run.sitemaps.add(url, 'robots.txt');
    const id = run.sitemaps.listUnread()[0]?.id as number;
    run.addEntries(id, entries, classify);
    run.sitemaps.close(id, entries.length);
  }
  await visitAll(run, site, settings, classify);
  run.settleDepths();
  run.set('end', {
    reason: site.end ?? 'complete',
    at: NOW - 1_000,
    waiting: run.counts().waiting,
  });
  await evaluateRun(run, NOW);
  return run;
}

function setRobots(run: RunStore, origin: string, file: NonNullable<Site['robots']>): void {
  run.robots.set({
    ...{ origin, fetchedAt: NOW - 60_000, isGiven: false },
    ...(typeof file === 'string'
      ? { policy: { kind: 'rules' }, code: null, message: null, body: Buffer.from(file) }
      : { ...file, body: null }),
  });
}

async function visitAll(run: RunStore, site: Site, settings: RunSettings, classify: Classify): Promise<void> {
  const robots = new RunPolicies(run, settings.agents, settings.profile);
  let left = settings.maxPages ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const [host] = run.hosts.claim(1);
    if (host === undefined) return;
    const visits: Visit[] = [];
    for (const { key, url, depth, hops, isTarget } of run.waiting(host, 500, new Set())) {
      if (isTarget) {
        visits.push(visitTarget(run, { key, url, depth, hops }, site.answers[url]));
        continue;
      }
      const decisions = await Promise.all(settings.agents.map((_, agent) => robots.decide(url, agent)));
      const isBlocked = decisions.every((decision) => decision?.kind !== 'allowed');
      if (!isBlocked && left-- <= 0) return;
      visits.push(
        isBlocked ? { kind: 'blocked', key } : createVisit({ key, url, depth, hops }, site.answers[url]),
      );
    }
    run.record(visits, classify);
    run.hosts.release(host);
  }
}

/** Another site that responds has an empty robots.txt. */
function visitTarget(
  run: RunStore,
  target: Omit<Waiting, 'tries' | 'isTarget'>,
  answer: Answer | undefined,
): Visit {
  if (answer === undefined) return { kind: 'outside', key: target.key };
  setRobots(run, new URL(target.url).origin, '');
  return {
    ...(createVisit(target, answer) as Visit & { kind: 'fetched' }),
    named: [],
    resources: [],
    isTarget: true,
  };
}

function createVisit(
  { key, url, depth, hops }: Omit<Waiting, 'tries' | 'isTarget'>,
  { status = 200, headers = {}, body = '', milliseconds = 40, failure }: Answer = {
    status: 404,
    body: '<title>Gone</title>',
  },
): Visit {
  const about = { key, at: NOW - 30_000, milliseconds, bytes: body.length };
  if (failure !== undefined)
    return {
      ...{ kind: 'fetched', depth, hops, named: [] },
      page: { ...about, outcome: { kind: 'failure', code: failure, detail: `it failed: ${failure}` } },
    };
  const lines = Object.entries({ 'content-type': 'text/html; charset=utf-8', ...headers });
  const { outcome, ...lists } = readVisit(url, {
    status,
    headers: lines,
    body: Buffer.from(body),
  } as never);
  return { kind: 'fetched', page: { ...about, outcome }, depth, hops, ...lists };
}

/** A page in HTML. @param links - URLs, relative ones too. @param head - further elements of the head. */
export function html(title: string, links: readonly string[] = [], head: string = ''): string {
  const list = links.map(
    (href) => `<p><a href="${href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">link</a>`,
  );
  return `<!doctype html><title>${title}</title>${head}<body><h1>${title}</h1>${list.join('')}`;
}

/** Collects all values. */
export async function gather<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Makes the runs of two sites, and closes them after the work. */
export async function withRuns<T>(
  folder: string,
  sites: readonly [Site, Site],
  work: (first: RunStore, second: RunStore) => Promise<T>,
): Promise<T> {
  const make = (site: Site): Promise<RunStore> => makeRun(join(folder, `${randomUUID()}.sqlite`), site);
  const [first, second] = [await make(sites[0]), await make(sites[1])];
  try {
    return await work(first, second);
  } finally {
    first.close();
    second.close();
  }
}
