/**
 * The impact of a changed file: for which crawlers and URLs the verdict changes, and which expectations fail.
 *
 * @module
 */
import { type Group, parse, type RobotsTxt } from '@maycrawl/core';
import {
  type CrawlerComparison,
  compareFiles,
  listCrawlers,
  type NamedCrawler,
  type VerdictChange,
} from '@maycrawl/core/proofs';
import { checkExpectations, type Expectation } from '../../expectations/expectations.ts';
import type { Aspect, ImpactOptions } from './aspects.ts';

/** The impact, in words and as data. */
export interface FileImpact {
  readonly aspects: readonly Aspect[];
  /** The most important line first. */
  readonly lines: readonly string[];
  readonly details: object;
}

/** URLs and tests in the text. */
const MAX_NAMED = 5;
/** URLs and changes in the details. */
const MAX_DETAILS = 100;

const UNDECIDED: FileImpact = {
  aspects: ['undecided'],
  lines: ['the rules are too complex to find all changes'],
  details: {},
};

/** Returns the impact of replacing one file by another. Each may be empty. */
export function getFileImpact(before: Uint8Array, after: Uint8Array, options: ImpactOptions): FileImpact {
  const [oldFile, newFile] = [parse(before), parse(after)];
  const crawlers = listCrawlers([oldFile, newFile]);
  const { agents } = options.settings;
  const { equivalent, comparisons } = compareFiles(oldFile, newFile, { crawlers });
  const own = agents.length === 0 ? comparisons : compareForAgents(oldFile, newFile, crawlers, agents);
  const changed = own.filter(({ changes }) => changes.length > 0);
  const parts = [describeRules(oldFile, newFile, changed)];
  if (own.some((each) => each.equivalent === null)) parts.push(UNDECIDED);
  parts.push(compareTests(oldFile, newFile, options.expectations));
  parts.push(compareUrls(before, after, changed, options));
  const aspects = parts.flatMap((part) => part.aspects);
  if (aspects.length === 0) return describeOther(oldFile, newFile, equivalent);
  const title = parts.flatMap(({ lines }) => lines.slice(0, 1)).join('; ');
  return {
    aspects,
    lines: [title, ...parts.flatMap(({ lines }) => lines.slice(1))],
    details: Object.assign({ equivalent }, ...parts.map((part) => part.details)) as object,
  };
}

function compareForAgents(
  before: RobotsTxt,
  after: RobotsTxt,
  all: readonly NamedCrawler[],
  agents: readonly string[],
): readonly CrawlerComparison[] {
  const crawlers = agents.map(
    (agent) =>
      all.find(({ name }) => name.toLowerCase() === agent.toLowerCase()) ?? { name: agent, crawler: agent },
  );
  return compareFiles(before, after, { crawlers }).comparisons;
}

/** Describes a change without an impact on the owner's crawlers, URLs and tests. */
function describeOther(before: RobotsTxt, after: RobotsTxt, equivalent: boolean | null): FileImpact {
  const details = { equivalent };
  if (equivalent !== true)
    return { aspects: ['others'], lines: ['verdicts change only for crawlers that are not yours'], details };
  if (formatOtherRecords(before) !== formatOtherRecords(after))
    return {
      aspects: ['records'],
      lines: ['sitemaps or other records changed; verdicts are the same'],
      details,
    };
  return { aspects: ['formatting'], lines: ['formatting only: verdicts are the same'], details };
}

function describeRules(
  before: RobotsTxt,
  after: RobotsTxt,
  changed: readonly CrawlerComparison[],
): FileImpact {
  const describe = (direction: VerdictChange['direction']): string[] =>
    changed.flatMap(({ crawlers, changes }) => {
      const own = changes.filter((each) => each.direction === direction);
      return own.length === 0
        ? []
        : [`newly ${direction}: ${formatRules(own)} for ${formatCrawlers(crawlers)}`];
    });
  const [blocked, allowed] = [describe('blocked'), describe('allowed')];
  const aspects: Aspect[] = [];
  const isRootBlocked = changed.some(({ crawlers }) =>
    crawlers.some(({ crawler }) => isRootAllowed(before, crawler) && !isRootAllowed(after, crawler)),
  );
  if (isRootBlocked) aspects.push('root-blocked');
  if (blocked.length > 0) aspects.push('blocked');
  if (allowed.length > 0) aspects.push('allowed');
  const changes = changed.flatMap(({ crawlers, changes: own }) =>
    own.map(({ direction, example }) => ({ agents: crawlers.map(({ name }) => name), direction, example })),
  );
  return {
    aspects,
    lines: [...blocked, ...allowed],
    details: { changes: changes.slice(0, MAX_DETAILS) },
  };
}

