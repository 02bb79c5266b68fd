/**
 * Compares two files: for which URLs does the verdict change? The answer is exact, not sampled
 * (docs/proofs.md).
 *
 * @module
 */
import { freezeDeep } from '../bytes/freeze.ts';
import { CRAWLERS } from '../crawler/catalogue.ts';
import { type CrawlerInput, createCrawler, GLOBAL_CRAWLER } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { NONE } from '../matching/rule-table.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import { getRules, getRuleTable, type Ruleset } from '../model/ruleset.ts';
import type { Allowed, Disallowed } from '../model/verdict.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { forbids, visitDifferences } from './automata/difference.ts';
import type { Rules } from './automata/rule-automaton.ts';
import { GroupIndex } from './group-index.ts';

/** One pair of winning rules, before and after, with different verdicts. Either can be absent. */
export interface VerdictChange {
  /** `blocked`: from allowed to disallowed; `allowed`: from disallowed to allowed. */
  readonly direction: 'blocked' | 'allowed';
  /** A shortest path, with its query, for which these rules win. Under `rfc9309` it is a shortest one in decoded form. */
  readonly example: string;
  readonly before: Allowed | Disallowed;
  readonly after: Allowed | Disallowed;
}

/** The changes for one crawler. */
export interface RulesetComparison {
  /** Whether every URL has the same verdict; `null` if the proof exceeded its budget. */
  readonly equivalent: boolean | null;
  /** All changes, the shortest examples first. If `equivalent` is `null`, the changes found within the budget. */
  readonly changes: readonly VerdictChange[];
}

/**
 * Compares the rules for a crawler in two files, for every path and query that can occur in a request.
 *
 * @throws {RangeError} if a document applies to no origin, or the profiles differ.
 */
export function compareRulesets(
  before: Ruleset,
  after: Ruleset,
  options: ProofOptions = {},
): RulesetComparison {
  const { profile } = before;
  requireProfile(profile, after);
  const budget = Budget.from('compareRulesets', options, {});
  const tables = [getRuleTable(before), getRuleTable(after)] as const;
  return compareWithin(tables, () => [before, after], profile, budget, 1);
}

function requireProfile(profile: Profile, { profile: other }: { readonly profile: Profile }): void {
  if (profile !== other) throw new RangeError('the files have different profiles');
}

/** Units of work to decide an example: a constant, and per character. */
const WORK_PER_EXAMPLE = 100;
const WORK_PER_CHARACTER = 2;

/** @param getRulesets - returns the rulesets of the tables, which decide the examples. */
function compareWithin(
  [before, after]: readonly [Rules, Rules],
  getRulesets: () => readonly [Ruleset, Ruleset],
  profile: Profile,
  budget: Budget,
  share: number,
): RulesetComparison {
  const changes: VerdictChange[] = [];
  const pairs = new Set<string>();
  const equivalent = budget.runWithin(share, () => {
    let rulesets: readonly [Ruleset, Ruleset] | undefined;
    visitDifferences(before, after, profile, budget, ([winnerBefore, winnerAfter], path) => {
      const pair = `${getLine(before, winnerBefore)} ${getLine(after, winnerAfter)}`;
      if (pairs.has(pair)) return 'continue';
      const example = path();
      budget.spend(WORK_PER_EXAMPLE + example.length * WORK_PER_CHARACTER);
      rulesets ??= getRulesets();
      changes.push(createChange(...rulesets, example, forbids(after, winnerAfter)));
      pairs.add(pair);
      return 'continue';
    });
    return changes.length === 0;
  });
  return { equivalent: equivalent ?? null, changes };
}

function getLine(table: Rules, entry: number): number {
  return entry === NONE ? 0 : table.line(entry);
}

/** Returns an origin in the scope of a ruleset. */
export function getScopeOrigin(ruleset: Ruleset): string {
  const { scope } = getRules(ruleset).source.context;
  return scope !== undefined && 'origin' in scope ? scope.origin : 'http://localhost';
}

