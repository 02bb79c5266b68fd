/**
 * Compares what two files declare about the use of content, by effect: which values change, for which crawlers and paths. Lines that
 * move or are written differently change nothing.
 *
 * @module
 */
import type { AgentTokens } from '../../crawler/crawler.ts';
import type { PolicyToken } from '../../crawler/policy-token.ts';
import { getAgentTokens } from '../../crawler/resolve-agent.ts';
import type { RobotsTxt } from '../../model/robots-txt.ts';
import { Budget, type ProofOptions } from '../../proofs/automata/budget.ts';
import { listIndexedCrawlers, type NamedCrawler } from '../../proofs/compare.ts';
import { MAIN_PURPOSES } from '../labels.ts';
import { POLICY_TOKENS } from '../policy-token-data.ts';
import { isGoverned, requirePolicyTokens } from '../policy-tokens.ts';
import type { LicenseReference } from '../selected-statements.ts';
import { type ClassChanges, type DeclarationChange, type LicenseChange, MergedChanges } from './changes.ts';
import type { DeclaringLine } from './declaration-index.ts';
import type { DeclaredRules } from './declared-rules.ts';
import { type CrawlerGroups, FileSide } from './file-side.ts';
import { type FoundChange, findChanges } from './find-changes.ts';
import { compareWording, getLineKey, type Wording } from './wording.ts';

/** The changes of what two files declare. */
export interface DeclarationComparison {
  /** Whether nothing changes for any crawler and path; `null` if no change was found, but the search exceeded its budget. */
  readonly equivalent: boolean | null;
  /** By purpose: `ai-train`, `ai-input` and `search` first. */
  readonly changes: readonly DeclarationChange[];
  readonly licenses: readonly LicenseChange[];
  /** The crawlers that may have further changes. */
  readonly undecided: readonly NamedCrawler[];
  /** The lines that declare something and are only in one of the files. They may have no effect. */
  readonly wording: Wording;
}

/** Options of {@link compareDeclarations}. */
export interface DeclarationOptions extends ProofOptions {
  /**
   * The crawlers to compare for.
   *
   * @defaultValue those that a file names, those of the catalogue, and any other, without policy tokens, which send no requests
   */
  readonly crawlers?: readonly NamedCrawler[];
  /** The policy tokens that are read. @defaultValue {@link POLICY_TOKENS} */
  readonly policyTokens?: readonly PolicyToken[];
}

/** Crawlers with the same groups in both files, which the same policy tokens govern. */
interface CrawlerClass {
  readonly crawlers: NamedCrawler[];
  readonly groups: readonly [CrawlerGroups, CrawlerGroups];
  readonly tokens: readonly PolicyToken[];
}

/** Shares of the remaining budget for one class: undecided ones are repeated with all that remains. */
const SHARES = [1 / 4, 1] as const;
/** Units of work per crawler. */
const WORK_PER_CRAWLER = 4;
/** Units of work to create the automata of a search. */
const WORK_PER_SEARCH = 300;

/**
 * Compares what two files declare about the use of content, for every crawler, purpose and path, by the reading `grouped`. A change is
 * reported for paths that the crawler may fetch after the edit: others have no preferences. If the crawler may fetch a path only after
 * the edit, it is reported if its declared value changes and is not `unknown` after the edit.
 *
 * @throws {RangeError} if the profiles differ, or a policy token is no product token.
 * @throws {TypeError} {RangeError} for invalid crawlers, as `ruleset` does. The content of a file never causes an error.
 * @example
 * const [before, after] = ['', 'Content-Usage: train-ai=n'].map((line) => parse(`User-agent: *\n${line}\nAllow: /`));
 * compareDeclarations(before, after).changes[0]?.after.value; // 'disallowed'
 */
export function compareDeclarations(
  before: RobotsTxt,
  after: RobotsTxt,
  options: DeclarationOptions = {},
): DeclarationComparison {
  if (before.profile !== after.profile) throw new RangeError('the files have different profiles');
  if (options.crawlers?.length === 0) throw new RangeError('the list of crawlers is empty');
  const { policyTokens = POLICY_TOKENS } = options;
  requirePolicyTokens(policyTokens);
  const budget = Budget.from('compareDeclarations', options, { crawlers: 'array', policyTokens: 'array' });
  const sides = budget.runWithin(
    1,
    () => [new FileSide(before, budget), new FileSide(after, budget)] as const,
  );
  const crawlers = options.crawlers ?? [];
  if (sides === undefined)
    return {
      equivalent: null,
      changes: [],
      licenses: [],
      undecided: crawlers,
      wording: { removed: [], added: [] },
    };
  const named = options.crawlers ?? listReaders(sides, policyTokens);
  const wording = compareWording(sides[0].declarations.lines, sides[1].declarations.lines);
  const merged = new MergedChanges();
  let open = classifyCrawlers(named, sides, policyTokens, budget);
  for (const [index, share] of SHARES.entries())
    open = open.filter((each) => {
      const changes = compareClass(each, sides, before, budget, share);
      // The second search finds the changes of the first, too.
      if (changes.isComplete || index === SHARES.length - 1) merged.add(each.crawlers, changes);
      return !changes.isComplete;
    });
  const { changes, licenses } = merged;
  const hasChanges = changes.length + licenses.length > 0;
  const undecided = open.flatMap((each) => each.crawlers);
  return {
    equivalent: hasChanges ? false : open.length > 0 ? null : true,
    changes,
    licenses,
    undecided,
    wording,
  };
}

