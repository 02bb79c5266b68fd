// Records of the catalogue: what is documented about each crawler. `crawlers.schema.json` describes the same as JSON Schema.
import { freezeDeep } from '../bytes/freeze.ts';
import type { Announcement } from '../crawler/policy-token.ts';

/**
 * Kinds of crawlers. `crawler`: visits pages on its own. `user-triggered-fetcher`: fetches a page because a user requests it.
 * `policy-token`: sends no requests, and decides how an operator may use pages. `software`: a program that anyone can run.
 */
export const CRAWLER_KINDS: readonly ['crawler', 'user-triggered-fetcher', 'policy-token', 'software'] =
  /* @__PURE__ */ freezeDeep(['crawler', 'user-triggered-fetcher', 'policy-token', 'software']);

/** A kind of crawlers. */
export type CrawlerKind = (typeof CRAWLER_KINDS)[number];

/** What pages are used for, and what each purpose means. Lists of crawlers by purpose have this order. */
export const PURPOSE_MEANINGS: {
  readonly search: string;
  readonly 'ai-train': string;
  readonly 'ai-input': string;
  readonly 'user-request': string;
  readonly preview: string;
  readonly feeds: string;
  readonly ads: string;
  readonly shopping: string;
  readonly seo: string;
  readonly 'site-tools': string;
  readonly monitoring: string;
  readonly security: string;
  readonly archive: string;
  readonly research: string;
  readonly 'data-sets': string;
  readonly plagiarism: string;
} = /* @__PURE__ */ freezeDeep({
  search: 'results of a search engine',
  'ai-train': 'training of AI models',
  'ai-input': 'answers of AI models',
  'user-request': 'a request of a user',
  preview: 'previews of links and pages',
  feeds: 'feeds and notifications',
  ads: 'advertising',
  shopping: 'products and prices',
  seo: 'search engine optimisation',
  'site-tools': 'tools for site owners',
  monitoring: 'availability and speed of sites',
  security: 'malware and abuse',
  archive: 'archives of the web',
  research: 'research',
  'data-sets': 'data that is sold or shared',
  plagiarism: 'copied texts',
});

/** What pages are used for. */
export type CrawlerPurpose = keyof typeof PURPOSE_MEANINGS;

/** All purposes, in the order of lists. */
export const CRAWLER_PURPOSES: readonly CrawlerPurpose[] = /* @__PURE__ */ freezeDeep(
  Object.keys(PURPOSE_MEANINGS) as CrawlerPurpose[],
);

/**
 * What is documented about robots.txt. `obeys`: the own group, else that for `*`. `own-group-only`: not the group for `*`.
 * `may-ignore`: not in all cases. `ignores`: never obeys it.
 */
export const ROBOTS_TXT_BEHAVIORS: readonly [
  'obeys',
  'own-group-only',
  'may-ignore',
  'ignores',
  'undocumented',
] = /* @__PURE__ */ freezeDeep(['obeys', 'own-group-only', 'may-ignore', 'ignores', 'undocumented']);

/** What is documented about a crawler and robots.txt. */
export type RobotsTxtBehavior = (typeof ROBOTS_TXT_BEHAVIORS)[number];

/**
 * Kinds of sources. `operator`: a page of the operator. `copy`: the page at this address was read in a copy or in quotations.
 * `third-party`: a page or list of others.
 */
export const SOURCE_KINDS: readonly ['operator', 'copy', 'third-party'] = /* @__PURE__ */ freezeDeep([
  'operator',
  'copy',
  'third-party',
]);

/** Where facts about a crawler are from. */
export interface CrawlerSource {
  /** Address of the page. */
  readonly url: string;
  readonly kind: (typeof SOURCE_KINDS)[number];
  /** When it was looked up: a year, month or day (`2026-11-23`). */
  readonly date: string;
}

/** What is documented about a crawler. */
export interface CrawlerRecord {
  /** The name in user-agent lines: letters, digits, `_`, `-` and `.`. */
  readonly token: string;
  /** The name in reports, if it differs from the token. */
  readonly name?: string;
  /** The organisation that runs it; for software the one that publishes it. */
  readonly operator: string;
  readonly kind: CrawlerKind;
  /** What the pages are used for, the main purpose first. Empty: not documented. */
  readonly purposes: readonly CrawlerPurpose[];
  /** What the first source says about robots.txt. */
  readonly robotsTxt: RobotsTxtBehavior;
  /** One sentence. */
  readonly description: string;
  /** Tokens whose groups apply if no group names the token, in order. */
  readonly fallbacks?: readonly string[];
  /** Of a policy token: the tokens of the crawlers whose pages it is about. Omitted: all crawlers. */
  readonly governs?: readonly string[];
  /** The name in User-Agent headers, if it differs from the token; `null` if no request has it. */
  readonly header?: string | null;
  /** The operator does not use the token any more. `since` is a year, month or day, or `null` if it is unknown. */
  readonly retired?: { readonly since: string | null };
  /** Of a policy token that no operator honours yet: who announced that it intends to. */
  readonly announced?: readonly Announcement[];
  /** URL of the page on which the operator says that the crawler runs the scripts of pages. */
  readonly runsScripts?: string;
  /** The position in `CRAWLERS` of `@maycrawl/core`, from 1; other records are not in it. */
  readonly rank?: number;
  /** The most important source first. Empty: no source was found. */
  readonly sources: readonly CrawlerSource[];
}