/** Creates a change, and verifies it with both rulesets. */
function createChange(before: Ruleset, after: Ruleset, example: string, isBlocked: boolean): VerdictChange {
  const [verdictBefore, verdictAfter] = [before, after].map((ruleset) => {
    const verdict = ruleset.decide(`${getScopeOrigin(ruleset)}${example}`);
    if (verdict.kind === 'out-of-scope') throw new RangeError('the document applies to no origin');
    return verdict;
  }) as [Allowed | Disallowed, Allowed | Disallowed];
  if (
    verdictBefore.allowed !== isBlocked ||
    verdictAfter.allowed === isBlocked ||
    verdictBefore.path !== example
  )
    throw new Error(`internal error: the verdict for ${example} does not change`);
  return {
    direction: isBlocked ? 'blocked' : 'allowed',
    example,
    before: verdictBefore,
    after: verdictAfter,
  };
}

/** The changes for crawlers with the same groups, before and after. */
export interface CrawlerComparison extends RulesetComparison {
  readonly crawlers: readonly NamedCrawler[];
}

/** The changes for all crawlers. */
export interface FileComparison {
  /**
   * Whether every URL has the same verdict for every crawler; `null` if the proofs found no change and some
   * exceeded the budget.
   */
  readonly equivalent: boolean | null;
  readonly comparisons: readonly CrawlerComparison[];
}

/**
 * Share of the remaining budget for one proof of the first pass. The second pass repeats the undecided
 * proofs, each with all that remains.
 */
const SHARE_OF_CRAWLERS = 1 / 4;
/** Units of work per byte that a ruleset parses. */
const WORK_PER_BYTE = 1 / 50;

/** Crawlers with the same groups in both files. */
interface CrawlerClass {
  readonly crawlers: NamedCrawler[];
  readonly groups: readonly [readonly number[], readonly number[]];
}

/**
 * Compares two files for every crawler: the agents that either file names, the crawlers of the catalogue with
 * their fallbacks, and any other crawler.
 *
 * @param options - limits of all proofs together; `crawlers` restricts the comparison to these.
 * @throws {RangeError} {TypeError} as {@link compareRulesets} and `ruleset` do.
 */
export function compareFiles(
  before: RobotsTxt,
  after: RobotsTxt,
  options: ProofOptions & { readonly crawlers?: readonly NamedCrawler[] } = {},
): FileComparison {
  const { profile } = before;
  requireProfile(profile, after);
  const budget = Budget.from('compareFiles', options, { crawlers: 'array' });
  if (options.crawlers?.length === 0) throw new RangeError('the list of crawlers is empty');
  const [beforeIndex, afterIndex] = [new GroupIndex(before), new GroupIndex(after)];
  const classes = classifyCrawlers(
    options.crawlers ?? listIndexedCrawlers([beforeIndex, afterIndex]),
    beforeIndex,
    afterIndex,
  );
  const compare = ({ crawlers, groups }: CrawlerClass, share: number): CrawlerComparison => {
    const tables = budget.runWithin(
      share,
      () => [beforeIndex.getTable(groups[0], budget), afterIndex.getTable(groups[1], budget)] as const,
    );
    if (tables === undefined) return { crawlers, equivalent: null, changes: [] };
    const { crawler } = crawlers[0] as NamedCrawler;
    const getRulesets = (): readonly [Ruleset, Ruleset] => {
      budget.spend((beforeIndex.length + afterIndex.length) * WORK_PER_BYTE);
      return [before.ruleset(crawler), after.ruleset(crawler)];
    };
    return { crawlers, ...compareWithin(tables, getRulesets, profile, budget, share) };
  };
  const firstPass = classes.map((each) => compare(each, SHARE_OF_CRAWLERS));
  const comparisons = firstPass.map((comparison, index) =>
    comparison.equivalent === null ? compare(classes[index] as CrawlerClass, 1) : comparison,
  );
  const isDifferent = comparisons.some(
    ({ equivalent, changes }) => equivalent === false || changes.length > 0,
  );
  const isUndecided = comparisons.some(({ equivalent }) => equivalent === null);
  return { equivalent: isDifferent ? false : isUndecided ? null : true, comparisons };
}

function classifyCrawlers(
  crawlers: readonly NamedCrawler[],
  beforeIndex: GroupIndex,
  afterIndex: GroupIndex,
): CrawlerClass[] {
  const classes = new Map<string, CrawlerClass>();
  for (const named of crawlers) {
    const groups = [beforeIndex.findGroups(named.crawler), afterIndex.findGroups(named.crawler)] as const;
    const key = `${groups[0].join(' ')}|${groups[1].join(' ')}`;
    const known = classes.get(key);
    if (known === undefined) classes.set(key, { crawlers: [named], groups });
    else known.crawlers.push(named);
  }
  return [...classes.values()];
}

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
