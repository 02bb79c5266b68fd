/**
 * A run in short: how it was begun and how it ended, what each site's robots.txt was, and how many URLs have which reason.
 *
 * @module
 */
import { REASONS, type Reason } from '@maycrawl/core/indexability';
import type { Counts, KeptRobots, KeptSitemap } from '../run/run-store.ts';
import { endOf, judgedAt, type RunEnd, type RunSettings, settingsOf } from '../run/settings.ts';
import type { SqliteRun } from '../run/sqlite-run.ts';

/** What holds for one crawler. */
interface AgentSummary {
  readonly agent: string;
  /** URLs that were judged. */
  readonly judged: number;
  readonly indexable: number;
  /** URLs by their primary reason, and by every one that applies. */
  readonly primary: Readonly<Record<Reason, number>>;
  readonly all: Readonly<Record<Reason, number>>;
}

/** What a site's robots.txt was, and what follows from that. */
interface RobotsSummary extends Omit<KeptRobots, 'body'> {
  readonly bytes: number | null;
  readonly meaning: string;
}

/** A run in short. */
export interface RunSummary {
  readonly settings: RunSettings;
  readonly end: RunEnd | null;
  /** Milliseconds since 1970. */
  readonly judgedAt: number | null;
  readonly counts: Counts;
  readonly total: number;
  readonly agents: readonly AgentSummary[];
  readonly robots: readonly RobotsSummary[];
  readonly sitemaps: readonly KeptSitemap[];
  /** URLs that sitemaps name. */
  readonly inSitemaps: number;
}

/** Sums a run up. */
export async function summarise(run: SqliteRun): Promise<RunSummary> {
  const settings = await settingsOf(run);
  const counts = await run.counts();
  return {
    settings,
    end: await endOf(run),
    judgedAt: await judgedAt(run),
    counts,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    agents: settings.agents.map((agent, place) => ({ agent, ...countReasons(run, place) })),
    robots: (await run.allRobots()).map(({ body, ...robots }) => ({
      ...robots,
      bytes: body?.length ?? null,
      meaning: meaningOf(robots),
    })),
    sitemaps: await run.sitemaps(),
    inSitemaps: run.rows.countUrlsInSitemaps(),
  };
}

function countReasons({ rows }: SqliteRun, agent: number): Omit<AgentSummary, 'agent'> {
  const none = Object.fromEntries(REASONS.map((reason) => [reason, 0])) as Record<Reason, number>;
  const [primary, all] = [{ ...none }, { ...none }];
  let [judged, indexable] = [0, 0];
  for (const { reasons, count } of rows.countReasons(agent)) {
    judged += count;
    if (reasons === 0) indexable += count;
    const apply = REASONS.filter((_, place) => (reasons & (1 << place)) !== 0);
    for (const reason of apply) all[reason] += count;
    const [first] = apply;
    if (first !== undefined) primary[first] += count;
  }
  return { judged, indexable, primary, all };
}

/** What it means for the run that a site's robots.txt was what it was. */
function meaningOf({ use, reason }: Pick<KeptRobots, 'use' | 'reason'>): string {
  const why = reason === null ? '' : ` (${reason})`;
  switch (use) {
    case 'rules':
      return 'Its rules decide.';
    case 'given':
      return 'A file that was given decides instead of the one of the site.';
    case 'absent':
      return `There is none${why}: everything may be fetched.`;
    case 'unreachable':
      return `It could not be read${why}, which forbids everything: not one page was fetched.`;
    case 'outage-expired':
      return `It could not be read${why}, but for so long that it forbids nothing any more.`;
  }
}

/** Whether a run saw all there is to see, in a sentence. */
export function describeEnd(end: RunEnd | null, counts: Counts): string {
  const waiting = (end?.waiting ?? counts.waiting).toLocaleString('en');
  if (end === null) return `The crawl has not ended, or was killed: ${waiting} URLs are waiting.`;
  switch (end.why) {
    case 'complete':
      return 'Complete: there was nothing left to ask for.';
    case 'max-pages':
      return `Not complete: it ended at the number of pages that was allowed; ${waiting} URLs were left.`;
    case 'interrupted':
      return `Not complete: it was interrupted; ${waiting} URLs were left.`;
    case 'no-answers':
      return `Not complete: a host answered no longer; ${waiting} URLs were left.`;
    case 'sitemap-time':
      return 'Not complete: the time for all sitemaps was over; some of them were not read.';
  }
}
