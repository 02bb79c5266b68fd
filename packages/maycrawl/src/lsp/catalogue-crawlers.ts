// The crawlers of the catalogue in a file: which of them obey a group (section 2 of docs/matching.md).
import type { Group } from '@maycrawl/core';
import {
  CRAWLER_RECORDS,
  type CrawlerRecord,
  type DocumentedCrawler,
  toDocumentedCrawler,
} from '@maycrawl/core/crawlers';

/** The crawlers that send requests or state preferences by robots.txt, the best known first. */
let crawlers: readonly DocumentedCrawler[] | undefined;

function listCrawlers(): readonly DocumentedCrawler[] {
  crawlers ??= rankRecords().map(toDocumentedCrawler);
  return crawlers;
}

/** All records, the best known first, then by token. */
export function rankRecords(): CrawlerRecord[] {
  const getRank = ({ rank = Number.POSITIVE_INFINITY }: CrawlerRecord): number => rank;
  return [...CRAWLER_RECORDS].sort((a, b) =>
    getRank(a) < getRank(b) ? -1 : Number(getRank(a) > getRank(b)),
  );
}

/** Finds the record of a token, regardless of case. */
export function findRecordOfToken(...tokens: readonly string[]): CrawlerRecord | undefined {
  const lower = tokens.map((token) => token.toLowerCase());
  return CRAWLER_RECORDS.find(({ token }) => lower.includes(token.toLowerCase()));
}

/** The crawlers of the catalogue and a group. */
export interface GroupCrawlers {
  /** Names of those that obey the group, the best known first. */
  readonly obeying: readonly string[];
  /** Of a group for `*`, the names of those that have no group of their own, and obey none for `*`. */
  readonly exempt: readonly string[];
}

/** Lists the crawlers of the catalogue that obey a group of a file. */
export function listGroupCrawlers(groups: readonly Group[], group: Group): GroupCrawlers {
  const named = new Set(groups.flatMap(listTokens));
  const own = new Set(listTokens(group));
  const isGlobal = own.has('*');
  const obeying: string[] = [];
  const exempt: string[] = [];
  for (const { name, tokens, obeys } of listCrawlers()) {
    const chosen = tokens.map((token) => token.toLowerCase()).find((token) => named.has(token));
    if (chosen !== undefined ? own.has(chosen) : isGlobal && obeys === 'rules') obeying.push(name);
    else if (chosen === undefined && isGlobal) exempt.push(name);
  }
  return { obeying, exempt };
}

/** The tokens of the user-agent lines of a group. A value such as `MJ12bot` names both `mj` and `mj12bot`. */
function listTokens({ userAgents }: Group): string[] {
  return userAgents.flatMap(({ productToken, extendedToken }) =>
    productToken === extendedToken ? [productToken] : [productToken, extendedToken],
  );
}

/** Finds the group in which a record stands; `undefined` before the first user-agent line, and for a sitemap. */
export function findGroup(groups: readonly Group[], line: number): Group | undefined {
  return groups.find(({ userAgents, rules, others }) =>
    [userAgents, rules, others].some((records) => records.some((record) => record.line === line)),
  );
}
