/**
 * Comparing two files: for which URLs does the verdict change? An exact answer, not one from samples (docs/proofs.md).
 *
 * @module
 */
import { CRAWLERS } from '../crawler/catalogue.ts';
import { type CrawlerLike, type ResolvedCrawler, UNNAMED_CRAWLER } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { NONE } from '../matching/rule-table.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import { getCompiledRules, type Ruleset } from '../model/ruleset.ts';
import type { Allowed, Disallowed } from '../model/verdict.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { eachDifference, forbids } from './automata/difference.ts';
import type { Rules } from './automata/rule-walk.ts';
import { GroupIndex } from './group-index.ts';

/** Two rules, or none, that decide about the same URLs before and after, with different verdicts. */
export interface Change {
  /** `blocked`: what was allowed no longer is; `allowed`: what was disallowed no longer is. */
  readonly direction: 'blocked' | 'allowed';
  /** A shortest path, with its query, of which this is so. */
  readonly example: string;
  readonly before: Allowed | Disallowed;
  readonly after: Allowed | Disallowed;
}

/** What changes for a crawler. */
export interface Comparison {
  /** Whether every URL has the same verdict; `null` if the proof took more than it may. */
  readonly equivalent: boolean | null;
  /** All that changes; where `equivalent` is `null`, what was found until then. The shortest examples first. */
  readonly changes: readonly Change[];
}

/**
 * Compares the rules that a crawler obeys in two files. The verdicts are about every path and query that can be in a request.
 *
 * @throws {RangeError} if a document speaks for no site, or the profiles differ.
 */
export function compareRulesets(before: Ruleset, after: Ruleset, options: ProofOptions = {}): Comparison {
  const { profile } = before;
  requireProfile(profile, after);
  const budget = Budget.from(options);
  const tables = [getCompiledRules(before).table, getCompiledRules(after).table] as const;
  return compareWithin(tables, () => [before, after], profile, budget, 1);
}

function requireProfile(profile: Profile, { profile: other }: { readonly profile: Profile }): void {
  if (profile !== other) throw new RangeError('the files are read under different profiles');
}

/** Work to decide about an example: for each of its characters, and beside them. */
const WORK_PER_EXAMPLE = 100;
const WORK_PER_CHARACTER = 2;

/** @param getRulesets - the rulesets of the tables, with which examples are decided. */
function compareWithin(
  [before, after]: readonly [Rules, Rules],
  getRulesets: () => readonly [Ruleset, Ruleset],
  profile: Profile,
  budget: Budget,
  share: number,
): Comparison {
  const changes: Change[] = [];
  const found = new Set<string>();
  const equivalent = budget.within(share, () => {
    let rulesets: readonly [Ruleset, Ruleset] | undefined;
    eachDifference(before, after, profile, budget, ([was, is], path) => {
      const pair = `${lineAt(before, was)} ${lineAt(after, is)}`;
      if (found.has(pair)) return 'go on';
      const example = path();
      budget.spend(WORK_PER_EXAMPLE + example.length * WORK_PER_CHARACTER);
      rulesets ??= getRulesets();
      changes.push(changeAt(...rulesets, example, forbids(after, is)));
      found.add(pair);
      return 'go on';
    });
    return changes.length === 0;
  });
  return { equivalent: equivalent ?? null, changes };
}

function lineAt(table: Rules, entry: number): number {
  return entry === NONE ? 0 : table.line(entry);
}

/** An origin that a ruleset decides about. */
export function getOrigin(ruleset: Ruleset): string {
  const { scope } = getCompiledRules(ruleset).source.context;
  return scope !== undefined && 'origin' in scope ? scope.origin : 'http://localhost';
}

/** A change, made sure of by deciding. */
function changeAt(before: Ruleset, after: Ruleset, example: string, isBlocked: boolean): Change {
  const [was, is] = [before, after].map((ruleset) => {
    const verdict = ruleset.decide(`${getOrigin(ruleset)}${example}`);
    if (verdict.kind === 'out-of-scope') throw new RangeError('the document speaks for no site');
    return verdict;
  }) as [Allowed | Disallowed, Allowed | Disallowed];
  if (was.allowed !== isBlocked || is.allowed === isBlocked || was.path !== example)
    throw new Error(`a proof went wrong: ${example} does not change`);
  return { direction: isBlocked ? 'blocked' : 'allowed', example, before: was, after: is };
}

/** What changes for some crawlers that obey the same rules, before and after. */
export interface CrawlersComparison extends Comparison {
  readonly crawlers: readonly NamedCrawler[];
}

/** What changes for any crawler. */
export interface FileComparison {
  /** Whether every URL has the same verdict for every crawler; `null` if that could not be proved. */
  readonly equivalent: boolean | null;
  readonly comparisons: readonly CrawlersComparison[];
}

/** The proof about some crawlers may take this share of what is left; what it leaves undecided is tried again with all that is left at the end. */
const SHARE_OF_CRAWLERS = 1 / 4;
/** Work to read a byte of a file for a ruleset. */
const WORK_PER_BYTE = 1 / 50;

