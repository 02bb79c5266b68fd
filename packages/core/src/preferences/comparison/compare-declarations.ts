// Compares what two files declare about the use of content, by effect: which values change, for which crawlers and paths. Lines that
// move or are written differently change nothing.
import type { AgentTokens } from '../../crawler/crawler.ts';
import type { PolicyToken } from '../../crawler/policy-token.ts';
import type { Profile } from '../../crawler/profile.ts';
import { getAgentTokens } from '../../crawler/resolve-agent.ts';
import type { RobotsTxt } from '../../model/robots-txt.ts';
import { Budget, type ProofOptions } from '../../proofs/automata/budget.ts';
import {
  classifyCrawlers,
  combineResults,
  compareClasses,
  listIndexedCrawlers,
  type NamedCrawler,
  requireComparable,
} from '../../proofs/crawler-classes.ts';
import type { Declaration } from '../declaration.ts';
import { MAIN_PURPOSES } from '../labels.ts';
import { POLICY_TOKENS } from '../policy-token-data.ts';
import { isGoverned, requirePolicyTokens } from '../policy-tokens.ts';
import type { LicenseReference } from '../selected-statements.ts';
import { type ClassChanges, type DeclarationChange, type LicenseChange, MergedChanges } from './changes.ts';
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

/** What crawlers read: their groups in both files, and the policy tokens that govern them. */
interface Selection {
  readonly groups: readonly [CrawlerGroups, CrawlerGroups];
  readonly tokens: readonly PolicyToken[];
}

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
  requireComparable(before, after, options.crawlers);
  const { policyTokens = POLICY_TOKENS } = options;
  requirePolicyTokens(policyTokens);
  const budget = Budget.from('compareDeclarations', options, { crawlers: 'array', policyTokens: 'array' });
  const sides = budget.runWithin(
    1,
    () => [new FileSide(before, budget), new FileSide(after, budget)] as const,
  );
  if (sides === undefined)
    return {
      ...{ equivalent: null, changes: [], licenses: [], undecided: options.crawlers ?? [] },
      wording: { removed: [], added: [] },
    };
  const classes = classifyCrawlers(options.crawlers ?? listReaders(sides, policyTokens), ({ crawler }) => {
    budget.trySpend(WORK_PER_CRAWLER, 1);
    return select(getAgentTokens(crawler), sides, policyTokens);
  });
  const results = compareClasses(
    classes,
    ({ crawlers, selection }, share) => ({
      crawlers,
      ...compareClass(selection, sides, before.profile, budget, share),
    }),
    ({ isComplete }) => !isComplete,
  );
  const merged = new MergedChanges();
  for (const result of results) merged.add(result.crawlers, result);
  const { changes } = merged;
  const licenses = compareLicenses(
    sides,
    results.flatMap(({ crawlers }) => crawlers),
  );
  const undecided = results.flatMap(({ isComplete, crawlers }) => (isComplete ? [] : crawlers));
  return {
    equivalent: combineResults(changes.length + licenses.length > 0, undecided.length > 0),
    ...{ changes, licenses, undecided },
    wording: compareWording(sides[0].lines, sides[1].lines),
  };
}

function listReaders(sides: readonly [FileSide, FileSide], tokens: readonly PolicyToken[]): NamedCrawler[] {
  const names = new Set(tokens.map(({ token }) => token.toLowerCase()));
  return listIndexedCrawlers(sides.map(({ index }) => index)).filter(
    ({ name }) => !names.has(name.toLowerCase()),
  );
}

function select(
  agentTokens: AgentTokens,
  [before, after]: readonly [FileSide, FileSide],
  policyTokens: readonly PolicyToken[],
): { readonly selection: Selection; readonly key: string } {
  const groups = [before.findGroups(agentTokens), after.findGroups(agentTokens)] as const;
  const tokens = policyTokens.filter((token) => isGoverned(token, agentTokens.tokenSets.flat()));
  const lists = groups.flatMap(({ rules, declarations }) => [rules.join(' '), declarations.join(' ')]);
  return { selection: { groups, tokens }, key: [...lists, ...tokens.map(({ token }) => token)].join('|') };
}

function compareClass(
  { groups, tokens }: Selection,
  sides: readonly [FileSide, FileSide],
  profile: Profile,
  budget: Budget,
  share: number,
): ClassChanges {
  const changes: (FoundChange & { readonly purpose: string })[] = [];
  const isComplete = budget.runWithin(share, () => {
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
  return { isComplete: isComplete === true, changes };
}

function hasSameSignature(rules: readonly DeclaredRules[]): boolean {
  return rules.every(({ signature }) => signature === rules[0]?.signature);
}

/** Whether the lines are the same in the same order: most crawlers read what an edit does not change. */
function hasSameLines([before, after]: readonly [FileSide, FileSide], groups: Selection['groups']): boolean {
  const [old, now] = [before.getLines(groups[0]), after.getLines(groups[1])];
  return (
    old.length === now.length &&
    old.every((line, index) => getLineKey(line) === getLineKey(now[index] as Declaration))
  );
}

/** Compares the licences, which apply to every crawler. */
function compareLicenses(
  [{ licenses: before }, { licenses: after }]: readonly [FileSide, FileSide],
  crawlers: readonly NamedCrawler[],
): LicenseChange[] {
  return crawlers.length === 0 || getUrls(before) === getUrls(after) ? [] : [{ crawlers, before, after }];
}

function getUrls(licenses: readonly LicenseReference[]): string {
  return [...new Set(licenses.map(({ url }) => url))].sort().join('\n');
}

function listPurposes(
  sides: readonly [FileSide, FileSide],
  groups: Selection['groups'],
  tokens: readonly PolicyToken[],
): ReadonlySet<string> {
  const claims = sides.flatMap((side, index) =>
    side.getLines(groups[index as 0 | 1]).flatMap((line) => line.claims),
  );
  return new Set([
    ...MAIN_PURPOSES,
    ...tokens.flatMap(({ purposes }) => purposes),
    ...claims.flatMap(({ statement, distance }) => (distance === 0 ? [statement.purpose] : [])),
  ]);
}
