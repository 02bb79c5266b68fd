// Compares two runs of the same site: URLs that became indexable or not, and the changes of their evidence.
import { timeSlices } from '@maycrawl/client/internal';
import type { Reason } from '@maycrawl/core/indexability';
import { unpackReasons } from '../../run/records/reasons.ts';
import type { UrlState } from '../../run/records/url.ts';
import { STATES } from '../../run/records/url.ts';
import type { RunStore } from '../../run/run-store.ts';
import { getEnd, getSettings } from '../../run/settings.ts';
import type { OrderedUrl } from '../../run/tables/report-rows.ts';
import { type UrlReport, UrlReporter } from '../url-report.ts';
import { compareUrls } from '../urls/url-order.ts';
import { BlockFinder } from './block-finder.ts';
import { describeChanges } from './evidence-changes.ts';

/** The difference of one URL. */
export type RunChange =
  | {
      /** `lost`: it is no longer indexable; `won`: it is now; `changed`: it is not, for another reason. */
      readonly kind: 'lost' | 'won' | 'changed';
      readonly url: string;
      readonly agent: string;
      /**
       * The primary reasons; `null` if it is indexable. `unreached`: it is, but nothing that the crawler may fetch leads to it;
       * `missing`: the run does not contain it.
       */
      readonly before: Reason | 'unreached' | 'missing' | null;
      readonly after: Reason | 'unreached' | 'missing' | null;
      /** Changes of the evidence, which may quote the site. */
      readonly changes: readonly string[];
    }
  | {
      /** Only one of the runs has the URL, and the other one is complete. */
      readonly kind: 'appeared' | 'disappeared';
      readonly url: string;
      readonly state: UrlState;
    };

/** A difference, and the records from which {@link RunChange} is described. */
export type RecordChange =
  | {
      readonly kind: 'lost' | 'won' | 'changed';
      readonly url: string;
      readonly agent: string;
      /** Read the records, which takes longer than to find the difference. */
      readonly readBefore: () => UrlReport;
      readonly readAfter: () => UrlReport;
    }
  | {
      /** It is indexable in both complete runs, and the crawler reaches it only in the first one (`cut-off`), or in the second one. */
      readonly kind: 'cut-off' | 'reached';
      readonly url: string;
      readonly agent: string;
    }
  | {
      readonly kind: 'appeared' | 'disappeared';
      readonly url: string;
      readonly state: UrlState;
      /** The crawlers of both runs for which it is indexable in the run that has it. */
      readonly indexableFor: readonly string[];
    };

/** What of the runs can be compared. */
export interface Comparable {
  /** The crawlers of both runs. */
  readonly agents: readonly string[];
  /** Limits of the comparison. */
  readonly notes: readonly string[];
  readonly saysAppeared: boolean;
  readonly saysDisappeared: boolean;
}

/** Finds what the runs have in common. */
export function getComparable(before: RunStore, after: RunStore): Comparable {
  const [old, now] = [getSettings(before), getSettings(after)];
  const agents = old.agents.filter((agent) => now.agents.includes(agent));
  const notes: string[] = [];
  const only = [...old.agents, ...now.agents].filter((agent) => !agents.includes(agent));
  if (only.length > 0) notes.push(`only one of the runs was judged for ${[...new Set(only)].join(', ')}`);
  const differs = (
    ['starts', 'list', 'scope', 'include', 'exclude', 'maxDepth', 'sitemaps', 'profile'] as const
  ).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  if (differs.length > 0) notes.push(`the settings of the runs differ: ${differs.join(', ')}`);
  const [oldEnd, newEnd] = [getEnd(before), getEnd(after)];
  const [saysAppeared, saysDisappeared] = [oldEnd?.reason === 'complete', newEnd?.reason === 'complete'];
  if (!saysAppeared) notes.push('the first run is not complete, so new URLs are not reported');
  if (!saysDisappeared) notes.push('the second run is not complete, so missing URLs are not reported');
  return { agents, notes, saysAppeared, saysDisappeared };
}

/** Yields differences in the order of the URLs. The memory depends only on the number of URLs that crawlers do not reach. */
export async function* compareRuns(before: RunStore, after: RunStore): AsyncGenerator<RunChange> {
  const blocks = new BlockFinder(after);
  for await (const change of compareRecords(before, after)) {
    const { url } = change;
    switch (change.kind) {
      case 'appeared':
      case 'disappeared':
        yield { kind: change.kind, url, state: change.state };
        if (change.kind === 'disappeared')
          for (const agent of change.indexableFor) yield describeLoss(url, agent, blocks);
        break;
      case 'cut-off':
        yield {
          ...{ kind: 'lost', url, agent: change.agent, before: null, after: 'unreached' },
          changes: [CUT_OFF],
        };
        break;
      case 'reached':
        yield { kind: 'won', url, agent: change.agent, before: 'unreached', after: null, changes: [] };
        break;
      default: {
        const { kind, agent } = change;
        const [old, now] = [change.readBefore(), change.readAfter()];
        yield { kind, url, agent, before: old.reason, after: now.reason, changes: describeChanges(old, now) };
      }
    }
  }
}

