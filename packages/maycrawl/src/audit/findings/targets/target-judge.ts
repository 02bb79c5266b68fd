// What becomes of a crawler that follows a redirect or a canonical.
import type { Observation, Reason } from '@maycrawl/core/indexability';
import { LRUCache } from 'lru-cache';
import type { EvidenceReader } from '../../judge/evidence.ts';
import type { Page } from '../../run/records/page.ts';
import type { RunStore } from '../../run/run-store.ts';

export interface TargetResult {
  /** `indexable`, the primary reason why it is not, or `unknown` if it was not fetched. */
  readonly kind: 'indexable' | 'unknown' | Reason;
  /** The status of an error, or the code of a failure; otherwise `null`. */
  readonly detail: string | null;
  /** Whether it is out of the scope of the audit. */
  readonly isOutside: boolean;
  /** The URLs to which the target redirects, in their order. */
  readonly redirects: readonly string[];
  /** The other URL that the target names as its canonical; `null` if it names none. */
  readonly canonical: string | null;
}

const UNREACHABLE = 'its robots.txt is unreachable';

/** Number of cached results: many redirects lead to the same few URLs. */
const MAX_RESULTS = 5_000;

/** Judges targets by the pages of a run. */
export class TargetJudge {
  readonly #run: RunStore;
  readonly #reader: EvidenceReader;
  readonly #results: LRUCache<string, TargetResult> = new LRUCache({ max: MAX_RESULTS });

  constructor(run: RunStore, reader: EvidenceReader) {
    this.#run = run;
    this.#reader = reader;
  }

  /** @param url - in its stored form. @param agent - index of the crawler. */
  judge(url: string, agent: number): TargetResult {
    const cacheKey = `${agent} ${url}`;
    const known = this.#results.get(cacheKey);
    if (known !== undefined) return known;
    const result = this.#read(url, agent);
    this.#results.set(cacheKey, result);
    return result;
  }

  #read(url: string, agent: number): TargetResult {
    const key = this.#run.findKey(url);
    const record = key === undefined ? undefined : this.#run.rows.record(key);
    // A URL that was not stored belongs to a page with too many links.
    if (record === undefined) return toUnknown(false);
    const isOutside = record.state === 'outside';
    const evidence = this.#reader.targetEvidence(record, agent);
    if (evidence.kind === 'unjudged') return toUnknown(isOutside);
    const { crawl, verdict, status, page, redirects, canonical } = evidence;
    // Nothing was fetched from such a site.
    if (crawl.reason === 'unreachable') return toUnknown(isOutside, UNREACHABLE);
    if (verdict.indexable)
      return { kind: 'indexable', detail: null, isOutside, redirects: [], canonical: null };
    const { reason } = verdict;
    const steps = redirects.kind === 'seen' ? redirects.value.flatMap(({ to }) => to ?? []) : [];
    const other = canonical.kind === 'seen' && canonical.value.kind === 'other' ? canonical.value.url : null;
    const detail = describeError(reason, status, page);
    return { kind: reason, detail, isOutside, redirects: steps, canonical: other };
  }
}

function toUnknown(isOutside: boolean, detail: string | null = null): TargetResult {
  return { kind: 'unknown', detail, isOutside, redirects: [], canonical: null };
}

function describeError(reason: Reason, status: Observation<number>, page: Page | null): string | null {
  if (reason === 'unreachable') return page?.outcome.kind === 'failure' ? page.outcome.code : null;
  const isError = reason === 'error' || reason === 'not-found';
  return isError && status.kind === 'seen' ? String(status.value) : null;
}

/** A kind of findings, with the results at the end of a redirect or a canonical that belong to it. */
interface KindOfEnd {
  readonly severity: string;
  readonly end?: readonly string[];
}

/** Returns the kind of findings for a result at the end of a redirect or a canonical; `undefined` if the result is no finding. */
export function findKindOfEnd<Code extends string>(
  kinds: Readonly<Record<Code, KindOfEnd>>,
  result: TargetResult['kind'],
): Code | undefined {
  const entries = Object.entries(kinds) as [Code, KindOfEnd][];
  return entries.find(([, { end }]) => end?.includes(result))?.[0];
}
