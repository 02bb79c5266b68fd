// How far a refusal reaches: which crawlers may still fetch pages, and who promised to honour the formats that state it.

import type { PolicyToken } from '../../crawler/policy-token.ts';
import { toDocumentedCrawler } from '../../crawlers/entries.ts';
import type { CrawlerRecord } from '../../crawlers/record.ts';
import { findTotalDisallow, hasEffectiveAllow } from '../../matching/total-patterns.ts';
import type { RobotsTxt } from '../../model/robots-txt.ts';
import { RulesetCache } from '../../model/ruleset-cache.ts';
import type { Rule } from '../../syntax/record.ts';
import { POLICY_TOKENS } from '../policy-token-data.ts';
import type { WritableFormat } from '../set/set-preferences.ts';
import { describePromises, listPromises, type PreferencePromise } from './promises.ts';

/** How far a refusal reaches. */
export interface RefusalReach {
  /** The crawlers with a refused purpose that may fetch a URL, the best known first. */
  readonly mayFetch: readonly Pick<CrawlerRecord, 'token' | 'operator' | 'purposes' | 'robotsTxt'>[];
  /** Who promised to honour a written format, or intends to. */
  readonly promises: readonly PreferencePromise[];
  /** The written formats that no operator is known to honour, or to intend to. */
  readonly unpromised: readonly WritableFormat[];
}

/** What a refusal is about, and how it is written. */
export interface Refusal {
  /** The refused purposes. */
  readonly purposes: readonly string[];
  /** The formats that state the refusal. */
  readonly formats: readonly WritableFormat[];
  /** The policy tokens that are written. @defaultValue `POLICY_TOKENS` */
  readonly policyTokens?: readonly PolicyToken[];
}

/**
 * Finds which crawlers may still fetch pages although their purpose is refused, and who promised to honour the refusal.
 *
 * @param robots - the file with the refusal.
 * @param records - the known crawlers: `CRAWLER_RECORDS` of `@maycrawl/core/crawlers`.
 */
export function findRefusalReach(
  robots: RobotsTxt,
  { purposes, formats, policyTokens = POLICY_TOKENS }: Refusal,
  records: readonly CrawlerRecord[],
): RefusalReach {
  const isAbout = (list: readonly string[]): boolean => list.some((purpose) => purposes.includes(purpose));
  const crawlers = records.filter(
    (record) => record.kind !== 'policy-token' && record.retired === undefined && isAbout(record.purposes),
  );
  const promises = listPromises(policyTokens).filter(
    (promise) => isAbout(promise.purposes) && formats.some((format) => format === getFormat(promise)),
  );
  return {
    mayFetch: selectAllowed(robots, crawlers)
      .toSorted((a, b) => (a.rank ?? Number.MAX_VALUE) - (b.rank ?? Number.MAX_VALUE))
      .map(({ token, operator, purposes: all, robotsTxt }) => ({
        token,
        operator,
        purposes: all,
        robotsTxt,
      })),
    promises,
    unpromised: formats.filter((format) => !promises.some((promise) => format === getFormat(promise))),
  };
}

function getFormat({ format, status }: PreferencePromise): string {
  return format === 'policy-token' && status === 'announced' ? 'usage-token' : format;
}

/** Selects the crawlers that may fetch a URL besides robots.txt. */
function selectAllowed(robots: RobotsTxt, records: readonly CrawlerRecord[]): CrawlerRecord[] {
  const rulesets = new RulesetCache(robots);
  const rules = new Map(robots.groups().flatMap((group) => group.rules.map((rule) => [rule.line, rule])));
  const isBlockedByGroup = new Map<string, boolean>();
  return records.filter((record) => {
    const crawler = toDocumentedCrawler(record);
    const key = rulesets.getGroupKey(crawler);
    const known = isBlockedByGroup.get(key);
    if (known !== undefined) return !known;
    const lines = rulesets.get(crawler).ruleLines;
    const own = lines.map((line) => rules.get(line)).filter((rule): rule is Rule => rule !== undefined);
    const isBlocked =
      findTotalDisallow(own, robots.profile) !== undefined && !hasEffectiveAllow(own, robots.profile);
    isBlockedByGroup.set(key, isBlocked);
    return !isBlocked;
  });
}

/** Crawlers that a text names. */
const MAX_NAMES = 8;

/** Describes how far a refusal reaches, in English sentences. */
export function describeRefusalReach(
  { mayFetch, promises, unpromised }: RefusalReach,
  purposes: readonly string[],
): string[] {
  const names = mayFetch.slice(0, MAX_NAMES).map(({ token, operator }) => `${token} (${operator})`);
  const rest = mayFetch.length - names.length;
  const list = `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const what = purposes.join(' or ');
  return [
    mayFetch.length === 0
      ? `A refusal is a request, not a barrier. The rules of the file keep all known crawlers for ${what} away.`
      : `A refusal is a request, not a barrier: these crawlers for ${what} may still fetch pages: ${list}. To keep one away, disallow it by name.`,
    ...describePromises(promises, unpromised),
  ];
}