const CUT_OFF = 'no page that the crawler may fetch links to it any more, and no sitemap lists it';

/** Describes the loss of an indexable page that the later run does not contain. */
function describeLoss(url: string, agent: string, blocks: BlockFinder): RunChange {
  const lost = { kind: 'lost', url, agent, before: null } as const;
  const block = blocks.find(url, agent);
  return block === null
    ? { ...lost, after: 'missing', changes: [CUT_OFF] }
    : { ...lost, after: 'blocked', changes: [block.text] };
}

/** Yields the same differences with the records of both runs. */
export async function* compareRecords(before: RunStore, after: RunStore): AsyncGenerator<RecordChange> {
  const { agents, saysAppeared, saysDisappeared } = getComparable(before, after);
  const [old, now] = [new Side(before, agents), new Side(after, agents)];
  let [a, b] = [old.next(), now.next()];
  while (a !== undefined || b !== undefined) {
    const order = a === undefined ? 1 : b === undefined ? -1 : compareUrls(a.url, b.url);
    if (order === 0 && a !== undefined && b !== undefined)
      for (const agent of agents) {
        const change =
          compareUrl(old, a, now, b, agent) ??
          (saysAppeared && saysDisappeared ? compareReach(old, a, now, b, agent) : null);
        if (change !== null) yield change;
      }
    else if (order < 0 && a !== undefined) {
      if (saysDisappeared && isAudited(a)) yield old.describeOnly(a, 'disappeared');
    } else if (b !== undefined && saysAppeared && isAudited(b)) yield now.describeOnly(b, 'appeared');
    if (order <= 0) a = old.next();
    if (order >= 0) b = now.next();
    if (timeSlices.isUsedUp()) await timeSlices.giveWay();
  }
}

const getState = ({ state }: OrderedUrl): UrlState => STATES[state] as UrlState;
const isAudited = (row: OrderedUrl): boolean => getState(row) === 'fetched' || getState(row) === 'blocked';

function compareUrl(old: Side, a: OrderedUrl, now: Side, b: OrderedUrl, agent: string): RecordChange | null {
  const [was, is] = [old.reasons(a.key, agent), now.reasons(b.key, agent)];
  if (was === undefined || is === undefined) return null;
  const [before, after] = [unpackReasons(was)[0] ?? null, unpackReasons(is)[0] ?? null];
  if (before === after) return null;
  const kind = before === null ? 'lost' : after === null ? 'won' : 'changed';
  return {
    ...{ kind, url: a.url, agent },
    readBefore: () => old.report(a, agent),
    readAfter: () => now.report(b, agent),
  };
}

/** Compares whether the crawler reaches a URL that is indexable in both runs. */
function compareReach(
  old: Side,
  a: OrderedUrl,
  now: Side,
  b: OrderedUrl,
  agent: string,
): RecordChange | null {
  if (now.reasons(b.key, agent) !== 0) return null;
  const [was, is] = [old.isReached(a.key, agent), now.isReached(b.key, agent)];
  return was === is ? null : { kind: was ? 'cut-off' : 'reached', url: a.url, agent };
}

class Side {
  readonly #run: RunStore;
  readonly #reporter: UrlReporter;
  readonly #places: ReadonlyMap<string, number>;
  /** Crawlers and keys of indexable URLs that the crawlers do not reach. */
  readonly #unreached: Set<string> = new Set();
  #rows: OrderedUrl[] = [];
  #at = 0;
  #after = 0;

  constructor(run: RunStore, agents: readonly string[]) {
    this.#run = run;
    this.#reporter = new UrlReporter(run, 'without-links');
    this.#places = new Map(agents.map((agent) => [agent, this.#reporter.agents.indexOf(agent)]));
    run.rows.orderUrls();
    for (const place of this.#places.values())
      for (const key of run.findings.keysOf('not-reachable', place)) this.#unreached.add(`${place} ${key}`);
  }

  next(): OrderedUrl | undefined {
    if (this.#at === this.#rows.length) {
      this.#rows = this.#run.rows.orderedUrls(this.#after);
      this.#at = 0;
      this.#after = this.#rows.at(-1)?.place ?? this.#after;
    }
    return this.#rows[this.#at++];
  }

  reasons(key: number, agent: string): number | undefined {
    return this.#run.verdicts.get(key, this.#places.get(agent) as number)?.reasons;
  }

  /** Whether a crawler reaches an indexable URL. Findings say so about crawlers of search engines. */
  isReached(key: number, agent: string): boolean {
    return !this.#unreached.has(`${this.#places.get(agent)} ${key}`);
  }

  /** Describes a URL that the other run does not contain. */
  describeOnly(row: OrderedUrl, kind: 'appeared' | 'disappeared'): RecordChange {
    const indexableFor = [...this.#places.keys()].filter((agent) => this.reasons(row.key, agent) === 0);
    return { kind, url: row.url, state: getState(row), indexableFor };
  }

  report({ key }: OrderedUrl, agent: string): UrlReport {
    const url = this.#run.rows.record(key);
    if (url === undefined) throw new Error(`the run has lost the URL ${key}`);
    return this.#reporter.report(url, this.#places.get(agent) as number);
  }
}
