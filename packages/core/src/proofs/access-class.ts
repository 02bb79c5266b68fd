// Classifies what a crawler may fetch: all URLs, none, none but a few listed files, or some.
//
// Most files are classified by examples: one URL that is allowed and one that is disallowed show "some". A proof over the product of
// automata decides the others (docs/proofs.md).
import type { Profile } from '../crawler/profile.ts';
import type { RuleTable } from '../matching/rule-table.ts';
import { isTotalEntry } from '../matching/total-patterns.ts';
import { parse } from '../model/robots-txt.ts';
import { getRules, getRuleTable, type Ruleset } from '../model/ruleset.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';
import { forbids, visitDifferences } from './automata/difference.ts';
import { decidePath } from './examples.ts';
import { proveVerdict, requireClaimPatterns } from './verify.ts';

/**
 * - `all`: every URL is allowed.
 * - `none`: every URL is disallowed. Under a profile that always allows `/robots.txt`, that one is not counted.
 * - `listed-only`: some URLs are allowed, all of which match one of the listed patterns.
 * - `some`: a URL is allowed that matches no listed pattern, and another URL is disallowed.
 * - `undecided`: the proof exceeded its budget.
 */
export type AccessKind = 'all' | 'none' | 'listed-only' | 'some' | 'undecided';

/** A path, with its query, and the line of the rule that decides it; 0 if no rule matches. */
export interface ExampleUrl {
  readonly path: string;
  readonly line: number;
}

/** What a crawler may fetch. */
export interface AccessClass {
  readonly kind: AccessKind;
  /** An allowed URL; `null` if no such URL was found. If the kind is `some`, it matches no listed pattern. */
  readonly allowed: ExampleUrl | null;
  /** A disallowed URL; `null` if no such URL was found. */
  readonly disallowed: ExampleUrl | null;
}

/** Patterns of files that sites with a complete ban often allow. */
const LISTED_PATTERNS: readonly string[] = ['/robots.txt', '/ads.txt', '/.well-known/', '/$'];

/** Rules of each kind from which examples are made. */
const MAX_EXAMPLES = 32;
/** Examples that do not depend on the rules. The first is the home page. */
const COMMON_PATHS: readonly string[] = ['/', '/a', '/index.html?a=1'];

/** Classifies rulesets of one profile. */
export class AccessClassifier {
  /** Allows only URLs that match a listed pattern. */
  readonly #listed: Ruleset;