/** Crawlers that obey the same groups in both files. */
interface Alike {
  readonly crawlers: NamedCrawler[];
  readonly groups: readonly [readonly number[], readonly number[]];
}

/**
 * Compares two files for every crawler: those that either of them names, those of the catalogue with their fallbacks, and any
 * other; or for given ones.
 *
 * @throws {RangeError} {TypeError} as {@link compareRulesets} and `ruleset` do.
 */
export function compareFiles(
  before: RobotsTxt,
  after: RobotsTxt,
  options: ProofOptions & { readonly crawlers?: readonly NamedCrawler[] } = {},
): FileComparison {
  const { profile } = before;
  requireProfile(profile, after);
  const budget = Budget.from(options);
  const [was, is] = [new GroupIndex(before), new GroupIndex(after)];
  const alike = groupAlike(options.crawlers ?? getCrawlers([was, is]), was, is);
  const compare = ({ crawlers, groups }: Alike, share: number): CrawlersComparison => {
    const tables = budget.within(
      share,
      () => [was.table(groups[0], budget), is.table(groups[1], budget)] as const,
    );
    if (tables === undefined) return { crawlers, equivalent: null, changes: [] };
    const { crawler } = crawlers[0] as NamedCrawler;
    const getRulesets = (): readonly [Ruleset, Ruleset] => {
      budget.spend((was.length + is.length) * WORK_PER_BYTE);
      return [before.ruleset(crawler), after.ruleset(crawler)];
    };
    return { crawlers, ...compareWithin(tables, getRulesets, profile, budget, share) };
  };
  const first = alike.map((each) => compare(each, SHARE_OF_CRAWLERS));
  const comparisons = first.map((comparison, index) =>
    comparison.equivalent === null ? compare(alike[index] as Alike, 1) : comparison,
  );
  const isDifferent = comparisons.some(
    ({ equivalent, changes }) => equivalent === false || changes.length > 0,
  );
  const isOpen = comparisons.some(({ equivalent }) => equivalent === null);
  return { equivalent: isDifferent ? false : isOpen ? null : true, comparisons };
}

function groupAlike(crawlers: readonly NamedCrawler[], was: GroupIndex, is: GroupIndex): Alike[] {
  const alike = new Map<string, Alike>();
  for (const named of crawlers) {
    const groups = [was.groupsFor(named.crawler), is.groupsFor(named.crawler)] as const;
    const key = `${groups[0].join(' ')}|${groups[1].join(' ')}`;
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { crawlers: [named], groups });
    else known.crawlers.push(named);
  }
  return [...alike.values()];
}

/** A crawler, and how it is called: by a product token, its name in the catalogue, or `*` for all others. */
export interface NamedCrawler {
  /** `token:` and a product token if that alone is meant where the catalogue has a crawler of that name. */
  readonly name: string;
  readonly crawler: CrawlerLike;
}

/** The name that stands for every crawler that no file names. */
export const ANY_OTHER = '*';

/**
 * Every crawler for which files can differ: those that they name, those of the catalogue, and any other. A product token of a
 * catalogue crawler is listed by itself too where the crawler obeys other groups than that token does, as by its fallbacks.
 */
export function crawlersOf(files: readonly RobotsTxt[]): NamedCrawler[] {
  return getCrawlers(files.map((file) => new GroupIndex(file)));
}

const LISTED: readonly NamedCrawler[] = /* @__PURE__ */ CRAWLERS.map((crawler) => ({
  name: crawler.name,
  crawler,
}));
/** The catalogue's crawlers by the names that mean them, in lower case. */
const BY_NAME: ReadonlyMap<string, NamedCrawler> = /* @__PURE__ */ new Map(
  LISTED.flatMap((each) => {
    const { name, tokens } = each.crawler as (typeof CRAWLERS)[number];
    return [name, tokens[0] ?? name].map((key) => [key.toLowerCase(), each] as const);
  }),
);

/** The same, of files whose groups are known. */
export function getCrawlers(files: readonly GroupIndex[]): NamedCrawler[] {
  const named = new Map<string, NamedCrawler>();
  for (const {
    agents: { tokens, extendedTokens },
  } of files) {
    for (const [key, name] of [...tokens, ...extendedTokens]) {
      if (named.has(key)) continue;
      const listed = BY_NAME.get(key);
      const crawler: ResolvedCrawler = { tokens: [name] };
      if (listed === undefined) named.set(key, { name, crawler });
      else if (!files.every((file) => obeySameGroups(file, listed.crawler, crawler)))
        named.set(key, { name: `token:${name}`, crawler });
    }
  }
  return [{ name: ANY_OTHER, crawler: UNNAMED_CRAWLER }, ...named.values(), ...LISTED];
}

function obeySameGroups(file: GroupIndex, first: CrawlerLike, second: CrawlerLike): boolean {
  return file.groupsFor(first).join(' ') === file.groupsFor(second).join(' ');
}
