// Rows of URLs and pages, and their conversion.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import type { Page, PageOutcome, StoredFacts } from '../records/page.ts';
import { STATES, type StoredUrl, TARGET_REASON, type UrlState, type Waiting } from '../records/url.ts';

/** The stored depth of URLs without a path from a start: greater than all others. */
export const NO_DEPTH: number = 2 ** 31 - 1;

export interface UrlRow {
  readonly key: number;
  readonly url: string;
  readonly state: number;
  readonly depth: number;
  readonly hops: number;
  readonly tries: number;
  readonly start: number;
  readonly reason: string | null;
}

/** A row of a page, without its links. */
export interface PageRow {
  readonly key: number;
  readonly at: number;
  readonly milliseconds: number;
  readonly bytes: number;
  readonly status: number | null;
  readonly digest: string | null;
  readonly facts: string;
}

/** Converts a state to its number in the tables. */
export function toStateNumber(state: UrlState): number {
  return STATES.indexOf(state);
}

/** Returns the stored depth of the links of a page. */
export function getNextDepth(depth: number | null): number {
  return depth === null ? NO_DEPTH : depth + 1;
}

/** Converts the row of a waiting URL. */
export function toWaiting({ key, url, depth, hops, tries, reason }: UrlRow): Waiting {
  return { key, url, depth: toDepth(depth), hops, tries, isTarget: reason === TARGET_REASON };
}

/** Converts the row of a URL. */
export function toStoredUrl({
  key,
  url,
  state,
  depth,
  start,
  reason,
}: Omit<UrlRow, 'hops' | 'tries'>): StoredUrl {
  return {
    key,
    url,
    state: STATES[state] as UrlState,
    depth: toDepth(depth),
    isStart: start === 1,
    stateReason: reason,
  };
}

/** Converts the row of a page. @param facts - those of the row, which may have been read separately. */
export function toPage(
  { key, at, milliseconds, bytes, status, digest }: Omit<PageRow, 'facts'>,
  facts: string,
): Page {
  const stored: unknown = JSON.parse(facts);
  const outcome: PageOutcome =
    status === null
      ? { kind: 'failure', ...(stored as { code: string; detail: string }) }
      : { kind: 'page', facts: stored as StoredFacts, digest };
  return { key, at, milliseconds, bytes, outcome };
}

/** Converts a result to columns: status, type, title, digest and facts. */
export function toOutcomeColumns(
  outcome: PageOutcome,
): readonly [number | null, string | null, string | null, string | null, string] {
  if (outcome.kind === 'failure') {
    const { code, detail } = outcome;
    return [null, null, null, null, JSON.stringify({ code, detail })];
  }
  const { facts, digest } = outcome;
  return [facts.status, facts.type, facts.title, digest, JSON.stringify(facts)];
}

/** Returns the number that a statement selects as `count`. */
export function readCount(database: SqliteDatabase, text: string): number {
  return database.get<{ readonly count: number }>(text)?.count ?? 0;
}

/** Converts a stored depth. */
export function toDepth(depth: number): number | null {
  return depth === NO_DEPTH ? null : depth;
}
