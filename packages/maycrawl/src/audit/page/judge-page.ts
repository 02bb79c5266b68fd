// Reads the response of one URL and judges it for several crawlers. The result is small whatever the page is, so that a thread can do it.
import type { CrawlerInput } from '@maycrawl/core';
import {
  combineDirectives,
  decideCanonical,
  evaluatePage,
  type PageFacts,
  type PageResource,
  type PageSubject,
  type Reason,
  type RobotsStatement,
} from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/internal';
import type { PageJson } from '../../api/page-api.ts';
import { type ReadPage, readPage } from '../../html/read-page.ts';
import { describeIgnored } from '../findings/targets/canonicals.ts';
import { listUseStatements } from './use-statements.ts';

/** Items of each list in a result; a hostile page can have a hundred thousand. */
const MAX_ITEMS = 100;
/** Statements in the result of one crawler, of which there can be many. */
const MAX_NOINDEX = 10;
/** Resources in a result, and characters of their URLs together: each is decided for each crawler. */
const MAX_RESOURCES = 500;
const MAX_RESOURCE_CHARS = 500_000;
/** Characters of a text that the page has. URLs are longer than texts. */
const MAX_TEXT = 1_000;
export const MAX_URL = 8_192;

/** A crawler, and whether robots.txt allows it to fetch the URL. */
interface CrawlerOfPage {
  readonly name: string;
  readonly crawler: CrawlerInput;
  readonly crawl: PageSubject['crawl'];
}

/** A response, and the crawlers to judge it for. */
export interface PageTask {
  readonly url: string;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  readonly crawlers: readonly CrawlerOfPage[];
  /** Milliseconds since 1970: `unavailable_after` may have passed. */
  readonly now: number;
}

/** A page for one crawler. */
export interface JudgedForCrawler {
  readonly reasons: readonly Reason[];
  readonly maskedReasons: readonly Reason[];
  /** The statements that forbid the crawler to index the page, whether it can see them or not. */
  readonly noindex: readonly PageJson<'Statement'>[];
}

/** What was read of a response. */
export interface JudgedPage {
  readonly type: string | null;
  /** As long as the header: it is requested. */
  readonly location: string | null;
  /** Whether all of the page was read. */
  readonly isWhole: boolean;
  readonly page: PageJson<'Page'>;
  readonly resources: { readonly total: number; readonly first: readonly PageResource[] };
  readonly crawlers: readonly JudgedForCrawler[];
}

/** Judges a response. @throws {RangeError} if its URL is no http or https URL. */
export function judgePage({ body, crawlers, now, ...response }: PageTask): JudgedPage {
  const facts = readPage(response, body);
  const resources = getDistinct(facts.resources);
  const forbidding = crawlers.map(({ crawler }) => findForbidding(facts.robots, crawler, now));
  return {
    type: facts.type === null ? null : truncate(facts.type, MAX_TEXT),
    location: facts.location,
    isWhole: !facts.isTruncated,
    page: summarize(facts, crawlers, forbidding),
    resources: { total: resources.length, first: getFirst(resources) },
    crawlers: crawlers.map((each, index) =>
      judgeForCrawler(facts, each, forbidding[index] as ReadonlySet<RobotsStatement>, now),
    ),
  };
}

/** A page can name a resource many times. */
function getDistinct(resources: readonly PageResource[]): PageResource[] {
  return [...new Map(resources.map((each) => [`${each.kind} ${each.url}`, each])).values()];
}

/** Returns the first resources, as many as a result has. */
function getFirst(resources: readonly PageResource[]): PageResource[] {
  const first: PageResource[] = [];
  let chars = 0;
  for (const resource of resources) {
    chars += resource.url.length;
    if (first.length === MAX_RESOURCES || chars > MAX_RESOURCE_CHARS) break;
    first.push(resource);
  }
  return first;
}

function findForbidding(
  robots: readonly RobotsStatement[],
  crawler: CrawlerInput,
  now: number,
): ReadonlySet<RobotsStatement> {
  return new Set(combineDirectives(robots, crawler, now).noindex.map(({ statement }) => statement));
}

function judgeForCrawler(
  facts: PageFacts,
  { crawler, crawl }: CrawlerOfPage,
  forbidding: ReadonlySet<RobotsStatement>,
  now: number,
): JudgedForCrawler {
  const outcome = { kind: 'page', page: facts, redirects: [] } as const;
  const subject = { url: facts.url, sitemaps: [], found: [], depth: null, crawl, outcome } as PageSubject;
  const { verdict, maskedReasons } = evaluatePage(subject, crawler, now);
  const noindex = [...forbidding].slice(0, MAX_NOINDEX).map((statement) => ({
    ...toStatement(statement),
    isDatePassed: !statement.directives.some(({ kind }) => kind === 'noindex' || kind === 'none'),
  }));
  return { reasons: verdict.indexable ? [] : verdict.reasons, maskedReasons, noindex };
}

function toStatement({ from, agent, text }: RobotsStatement): Omit<PageJson<'Statement'>, 'isDatePassed'> {
  return { from, agent: agent === null ? null : truncate(agent, MAX_TEXT), text: truncate(text, MAX_TEXT) };
}

function summarize(
  facts: ReadPage,
  crawlers: readonly CrawlerOfPage[],
  forbidding: readonly ReadonlySet<RobotsStatement>[],
): PageJson<'Page'> {
  const { url, title, robots, canonicals, alternates, refresh, isTruncated } = facts;
  const canonical = decideCanonical(url, canonicals);
  const counted = canonical.statements.flatMap((each) => (each.ignored === null ? (each.url ?? []) : []));
  const use = listUseStatements(facts.preferences, { maxText: MAX_TEXT, maxItems: MAX_ITEMS + 1 });
  const lists = [robots, canonicals, alternates, use];
  return {
    url,
    title: title === null ? null : truncate(title, MAX_TEXT),
    robots: robots.slice(0, MAX_ITEMS).map((statement) => ({
      ...toStatement(statement),
      noindexFor: crawlers.flatMap(({ name }, index) => (forbidding[index]?.has(statement) ? name : [])),
    })),
    canonical: {
      kind: canonical.kind,
      urls: [...new Set(counted)].slice(0, MAX_ITEMS).map((each) => truncate(each, MAX_URL)),
      statements: canonical.statements.slice(0, MAX_ITEMS).map((statement) => ({
        from: statement.from,
        href: truncate(statement.href, MAX_URL),
        url: statement.url === null ? null : truncate(statement.url, MAX_URL),
        ignored: statement.ignored === null ? null : describeIgnored(statement),
      })),
    },
    alternates: alternates
      .slice(0, MAX_ITEMS)
      .map((each) => ({ hreflang: truncate(each.hreflang, MAX_TEXT), url: truncate(each.url, MAX_URL) })),
    use: use.slice(0, MAX_ITEMS),
    refresh: refresh === null ? null : truncate(refresh.url ?? url, MAX_URL),
    refreshAfter: refresh?.delay ?? null,
    isTruncated: isTruncated || lists.some(({ length }) => length > MAX_ITEMS),
  };
}
