// The catalogue of crawlers as the dialog shows it: by main purpose, with notes.
import type { CrawlerRecord, DocumentedCrawler } from '@maycrawl/core/crawlers';
import { capitalize } from '../../shared/text.ts';

export interface ListedCrawler {
  /** The name in the matrix. */
  readonly name: string;
  /** What a user should know when choosing it: how it treats robots.txt, and its operator. */
  readonly notes: readonly string[];
  readonly description: string;
  /** Whether it is a policy token: a name for rules, without requests. */
  readonly isPolicyToken: boolean;
  /** Names and operator in lower case. */
  readonly searchText: string;
}

/** The crawlers of a main purpose. */
export interface PurposeGroup {
  /** The purpose; empty for crawlers without a documented one. */
  readonly purpose: string;
  readonly title: string;
  /** The best known crawlers, for which verdicts have fallbacks. */
  readonly common: readonly ListedCrawler[];
  readonly others: readonly ListedCrawler[];
}

type Catalogue = typeof import('@maycrawl/core/crawlers');

/** Groups all crawlers by their main purposes, given the exports of `@maycrawl/core/crawlers`. */
export function createCatalogue(catalogue: Catalogue): PurposeGroup[] {
  const { CRAWLER_RECORDS, groupByPurpose, PURPOSE_MEANINGS, toDocumentedCrawler } = catalogue;
  const toListed = (record: CrawlerRecord): ListedCrawler => toListedCrawler(toDocumentedCrawler(record));
  const isCommon = ({ rank }: CrawlerRecord): boolean => rank !== undefined;
  return [...groupByPurpose(CRAWLER_RECORDS)].map(([purpose, records]) => ({
    purpose: purpose ?? '',
    title: purpose === null ? 'No documented purpose' : capitalize(PURPOSE_MEANINGS[purpose]),
    common: records
      .filter(isCommon)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
      .map(toListed),
    others: records.filter((record) => !isCommon(record)).map(toListed),
  }));
}

/** Returns the crawlers whose names or operators contain a text, regardless of case. Groups without such a crawler are omitted. */
export function findCrawlers(groups: readonly PurposeGroup[], text: string): PurposeGroup[] {
  const wanted = text.trim().toLowerCase();
  const find = (list: readonly ListedCrawler[]): ListedCrawler[] =>
    list.filter(({ searchText }) => searchText.includes(wanted));
  return groups
    .map((group) => ({ ...group, common: find(group.common), others: find(group.others) }))
    .filter(({ common, others }) => common.length + others.length > 0);
}

function toListedCrawler(crawler: DocumentedCrawler): ListedCrawler {
  const { name, token, tokens, operator, kind, retired, description } = crawler;
  const isPolicyToken = kind === 'policy-token';
  const notes = [
    describeRules(crawler),
    tokens.length > 1 && `else ${tokens.slice(1).join(', ')}`,
    isPolicyToken && 'sends no requests',
    retired !== undefined && 'retired',
    operator,
  ].filter((note) => typeof note === 'string');
  const searchText = `${name} ${token} ${operator}`.toLowerCase();
  return { name, notes, description, isPolicyToken, searchText };
}

/** Describes how a crawler treats robots.txt, if that is special: first what verdicts apply, then what is documented. */
function describeRules({ obeys, robotsTxt }: DocumentedCrawler): string | null {
  if (obeys === 'own-rules') return 'obeys only its own group';
  if (obeys === 'nothing') return 'ignores robots.txt';
  switch (robotsTxt) {
    case 'own-group-only':
      return 'may ignore the group for *';
    case 'may-ignore':
      return 'may ignore robots.txt';
    case 'ignores':
      return 'is reported to ignore robots.txt';
    default:
      return null;
  }
}
