// Compares two files: for which URLs does the verdict change? The answer is exact, not sampled
// (docs/proofs.md).
import type { Profile } from '../crawler/profile.ts';
import { NONE } from '../matching/rule-table.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import type { Ruleset } from '../model/ruleset.ts';
import type { Allowed, Disallowed } from '../model/verdict.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { forbids, visitDifferences } from './automata/difference.ts';
import type { Rules } from './automata/rule-automaton.ts';
import {
  classifyCrawlers,
  combineResults,
  compareClasses,
  listIndexedCrawlers,
  type NamedCrawler,
  requireComparable,
} from './crawler-classes.ts';
import { decidePath } from './examples.ts';
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

/** The changes for crawlers with the same groups, before and after. */
export interface CrawlerComparison {
  readonly crawlers: readonly NamedCrawler[];
  /** Whether every URL has the same verdict; `null` if the proof exceeded its budget. */
  readonly equivalent: boolean | null;
  /** All changes, the shortest examples first. If `equivalent` is `null`, the changes found within the budget. */
  readonly changes: readonly VerdictChange[];
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
): Omit<CrawlerComparison, 'crawlers'> {
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

/** Creates a change, and verifies it with both rulesets. */
function createChange(before: Ruleset, after: Ruleset, example: string, isBlocked: boolean): VerdictChange {
  const [verdictBefore, verdictAfter] = [decidePath(before, example), decidePath(after, example)];
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

/** The changes for all crawlers. */
export interface FileComparison {
  /**
   * Whether every URL has the same verdict for every crawler; `null` if the proofs found no change and some
   * exceeded the budget.
   */
  readonly equivalent: boolean | null;
  readonly comparisons: readonly CrawlerComparison[];
}

/** Units of work per byte that a ruleset parses. */
const WORK_PER_BYTE = 1 / 50;

/**
 * Compares two files for every crawler: the agents that either file names, the crawlers of the catalogue with
 * their fallbacks, and any other crawler.
 *
 * @param options - limits of all proofs together; `crawlers` restricts the comparison to these.
 * @throws {RangeError} if a document applies to no origin, the profiles differ, or the list of crawlers is empty.
 * @throws {TypeError} {RangeError} for invalid crawlers, as `ruleset` does.
 */
export function compareFiles(
  before: RobotsTxt,
  after: RobotsTxt,
  options: ProofOptions & { readonly crawlers?: readonly NamedCrawler[] } = {},
): FileComparison {
  const { profile } = before;
  const budget = Budget.from('compareFiles', options, { crawlers: 'array' });
  requireComparable(before, after, options.crawlers);
  const indexes = [new GroupIndex(before), new GroupIndex(after)] as const;
  const classes = classifyCrawlers(options.crawlers ?? listIndexedCrawlers(indexes), ({ crawler }) => {
    const selection = indexes.map((index) => index.findGroups(crawler));
    return { selection, key: selection.map((groups) => groups.join(' ')).join('|') };
  });
  const compare = ({ crawlers, selection }: (typeof classes)[number], share: number): CrawlerComparison => {
    const tables = budget.runWithin(share, () => {
      const [first, second] = indexes.map((index, side) => index.getTable(selection[side] ?? [], budget));
      return [first as Rules, second as Rules] as const;
    });
    if (tables === undefined) return { crawlers, equivalent: null, changes: [] };
    const { crawler } = crawlers[0] as NamedCrawler;
    const getRulesets = (): readonly [Ruleset, Ruleset] => {
      budget.spend((indexes[0].length + indexes[1].length) * WORK_PER_BYTE);
      return [before.ruleset(crawler), after.ruleset(crawler)];
    };
    return { crawlers, ...compareWithin(tables, getRulesets, profile, budget, share) };
  };
  const comparisons = compareClasses(classes, compare, ({ equivalent }) => equivalent === null);
  const hasChanges = comparisons.some(({ changes }) => changes.length > 0);
  const isUndecided = comparisons.some(({ equivalent }) => equivalent === null);
  return { equivalent: combineResults(hasChanges, isUndecided), comparisons };
}
