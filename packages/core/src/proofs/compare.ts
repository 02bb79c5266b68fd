/**
 * Comparing two files: for which URLs does the verdict change? An exact answer, not one from samples (docs/proofs.md).
 *
 * @module
 */
import { CRAWLERS } from '../catalogue.ts';
import { type CrawlerLike, isProductToken } from '../crawler.ts';
import type { RobotsTxt } from '../document.ts';
import { NONE, type RuleTable } from '../rule-table.ts';
import type { Ruleset } from '../ruleset.ts';
import { SortedPatterns } from '../sorted-patterns.ts';
import type { Allowed, Disallowed } from '../verdict.ts';
import { lettersOf } from './letters.ts';
import { walkTogether } from './product.ts';
import { RequestPaths } from './request-paths.ts';
import { BoundReached, Budget, RuleWalk, type Shared } from './rule-walk.ts';

/** What a proof may take. */
export interface ProofOptions {
  /** How many states are looked at, at most; 2,000,000 if left out. */
  readonly maxStates?: number;
}

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

const MAX_STATES = 2_000_000;
/** About a second. */
const MAX_WORK = 20_000_000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Compares the rules that a crawler obeys in two files. The verdicts are about every path and query that can be in a request.
 *
 * @throws {RangeError} if a document speaks for no site, its profile compares `decoded`, or the profiles differ.
 */
export function compareRulesets(before: Ruleset, after: Ruleset, options: ProofOptions = {}): Comparison {
  const { profile } = before.robots;
  if (profile !== after.robots.profile) throw new RangeError('the files are read under different profiles');
  if (profile.comparison === 'decoded')
    throw new RangeError(`nothing can be proved under the profile ${profile.name}`);
  const changes: Change[] = [];
  const budget = new Budget(options.maxStates ?? MAX_STATES, MAX_WORK, MAX_BYTES);
  const paths = new RequestPaths(profile.robotsTxtAllowed ? '/robots.txt' : '');
  const sides = [new SortedPatterns(before.table), new SortedPatterns(after.table)] as const;
  const letters = lettersOf(sides, paths);
  const shared = sharedBetween(before.table, after.table);
  const found = new Set<string>();
  try {
    const first = new RuleWalk(before.table, sides[0], shared[0], letters, budget);
    const second = new RuleWalk(after.table, sides[1], shared[1], letters, budget);
    walkTogether(first, second, paths, letters, budget, ([was, is], path) => {
      const [forbade, forbids] = [forbidsAt(before.table, was), forbidsAt(after.table, is)];
      if (forbade === forbids) return;
      const pair = `${lineAt(before.table, was)} ${lineAt(after.table, is)}`;
      if (found.has(pair)) return;
      found.add(pair);
      changes.push(changeAt(before, after, path(), forbids));
    });
  } catch (error) {
    if (!(error instanceof BoundReached)) throw error;
    return { equivalent: null, changes };
  }
  return { equivalent: changes.length === 0, changes };
}

function forbidsAt(table: RuleTable, entry: number): boolean {
  return entry !== NONE && table.forbids(entry);
}

function lineAt(table: RuleTable, entry: number): number {
  return entry === NONE ? 0 : table.line(entry);
}

/** A change, made sure of by deciding. */
function changeAt(before: Ruleset, after: Ruleset, example: string, isBlocked: boolean): Change {
  const [was, is] = [before, after].map((ruleset) => {
    const { scope } = ruleset.robots;
    const origin = scope !== undefined && 'origin' in scope ? scope.origin : 'http://localhost';
    const verdict = ruleset.decide(`${origin}${example}`);
    if (verdict.kind === 'out-of-scope') throw new RangeError('the document speaks for no site');
    return verdict;
  }) as [Allowed | Disallowed, Allowed | Disallowed];
  if (was.allowed !== isBlocked || is.allowed === isBlocked || was.path !== example)
    throw new Error(`a proof went wrong: ${example} does not change`);
  return { direction: isBlocked ? 'blocked' : 'allowed', example, before: was, after: is };
}

/** The rules that two tables share: the same pattern with the same verdict, and all of them in the same order in both. */
function sharedBetween(first: RuleTable, second: RuleTable): readonly [Shared, Shared] {
  const [a, b] = [keysOf(first), keysOf(second)];
  const inBoth = [...a.keys()].filter((key) => b.has(key));
  const others = [...b.keys()].filter((key) => a.has(key));
  // Whether one of two wins can depend on how they are written: `/a*` is longer than `/a`, and means the same.
  if (inBoth.some((key, index) => key !== others[index])) return [new Map(), new Map()];
  const numbered = (entries: ReadonlyMap<string, number>): Shared =>
    new Map(inBoth.map((key, number) => [entries.get(key) as number, number]));
  return [numbered(a), numbered(b)];
}

/** For each pattern the first entry that has it, in the order in which they win, by the pattern and its verdict. */
function keysOf(table: RuleTable): Map<string, number> {
  const patterns = new Set<string>();
  const keys = new Map<string, number>();
  for (let entry = 0; entry < table.count; entry++) {
    const { pattern, isAnchored } = table.read(entry);
    const text = `${pattern}${isAnchored ? '\0' : ''}`;
    // Of two entries with the same pattern only the first can win.
    if (patterns.has(text)) continue;
    patterns.add(text);
    keys.set(`${table.forbids(entry) ? '-' : '+'}${text}`, entry);
  }
  return keys;
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
  const comparisons = Array.from(alike.values(), ({ crawlers, before: was, after: is }) => ({
    crawlers,
    ...compareRulesets(was, is, options),
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
  for (const { tokens } of CRAWLERS) named.delete((tokens[0] ?? '').toLowerCase());
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
