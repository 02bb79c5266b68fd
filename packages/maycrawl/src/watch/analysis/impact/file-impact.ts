// The impact of a changed file: for which crawlers and URLs the verdict changes, and which expectations fail.
import { type Allowed, type Disallowed, findCrawler, parse, type RobotsTxt } from '@maycrawl/core';
import { POLICY_TOKENS } from '@maycrawl/core/preferences';
import {
  ANY_OTHER_CRAWLER,
  type CrawlerComparison,
  compareFiles,
  type FileComparison,
  listCrawlers,
  type NamedCrawler,
  type VerdictChange,
} from '@maycrawl/core/proofs';
import type { Aspect } from '../../../api/watch/aspects.ts';
import { checkExpectations, type Expectation } from '../../../expectations/expectations.ts';
import { formatCrawlers, joinGroups, sortByCrawler } from '../../../text/crawler-names.ts';
import { formatFirst } from '../../../text/first-names.ts';
import { describeChangedLines } from '../changed-lines.ts';
import { getFileCondition } from '../file-condition.ts';
import type { FileImpact, ImpactOptions } from './impact-types.ts';
import { getPreferenceImpact } from './preference-impact.ts';
import { compareOtherRecords, describeRecords, type RecordChanges } from './record-impact.ts';
import { getUrlImpact } from './url-impact.ts';

/** Tests in the text, and examples of changed verdicts. */
const MAX_NAMED = 5;
/** Changes in the details. */
const MAX_DETAILS = 100;

const EMPTY: RobotsTxt = parse('');

const UNDECIDED: FileImpact = {
  aspects: ['undecided'],
  lines: [
    'the rules are too complex to find all changes',
    'Only the verdicts of the home page and of your URLs were compared.',
  ],
  details: {},
};

/** Returns the impact of replacing one file by another. Each may be empty. */
export function getFileImpact(before: Uint8Array, after: Uint8Array, options: ImpactOptions): FileImpact {
  const impact = compareContents(before, after, options);
  // The changed lines are the evidence of a change that has no other.
  return impact.lines.length > 1
    ? impact
    : { ...impact, lines: [...impact.lines, ...describeChangedLines(before, after)] };
}

function compareContents(before: Uint8Array, after: Uint8Array, options: ImpactOptions): FileImpact {
  const [oldFile, newFile] = [parse(before), parse(after)];
  const crawlers = listCrawlers([oldFile, newFile]);
  const { agents } = options.settings;
  const { equivalent, comparisons } = compareFiles(oldFile, newFile, { crawlers });
  const ownCrawlers = agents.length === 0 ? undefined : findCrawlers(crawlers, agents);
  // Of an undecided comparison only the URLs are compared. A hostile file names thousands of crawlers, each of which would take milliseconds.
  const isOwn = (comparison: CrawlerComparison): boolean =>
    ownCrawlers !== undefined || comparison.crawlers.some(isKnownCrawler);
  const own =
    ownCrawlers === undefined
      ? omitPolicyTokens(comparisons)
      : compareFiles(oldFile, newFile, { crawlers: ownCrawlers }).comparisons;
  const changed = own.filter((each) => each.changes.length > 0 || (each.equivalent === null && isOwn(each)));
  const parts = [describeRules(oldFile, newFile, changed)];
  if (own.some((each) => each.equivalent === null)) parts.push(UNDECIDED);
  parts.push(compareTests(oldFile, newFile, options.expectations));
  parts.push(getUrlImpact(before, after, changed, options));
  const preferences = getPreferenceImpact(oldFile, newFile, ownCrawlers);
  parts.push(preferences);
  // A page of HTML has no records, although its lines can be read as such.
  const isMissing = getFileCondition(after) !== 'text';
  const records = compareOtherRecords(
    getFileCondition(before) === 'text' ? oldFile : EMPTY,
    isMissing ? EMPTY : newFile,
    preferences.aspects.length > 0,
  );
  const effects = parts.flatMap((part) => part.aspects);
  if (effects.length === 0)
    return describeOther({ equivalent, comparisons }, records, preferences.isReworded);
  if (records !== null) parts.push(describeRecords(records, isMissing));
  const aspects = parts.flatMap((part) => part.aspects);
  const hasSameVerdicts = equivalent === true && effects.length === preferences.aspects.length;
  const title = parts.flatMap(({ lines }) => lines.slice(0, 1).filter((line) => line !== '')).join('. ');
  return {
    aspects,
    lines: [
      title,
      ...parts.flatMap(({ lines }) => lines.slice(1)),
      ...(hasSameVerdicts ? ['verdicts are the same'] : []),
    ],
    details: Object.assign({ equivalent }, ...parts.map((part) => part.details)) as object,
  };
}

