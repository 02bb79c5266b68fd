// Conversion of records to crawlers that decisions can use, and selection of records.
import { checkOptions } from '../bytes/check-options.ts';
import type { CatalogueEntry } from '../crawler/catalogue.ts';
import type { PolicyToken } from '../crawler/policy-token.ts';
import { CRAWLER_PURPOSES, type CrawlerKind, type CrawlerPurpose, type CrawlerRecord } from './record.ts';

/** A record, and the crawler that verdicts are for. */
export interface DocumentedCrawler
  extends Omit<CatalogueEntry, 'source'>,
    Omit<CrawlerRecord, 'name' | 'operator' | 'header' | 'rank'> {
  /** URL of the first source; `null` if no source was found. */
  readonly source: string | null;
}

/**
 * Converts a record to the crawler that `resolveAgent` returns for its token. Only crawlers of `CRAWLERS` have fallbacks, and ignore
 * `*` or robots.txt in verdicts, and only if their operator says so: what others report about a crawler does not change a verdict.
 */
export function toDocumentedCrawler(record: CrawlerRecord): DocumentedCrawler {
  const { name, header, rank, ...rest } = record;
  const { token, fallbacks = [], sources } = record;
  return {
    name: name ?? token,
    ...rest,
    header: header === undefined ? token : header,
    source: sources[0]?.url ?? null,
    ...(rank === undefined ? { tokens: [token], obeys: 'rules' } : getRules(record, [token, ...fallbacks])),
  };
}

function getRules(
  { robotsTxt, sources }: CrawlerRecord,
  tokens: readonly string[],
): Pick<CatalogueEntry, 'tokens' | 'obeys'> {
  const isOfficial = sources[0] !== undefined && sources[0].kind !== 'third-party';
  if (isOfficial && robotsTxt === 'ignores') return { tokens: [], obeys: 'nothing' };
  return { tokens, obeys: isOfficial && robotsTxt === 'own-group-only' ? 'own-rules' : 'rules' };
}

/** Converts a record of a policy token to what `readPreferences` reads. */
export function toPolicyToken(record: CrawlerRecord): PolicyToken {
  const { token, operator, purposes, governs, robotsTxt, announced, sources } = record;
  const [source] = sources;
  return {
    ...{ token, operator, governs: governs ?? null, purposes },
    source: source?.url ?? null,
    checked: source?.date ?? null,
    ...(robotsTxt === 'own-group-only' && { obeysGlobal: false }),
    ...(announced && { announced }),
  };
}

/** What to select. An omitted property selects all records. */
export interface CrawlerFilter {
  /** Records with one of these purposes. */
  readonly purposes?: readonly CrawlerPurpose[];
  /** Records of one of these kinds. */
  readonly kinds?: readonly CrawlerKind[];
  /** The name of the operator, regardless of case. */
  readonly operator?: string;
}

/** Selects records that have all properties of a filter. */
export function selectCrawlers(records: readonly CrawlerRecord[], filter: CrawlerFilter): CrawlerRecord[] {
  checkOptions<CrawlerFilter>('selectCrawlers', filter, {
    purposes: 'array',
    kinds: 'array',
    operator: 'string',
  });
  const { purposes, kinds, operator } = filter;
  return records.filter(
    (record) =>
      (purposes?.some((each) => record.purposes.includes(each)) ?? true) &&
      (kinds?.includes(record.kind) ?? true) &&
      (operator === undefined || record.operator.toLowerCase() === operator.toLowerCase()),
  );
}

/** Adds records to others. A record with the token of an earlier one, regardless of case, replaces it. */
export function addCrawlers(
  records: readonly CrawlerRecord[],
  added: readonly CrawlerRecord[],
): CrawlerRecord[] {
  const byToken = new Map(records.map((record) => [record.token.toLowerCase(), record]));
  for (const record of added) byToken.set(record.token.toLowerCase(), record);
  return [...byToken.values()];
}

/** Groups records by their main purpose, in the order of {@link CRAWLER_PURPOSES}. Those without a purpose are last, under `null`. */
export function groupByPurpose(
  records: readonly CrawlerRecord[],
): ReadonlyMap<CrawlerPurpose | null, readonly CrawlerRecord[]> {
  const groups = new Map<CrawlerPurpose | null, CrawlerRecord[]>(
    [...CRAWLER_PURPOSES, null].map((purpose) => [purpose, []]),
  );
  for (const record of records) groups.get(record.purposes[0] ?? null)?.push(record);
  for (const [purpose, members] of groups) if (members.length === 0) groups.delete(purpose);
  return groups;
}