/** Formats the rules that cause changes: those that disallow now, or did before. */
function formatRules(changes: readonly VerdictChange[]): string {
  const patterns = changes.map(({ direction, before, after, example }) => {
    const rule = direction === 'blocked' ? after.rule : (before.rule ?? after.rule);
    return rule?.text ?? example;
  });
  const distinct = [...new Set(patterns)];
  const more = distinct.length > 3 ? ` and ${distinct.length - 3} more` : '';
  return `${distinct.slice(0, 3).join(', ')}${more}`;
}

function formatCrawlers(crawlers: readonly NamedCrawler[]): string {
  const names = crawlers.map(({ name }) => name);
  const first = ['Googlebot', '*'].find((name) => names.includes(name)) ?? (names[0] as string);
  const shown = first === '*' ? 'any other crawler' : first;
  const others = names.length - 1;
  return others === 0 ? shown : `${shown} and ${others} ${others === 1 ? 'other' : 'others'}`;
}

function isRootAllowed(robots: RobotsTxt, crawler: NamedCrawler['crawler']): boolean {
  return robots.ruleset(crawler).decide('/').kind === 'allowed';
}

/** Finds the owner's URLs whose verdict changes for a crawler. A URL that becomes blocked for one crawler counts as blocked. */
function compareUrls(
  before: Uint8Array,
  after: Uint8Array,
  changed: readonly CrawlerComparison[],
  { origin, urls }: ImpactOptions,
): FileImpact {
  const url = `${origin}/robots.txt`;
  const [oldFile, newFile] = [parse(before, { url }), parse(after, { url })];
  // All crawlers of a comparison have the same rules.
  const crawlers = changed.flatMap(({ crawlers: [first] }) => first ?? []);
  const rulesets = crawlers.map(
    ({ crawler }) => [oldFile.ruleset(crawler), newFile.ruleset(crawler)] as const,
  );
  const anyRuleset = newFile.ruleset('none');
  const own = urls.filter((each) => anyRuleset.decide(each).kind !== 'out-of-scope');
  const [blocked, allowed]: [string[], string[]] = [[], []];
  for (const each of own) {
    const kinds = rulesets.map(([old, now]) => [old.decide(each).kind, now.decide(each).kind] as const);
    if (kinds.some(([old, now]) => old === 'allowed' && now === 'disallowed')) blocked.push(each);
    else if (kinds.some(([old, now]) => old === 'disallowed' && now === 'allowed')) allowed.push(each);
  }
  const aspects: Aspect[] = [];
  const counts: string[] = [];
  const add = (aspect: Aspect, { length }: readonly string[], direction: string): void => {
    if (length === 0) return;
    aspects.push(aspect);
    counts.push(`${length} of your ${own.length} URLs newly ${direction}`);
  };
  add('urls-blocked', blocked, 'blocked');
  add('urls-allowed', allowed, 'allowed');
  const examples = [
    ...blocked.map((each) => `blocked: ${each}`),
    ...allowed.map((each) => `allowed: ${each}`),
  ];
  const total = { total: own.length, blocked: blocked.length, allowed: allowed.length };
  return {
    aspects,
    lines: counts.length > 0 ? [counts.join('; '), ...examples.slice(0, MAX_NAMED)] : [],
    details: { urls: { ...total, examples: examples.slice(0, MAX_DETAILS) } },
  };
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

/** Formats sitemaps and other records without verdicts, with the crawlers of their groups. */
function formatOtherRecords(robots: RobotsTxt): string {
  const groups = robots.groups();
  const findGroup = (line: number): Group | undefined =>
    groups.find(({ others }) => others.some((each) => each.line === line));
  const others = robots.records().filter(({ kind }) => kind === 'sitemap' || kind === 'other');
  const texts = others.map(({ field, text, line }) => {
    const tokens = findGroup(line)?.userAgents.map(({ productToken }) => productToken) ?? [];
    return [field.toLowerCase(), text, ...tokens.sort()].join(' ');
  });
  return JSON.stringify(texts.sort());
}
