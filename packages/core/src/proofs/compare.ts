/**
 * Comparing two files: for which URLs does the verdict change? An exact answer, not one from samples (docs/proofs.md).
 *
 * @module
 */
import { CRAWLERS } from '../catalogue.ts';
import { type CrawlerLike, isProductToken } from '../crawler.ts';
import type { RobotsTxt } from '../document.ts';
import { NONE } from '../rule-table.ts';
import type { Ruleset } from '../ruleset.ts';
import type { Allowed, Disallowed } from '../verdict.ts';
import { Budget, type ProofOptions } from './budget.ts';
import { eachDifference, forbids } from './difference.ts';
import type { Rules } from './rule-walk.ts';

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
  return compareWithin(before, after, new Budget(options.maxStates));
}

function compareWithin(before: Ruleset, after: Ruleset, budget: Budget): Comparison {
  const { profile } = before.robots;
  if (profile !== after.robots.profile) throw new RangeError('the files are read under different profiles');
  const changes: Change[] = [];
  const found = new Set<string>();
  const equivalent = budget.within(1, () => {
    eachDifference(before.table, after.table, profile, budget, ([was, is], path) => {
      const pair = `${lineAt(before.table, was)} ${lineAt(after.table, is)}`;
      if (!found.has(pair)) changes.push(changeAt(before, after, path(), forbids(after.table, is)));
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
export function originOf({ robots: { scope } }: Ruleset): string {
  return scope !== undefined && 'origin' in scope ? scope.origin : 'http://localhost';
}

/** A change, made sure of by deciding. */
function changeAt(before: Ruleset, after: Ruleset, example: string, isBlocked: boolean): Change {
  const [was, is] = [before, after].map((ruleset) => {
    const verdict = ruleset.decide(`${originOf(ruleset)}${example}`);
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
  const alike = new Map<string, { crawlers: NamedCrawler[]; before: Ruleset; after: Ruleset }>();
  for (const named of options.crawlers ?? crawlersOf([before, after])) {
    const [was, is] = [before.ruleset(named.crawler), after.ruleset(named.crawler)];
    const key = `${placesOf(was)}|${placesOf(is)}`;
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { crawlers: [named], before: was, after: is });
    else known.crawlers.push(named);
  }
  const budget = new Budget(options.maxStates);
  const comparisons = Array.from(alike.values(), ({ crawlers, before: was, after: is }) => ({
    crawlers,
    ...compareWithin(was, is, budget),
  }));
  const isDifferent = comparisons.some(
    ({ equivalent, changes }) => equivalent === false || changes.length > 0,
  );
  const isOpen = comparisons.some(({ equivalent }) => equivalent === null);
  return { equivalent: isDifferent ? false : isOpen ? null : true, comparisons };
}

/** A crawler, and how it is called: by a product token, its name in the catalogue, or `*` for all others. */
export interface NamedCrawler {
  readonly name: string;
  readonly crawler: CrawlerLike;
}

/** The name that stands for every crawler that no file names. */
export const ANY_OTHER = '*';

/** Every crawler for which files can differ: those that they name, those of the catalogue, and any other. */
export function crawlersOf(files: readonly RobotsTxt[]): NamedCrawler[] {
  const named = new Map<string, string>();
  for (const { token, text } of files
    .flatMap((file) => file.groups())
    .flatMap(({ userAgents }) => userAgents)) {
    if (isProductToken(token) && !named.has(token)) named.set(token, text.slice(0, token.length));
  }
  const listed = CRAWLERS.map((crawler) => ({ name: crawler.name, crawler }));
  // A crawler of the catalogue has fallbacks that its token alone does not tell of.
  for (const { name, tokens } of CRAWLERS) named.delete((tokens[0] ?? name).toLowerCase());
  let other = 'other';
  while (named.has(other)) other += 'x';
  return [
    { name: ANY_OTHER, crawler: other },
    ...Array.from(named.values(), (name) => ({ name, crawler: name })),
    ...listed,
  ];
}

/** Where the rules stand that a ruleset is made of. */
function placesOf({ table }: Ruleset): string {
  return Array.from({ length: table.count }, (_, entry) => table.read(entry).valueStart).join(' ');
}