  /**
   * @param listed - path patterns in the syntax of rules. @defaultValue `/robots.txt`, `/ads.txt`, `/.well-known/` and `/$`
   * @throws {RangeError} if the profile is unknown, or a pattern is invalid.
   */
  constructor(profile: Profile | string, listed: readonly string[] = LISTED_PATTERNS) {
    requireClaimPatterns(listed);
    const lines = ['user-agent: *', 'disallow: /', ...listed.map((pattern) => `allow: ${pattern}`)];
    this.#listed = parse(lines.join('\n'), { profile }).ruleset({ tokens: ['any'] });
    // Many paths are decided by it. The first decisions would read the file.
    getRuleTable(this.#listed);
  }

  /**
   * Classifies what the crawler of a ruleset may fetch, for every path and query that can occur in a request.
   *
   * @param options - limits of the proofs.
   * @throws {RangeError} if the profile of the ruleset differs.
   */
  classify(ruleset: Ruleset, options: ProofOptions = {}): AccessClass {
    if (ruleset.profile !== this.#listed.profile) throw new RangeError('the ruleset has another profile');
    const table = getRuleTable(ruleset);
    const home = decide(ruleset, '/');
    if (getRules(ruleset).agentTokens.isExempt || !hasRule(table, true))
      return { kind: 'all', allowed: home.url, disallowed: null };
    const budget = Budget.from('AccessClassifier', options, {});
    const isDisallowed = ({ isAllowed }: Example): boolean => !isAllowed;
    const disallowed =
      findExample(ruleset, COMMON_PATHS, isDisallowed) ??
      findExample(ruleset, listExamples(table, true), isDisallowed) ??
      proveDisallowed(ruleset, budget);
    if (disallowed === undefined) return { kind: 'undecided', allowed: home.url, disallowed: null };
    if (disallowed === null) return { kind: 'all', allowed: home.url, disallowed };
    const isUnlisted = ({ isAllowed, url: { path } }: Example): boolean =>
      isAllowed && !decide(this.#listed, path).isAllowed;
    const allowed =
      findExample(ruleset, COMMON_PATHS, isUnlisted) ??
      findExample(ruleset, listExamples(table, false), isUnlisted);
    if (allowed !== undefined) return { kind: 'some', allowed, disallowed };
    if (!hasRule(table, false) && hasBan(table)) return { kind: 'none', allowed: null, disallowed };
    return this.#classifyClosed(ruleset, disallowed, budget);
  }

  /** Classifies a ruleset for which no allowed URL was found, or only listed ones. */
  #classifyClosed(ruleset: Ruleset, disallowed: ExampleUrl, budget: Budget): AccessClass {
    const unlisted = this.#findUnlisted(ruleset, budget);
    if (unlisted === undefined) return { kind: 'undecided', allowed: null, disallowed };
    if (unlisted !== null) return { kind: 'some', allowed: unlisted, disallowed };
    const { isTrue, counterexample } = proveVerdict(ruleset, '/', false, { budget });
    if (isTrue) return { kind: 'none', allowed: null, disallowed };
    if (counterexample === null) return { kind: 'undecided', allowed: null, disallowed };
    const { path, verdict } = counterexample;
    return { kind: 'listed-only', allowed: { path, line: verdict.line }, disallowed };
  }

  /** Finds a shortest allowed URL that matches no listed pattern; `null` if no such URL exists, `undefined` if the proof exceeds its budget. */
  #findUnlisted(ruleset: Ruleset, budget: Budget): ExampleUrl | null | undefined {
    const [own, listed] = [getRuleTable(ruleset), getRuleTable(this.#listed)];
    return budget.runWithin(1, () => {
      let found: ExampleUrl | null = null;
      visitDifferences(own, listed, ruleset.profile, budget, ([entry, listedEntry], getPath) => {
        if (forbids(own, entry) || !forbids(listed, listedEntry)) return 'continue';
        const example = decide(ruleset, getPath());
        if (!example.isAllowed) throw new Error(`internal error: ${example.url.path} is not allowed`);
        found = example.url;
        return 'stop';
      });
      return found;
    });
  }
}

/** Finds a shortest disallowed URL, under `rfc9309` in decoded form; `null` if no such URL exists, `undefined` if the proof exceeds its budget. */
function proveDisallowed(ruleset: Ruleset, budget: Budget): ExampleUrl | null | undefined {
  const { isTrue, counterexample } = proveVerdict(ruleset, '/', true, { budget });
  if (counterexample !== null) return { path: counterexample.path, line: counterexample.verdict.line };
  return isTrue ? null : undefined;
}

interface Example {
  readonly isAllowed: boolean;
  readonly url: ExampleUrl;
}

function findExample(
  ruleset: Ruleset,
  paths: Iterable<string>,
  isWanted: (example: Example) => boolean,
): ExampleUrl | undefined {
  for (const path of paths) {
    const example = decide(ruleset, path);
    if (isWanted(example)) return example.url;
  }
  return undefined;
}

/** Decides a path. The path of the url is in the form of a request. */
function decide(ruleset: Ruleset, path: string): Example {
  const verdict = decidePath(ruleset, path);
  return { isAllowed: verdict.allowed, url: { path: verdict.path, line: verdict.line } };
}

/** Makes paths that rules match: rules that disallow, or all others. */
function* listExamples(table: RuleTable, forbids: boolean): Generator<string, void, undefined> {
  let count = 0;
  for (let entry = 0; entry < table.count && count < MAX_EXAMPLES; entry++) {
    if (table.forbids(entry) !== forbids) continue;
    const path = table.read(entry).pattern.replaceAll('*', '');
    yield path.startsWith('/') ? path : `/${path}`;
    count++;
  }
}

function hasRule(table: RuleTable, forbids: boolean): boolean {
  for (let entry = 0; entry < table.count; entry++) if (table.forbids(entry) === forbids) return true;
  return false;
}

/** Whether a rule disallows every URL that no other rule allows. */
function hasBan(table: RuleTable): boolean {
  for (let entry = 0; entry < table.count; entry++)
    if (table.forbids(entry) && isTotalEntry(table.read(entry))) return true;
  return false;
}