function findCrawlers(all: readonly NamedCrawler[], agents: readonly string[]): readonly NamedCrawler[] {
  return agents.map(
    (agent) =>
      all.find(({ name }) => name.toLowerCase() === agent.toLowerCase()) ?? { name: agent, crawler: agent },
  );
}

/** Whether a crawler is one of the catalogue, or represents all that no file names. */
function isKnownCrawler({ name }: NamedCrawler): boolean {
  return name === ANY_OTHER_CRAWLER || findCrawler(name) !== undefined;
}

const TOKENS: ReadonlySet<string> = new Set(POLICY_TOKENS.map(({ token }) => token));

/**
 * Omits groups of policy tokens only, which send no requests: their rules are preferences (preference-impact.ts). Tokens with the rules of
 * crawlers count with them, as in `maycrawl diff`.
 */
function omitPolicyTokens(comparisons: readonly CrawlerComparison[]): readonly CrawlerComparison[] {
  return comparisons.filter(({ crawlers }) => crawlers.some(({ name }) => !TOKENS.has(name)));
}

/** Describes a change without an impact on the owner's crawlers, URLs and tests. */
function describeOther(
  { equivalent, comparisons }: FileComparison,
  records: RecordChanges | null,
  isReworded: boolean,
): FileImpact {
  const details = { equivalent };
  if (equivalent !== true) {
    const changed = comparisons.filter(({ changes }) => changes.length > 0);
    const names = changed.flatMap(({ crawlers }) => crawlers.map(({ name }) => name));
    return { aspects: ['others'], lines: [describeOthers(names), ...describeExamples(changed)], details };
  }
  if (records === null)
    return { aspects: ['formatting'], lines: ['formatting only: verdicts are the same'], details };
  const { aspects, lines, details: changes } = describeRecords(records, false);
  const [first, ...rest] = lines;
  const same = isReworded ? 'verdicts and preferences are the same' : 'verdicts are the same';
  return { aspects, lines: [`${first}; ${same}`, ...rest], details: { ...details, ...changes } };
}

/** Describes a change for crawlers that are not the owner's. Without names, the comparison has found none within its budget. */
function describeOthers(names: readonly string[]): string {
  if (names.length === 0) return 'verdicts change at most for crawlers that are not yours';
  const others = names.length === 1 ? 'which is not one of your crawlers' : 'which are not your crawlers';
  return `verdicts change only for ${formatCrawlers(names)}, ${others}`;
}

function describeRules(
  before: RobotsTxt,
  after: RobotsTxt,
  changed: readonly CrawlerComparison[],
): FileImpact {
  const rootBlocked = changed.filter((comparison) => isRootBlocked(before, after, comparison));
  const [found, allowed] = [describeDirection('blocked', changed), describeDirection('allowed', changed)];
  const unproved = rootBlocked.filter(({ changes }) => changes.length === 0);
  const names = unproved.flatMap(({ crawlers }) => crawlers.map(({ name }) => name));
  const blocked = [...found, ...(names.length > 0 ? [`newly blocked: / for ${formatCrawlers(names)}`] : [])];
  const isUnrestricted = allowed.length > 0 && !hasDisallowRules(after);
  const aspects: Aspect[] = [];
  if (rootBlocked.length > 0) aspects.push('root-blocked');
  if (blocked.length > 0) aspects.push('blocked');
  if (isUnrestricted) aspects.push('unrestricted');
  if (allowed.length > 0) aspects.push('allowed');
  const changes = changed.flatMap(({ crawlers, changes: own }) =>
    own.map(({ direction, example }) => ({ agents: crawlers.map(({ name }) => name), direction, example })),
  );
  return {
    aspects,
    lines: isUnrestricted
      ? ['every URL is allowed for every crawler', ...allowed]
      : [[...blocked, ...allowed].join('; '), ...describeExamples(changed)].filter((line) => line !== ''),
    details: { changes: changes.slice(0, MAX_DETAILS) },
  };
}

