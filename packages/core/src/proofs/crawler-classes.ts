// The crawlers for which files can differ, by class: crawlers with the same groups are compared once.
import { freezeDeep } from '../bytes/freeze.ts';
import { CRAWLERS } from '../crawler/catalogue.ts';
import { type CrawlerInput, createCrawler, GLOBAL_CRAWLER } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import { GroupIndex } from './group-index.ts';

/** A crawler and its name: a product token, a name of the catalogue, or `*` for all others. */
export interface NamedCrawler {
  /** `token:` and a product token if the catalogue has a crawler of that name and only the bare token is meant. */
  readonly name: string;
  readonly crawler: CrawlerInput;
}

/** The name of the crawler that represents all crawlers that no file names. */
export const ANY_OTHER_CRAWLER = '*';

/**
 * Lists every crawler for which files can differ: the agents that they name, the crawlers of the catalogue,
 * and any other.
 *
 * The token of a catalogue crawler has an entry of its own if the bare token selects other groups than the
 * crawler with its fallbacks.
 */
export function listCrawlers(files: readonly RobotsTxt[]): NamedCrawler[] {
  return listIndexedCrawlers(files.map((file) => new GroupIndex(file)));
}

const LISTED: readonly NamedCrawler[] = /* @__PURE__ */ freezeDeep(
  CRAWLERS.map((crawler) => ({ name: crawler.name, crawler })),
);
/** Catalogue crawlers by name and first token, in lower case. */
const BY_NAME: ReadonlyMap<string, NamedCrawler> = /* @__PURE__ */ new Map(
  LISTED.flatMap((each) => {
    const { name, tokens } = each.crawler as (typeof CRAWLERS)[number];
    return [name, tokens[0] ?? name].map((key) => [key.toLowerCase(), each] as const);
  }),
);

/** Like {@link listCrawlers}, from existing indexes. */
export function listIndexedCrawlers(files: readonly GroupIndex[]): NamedCrawler[] {
  const named = new Map<string, NamedCrawler>();
  for (const {
    agents: { tokens, extendedTokens },
  } of files) {
    for (const [key, name] of [...tokens, ...extendedTokens]) {
      if (named.has(key)) continue;
      const listed = BY_NAME.get(key);
      const crawler = createCrawler(name);
      if (listed === undefined) named.set(key, { name, crawler });
      else if (!files.every((file) => selectSameGroups(file, listed.crawler, crawler)))
        named.set(key, { name: `token:${name}`, crawler });
    }
  }
  return [{ name: ANY_OTHER_CRAWLER, crawler: GLOBAL_CRAWLER }, ...named.values(), ...LISTED];
}

function selectSameGroups(file: GroupIndex, first: CrawlerInput, second: CrawlerInput): boolean {
  return file.findGroups(first).join(' ') === file.findGroups(second).join(' ');
}

/**
 * Checks what is compared.
 *
 * @throws {RangeError} if the profiles differ, or the list of crawlers is empty.
 */
export function requireComparable(
  before: { readonly profile: Profile },
  after: { readonly profile: Profile },
  crawlers?: readonly NamedCrawler[],
): void {
  if (before.profile !== after.profile) throw new RangeError('the files have different profiles');
  if (crawlers?.length === 0) throw new RangeError('the list of crawlers is empty');
}

/** Crawlers that read the same in both files. */
export interface CrawlerClass<Selection> {
  readonly crawlers: NamedCrawler[];
  readonly selection: Selection;
}

/**
 * Classifies crawlers.
 *
 * @param select - returns what a crawler reads, and a key that is equal for crawlers that read the same.
 */
export function classifyCrawlers<Selection>(
  crawlers: readonly NamedCrawler[],
  select: (crawler: NamedCrawler) => { readonly selection: Selection; readonly key: string },
): CrawlerClass<Selection>[] {
  const classes = new Map<string, CrawlerClass<Selection>>();
  for (const named of crawlers) {
    const { selection, key } = select(named);
    const known = classes.get(key);
    if (known === undefined) classes.set(key, { crawlers: [named], selection });
    else known.crawlers.push(named);
  }
  return [...classes.values()];
}

const FIRST_SHARE = 1 / 4;

/**
 * Compares classes, each with a share of the remaining budget, and repeats those without a result, each with all that remains.
 *
 * @param compare - compares a class within a share of the budget.
 */
export function compareClasses<Selection, Result>(
  classes: readonly CrawlerClass<Selection>[],
  compare: (crawlers: CrawlerClass<Selection>, share: number) => Result,
  isUndecided: (result: Result) => boolean,
): Result[] {
  return classes
    .map((each) => ({ each, result: compare(each, FIRST_SHARE) }))
    .map(({ each, result }) => (isUndecided(result) ? compare(each, 1) : result));
}

/** Whether compared files are equivalent; `null` if no change was found, but a class is undecided. */
export function combineResults(hasChanges: boolean, isUndecided: boolean): boolean | null {
  if (hasChanges) return false;
  return isUndecided ? null : true;
}