/** Lists the crawlers that can read declarations. */
function listReaders(sides: readonly [FileSide, FileSide], tokens: readonly PolicyToken[]): NamedCrawler[] {
  const names = new Set(tokens.map(({ token }) => token.toLowerCase()));
  return listIndexedCrawlers(sides.map(({ index }) => index)).filter(
    ({ name }) => !names.has(name.toLowerCase()),
  );
}

function classifyCrawlers(
  crawlers: readonly NamedCrawler[],
  [before, after]: readonly [FileSide, FileSide],
  policyTokens: readonly PolicyToken[],
  budget: Budget,
): CrawlerClass[] {
  const classes = new Map<string, CrawlerClass>();
  for (const named of crawlers) {
    const agentTokens: AgentTokens = getAgentTokens(named.crawler);
    const groups = [before.findGroups(agentTokens), after.findGroups(agentTokens)] as const;
    const tokens = policyTokens.filter((token) => isGoverned(token, agentTokens.tokenSets.flat()));
    const lists = groups.flatMap(({ rules, declarations }) => [rules.join(' '), declarations.join(' ')]);
    const key = [...lists, ...tokens.map(({ token }) => token)].join('|');
    budget.trySpend(WORK_PER_CRAWLER, 1);
    const known = classes.get(key);
    if (known === undefined) classes.set(key, { crawlers: [named], groups, tokens });
    else known.crawlers.push(named);
  }
  return [...classes.values()];
}

function compareClass(
  { groups, tokens }: CrawlerClass,
  sides: readonly [FileSide, FileSide],
  { profile }: RobotsTxt,
  budget: Budget,
  share: number,
): ClassChanges {
  const changes: (FoundChange & { readonly purpose: string })[] = [];
  let licenses: ClassChanges['licenses'] = null;
  const isComplete = budget.runWithin(share, () => {
    const [before, after] = [sides[0].getLicenses(groups[0]), sides[1].getLicenses(groups[1])];
    if (getUrls(before) !== getUrls(after)) licenses = { before, after };
    const hasSameTokens = tokens.every((token) =>
      hasSameSignature(sides.map((side) => side.getToken(token))),
    );
    if (hasSameTokens && hasSameLines(sides, groups)) return true;
    for (const purpose of listPurposes(sides, groups, tokens)) {
      const governing = tokens.filter(({ purposes }) => purposes.includes(purpose));
      const sources = [
        ...(['content-usage', 'content-signal'] as const).map(
          (format) =>
            [
              sides[0].getDeclared(groups[0], format, purpose),
              sides[1].getDeclared(groups[1], format, purpose),
            ] as const,
        ),
        ...governing.map((token) => [sides[0].getToken(token), sides[1].getToken(token)] as const),
      ].filter(([first, second]) => first.signature !== '' || second.signature !== '');
      if (sources.every(hasSameSignature)) continue;
      budget.spend(WORK_PER_SEARCH);
      const crawl = [sides[0].getRules(groups[0]), sides[1].getRules(groups[1])] as const;
      findChanges({ crawl, sources }, profile, budget, (change) => changes.push({ ...change, purpose }));
    }
    return true;
  });
  return { isComplete: isComplete === true, changes, licenses };
}

function hasSameSignature(rules: readonly DeclaredRules[]): boolean {
  return rules.every(({ signature }) => signature === rules[0]?.signature);
}

/** Whether the lines are the same in the same order: most crawlers read what an edit does not change. */
function hasSameLines(
  [before, after]: readonly [FileSide, FileSide],
  groups: CrawlerClass['groups'],
): boolean {
  const [old, now] = [before.getLines(groups[0]), after.getLines(groups[1])];
  return (
    old.length === now.length &&
    old.every((line, index) => getLineKey(line) === getLineKey(now[index] as DeclaringLine))
  );
}

function getUrls(licenses: readonly LicenseReference[]): string {
  return [...new Set(licenses.map(({ url }) => url))].sort().join('\n');
}

/** Lists the main purposes, and the others that a label is about. */
function listPurposes(
  sides: readonly [FileSide, FileSide],
  groups: CrawlerClass['groups'],
  tokens: readonly PolicyToken[],
): ReadonlySet<string> {
  const claims = sides.flatMap((side, index) =>
    side.getLines(groups[index as 0 | 1]).flatMap((line) => ('claims' in line ? line.claims : [])),
  );
  return new Set([
    ...MAIN_PURPOSES,
    ...tokens.flatMap(({ purposes }) => purposes),
    ...claims.flatMap(({ statement, distance }) => (distance === 0 ? [statement.purpose] : [])),
  ]);
}