/** Describes the changes of one direction in a line, in which crawlers with the same rules are one group. */
function describeDirection(
  direction: VerdictChange['direction'],
  changed: readonly CrawlerComparison[],
): string[] {
  const groups = new Map<string, string[]>();
  for (const { crawlers, changes } of changed) {
    const own = changes.filter((each) => each.direction === direction);
    if (own.length === 0) continue;
    const rules = formatRules(own);
    groups.set(rules, [...(groups.get(rules) ?? []), ...crawlers.map(({ name }) => name)]);
  }
  if (groups.size === 0) return [];
  const sorted = sortByCrawler([...groups].map(([rules, names]) => ({ rules, names })));
  return [
    `newly ${direction}: ${joinGroups(sorted.map(({ rules, names }) => `${rules} for ${formatCrawlers(names)}`))}`,
  ];
}

/** Describes changes with the rules before and after: `newly blocked for Googlebot: /shop (before: no rule; now line 2: Disallow: /shop)`. */
function describeExamples(changed: readonly CrawlerComparison[]): string[] {
  const examples = changed
    .filter(({ changes }) => changes.length > 0)
    .slice(0, MAX_NAMED)
    .flatMap(({ crawlers, changes }) => {
      const names = formatCrawlers(crawlers.map(({ name }) => name));
      return changes
        .slice(0, MAX_NAMED)
        .map(
          ({ direction, example, before, after }) =>
            `newly ${direction} for ${names}: ${example} (before: ${describeRule(before)}; now: ${describeRule(after)})`,
        );
    });
  return examples.slice(0, MAX_NAMED);
}

function describeRule({ line, rule }: Allowed | Disallowed): string {
  return rule === null
    ? 'no rule'
    : `line ${line}, ${rule.kind === 'allow' ? 'Allow' : 'Disallow'}: ${rule.text}`;
}

/** Whether a file has a rule that can disallow a URL for some crawler. */
function hasDisallowRules(robots: RobotsTxt): boolean {
  return robots
    .groups()
    .some(({ rules }) => rules.some(({ kind, text }) => kind === 'disallow' && text !== ''));
}

/** Rules in a sentence. */
const MAX_RULES = 3;

/** Formats the rules that cause changes: those that disallow now, or did before. */
function formatRules(changes: readonly VerdictChange[]): string {
  const patterns = changes.map(({ direction, before, after, example }) => {
    const rule = direction === 'blocked' ? after.rule : (before.rule ?? after.rule);
    return rule?.text ?? example;
  });
  return formatFirst([...new Set(patterns)], MAX_RULES);
}

/** All crawlers of a comparison have the same rules. */
function isRootBlocked(before: RobotsTxt, after: RobotsTxt, { crawlers }: CrawlerComparison): boolean {
  return crawlers
    .slice(0, 1)
    .some(({ crawler }) => isRootAllowed(before, crawler) && !isRootAllowed(after, crawler));
}

function isRootAllowed(robots: RobotsTxt, crawler: NamedCrawler['crawler']): boolean {
  return robots.ruleset(crawler).decide('/').kind === 'allowed';
}

/** Finds the expectations that fail now, and those that pass again. */
function compareTests(before: RobotsTxt, after: RobotsTxt, expectations: readonly Expectation[]): FileImpact {
  const earlier = checkExpectations(before, expectations);
  const results = checkExpectations(after, expectations).map((each, index) => ({
    title: `${each.agent}: ${each.expected} ${each.target}`,
    hadPassed: earlier[index]?.passed !== false,
    passes: each.passed !== false,
  }));
  const broken = results.flatMap(({ title, hadPassed, passes }) => (hadPassed && !passes ? title : []));
  const fixed = results.flatMap(({ title, hadPassed, passes }) => (!hadPassed && passes ? title : []));
  const aspects: Aspect[] = [];
  const counts: string[] = [];
  if (broken.length > 0) {
    aspects.push('tests-broken');
    counts.push(`${broken.length} of your tests broken`);
  }
  if (fixed.length > 0) {
    aspects.push('tests-fixed');
    counts.push(`${fixed.length} of your tests fixed`);
  }
  const named = broken.slice(0, MAX_NAMED).map((each) => `test broken: ${each}`);
  return {
    aspects,
    lines: counts.length > 0 ? [counts.join('; '), ...named] : [],
    details: { tests: { broken, fixed } },
  };
}
