/**
 * What the change of a file means: for which crawlers and URLs the verdict changes, and which expectations break.
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
import type { Aspect, Concerns } from './aspects.ts';

/** What it means: in words, the most important first, and as data. */
export interface FileChange {
  readonly aspects: readonly Aspect[];
  readonly lines: readonly string[];
  readonly details: object;
}

/** So many URLs and tests are named. */
const MAX_NAMED = 5;
/** In details so many are kept. */
const MAX_KEPT = 100;

/** Compares two files, of which each may be empty. */
export function changeOf(before: Uint8Array, after: Uint8Array, concerns: Concerns): FileChange {
  const [was, is] = [parse(before), parse(after)];
  const all = listCrawlers([was, is]);
  const { agents } = concerns.settings;
  const { equivalent, comparisons } = compareFiles(was, is, { crawlers: all });
  const mine = agents.length === 0 ? comparisons : ofAgents(was, is, all, agents);
  const changed = mine.filter(({ changes }) => changes.length > 0);
  const parts = [
    ofRules(was, is, changed),
    ...(mine.some((each) => each.equivalent === null)
      ? [
          {
            aspects: ['undecided'] as const,
            lines: ['the rules are too entangled to tell all changes'],
            details: {},
          },
        ]
      : []),
    ofTests(was, is, concerns.expectations),
    ofUrls(before, after, changed, concerns),
  ];
  const aspects = parts.flatMap((part) => part.aspects);
  const details = Object.assign({}, ...parts.map((part) => part.details)) as object;
  if (aspects.length === 0) return ofNothing(was, is, equivalent);
  const counts = parts.slice(1).flatMap((part) => part.lines.slice(0, 1));
  const [first = [], ...rest] = parts.map((part) => part.lines);
  return {
    aspects,
    // The title has all that counts in it.
    lines: [
      [...first.slice(0, 1), ...counts].join('; '),
      ...first.slice(1),
      ...rest.flatMap((lines) => lines.slice(1)),
    ],
    details: { equivalent, ...details },
  };
}

function ofAgents(
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

/** What to say where nothing changes that matters. */
function ofNothing(before: RobotsTxt, after: RobotsTxt, equivalent: boolean | null): FileChange {
  const details = { equivalent };
  if (equivalent !== true)
    return { aspects: ['others'], lines: ['verdicts change only for crawlers that are not yours'], details };
  if (otherRecordsOf(before) !== otherRecordsOf(after))
    return {
      aspects: ['records'],
      lines: ['sitemaps or other records changed; verdicts are the same'],
      details,
    };
  return { aspects: ['formatting'], lines: ['formatting only: verdicts are the same'], details };
}

function ofRules(before: RobotsTxt, after: RobotsTxt, changed: readonly CrawlerComparison[]): FileChange {
  const told = (direction: VerdictChange['direction']): string[] =>
    changed.flatMap(({ crawlers, changes }) => {
      const own = changes.filter((each) => each.direction === direction);
      return own.length === 0 ? [] : [`newly ${direction}: ${rulesOf(own)} for ${whoOf(crawlers)}`];
    });
  const [blocked, allowed] = [told('blocked'), told('allowed')];
  const isRootBlocked = changed.some(({ crawlers }) =>
    crawlers.some(({ crawler }) => isRootAllowed(before, crawler) && !isRootAllowed(after, crawler)),
  );
  const changes = changed.flatMap(({ crawlers, changes: own }) =>
    own.map(({ direction, example }) => ({ agents: crawlers.map(({ name }) => name), direction, example })),
  );
  return {
    aspects: [
      ...(isRootBlocked ? (['root-blocked'] as const) : []),
      ...(blocked.length > 0 ? (['blocked'] as const) : []),
      ...(allowed.length > 0 ? (['allowed'] as const) : []),
    ],
    lines: [...blocked, ...allowed],
    details: { changes: changes.slice(0, MAX_KEPT) },
  };
}

/** The rules that make the difference: those that forbid now, or no longer. */
function rulesOf(changes: readonly VerdictChange[]): string {
  const patterns = changes.map(({ direction, before, after, example }) => {
    const rule = direction === 'blocked' ? after.rule : (before.rule ?? after.rule);
    return rule?.text ?? example;
  });
  const distinct = [...new Set(patterns)];
  const more = distinct.length > 3 ? ` and ${distinct.length - 3} more` : '';
  return `${distinct.slice(0, 3).join(', ')}${more}`;
}

function whoOf(crawlers: readonly NamedCrawler[]): string {
  const names = crawlers.map(({ name }) => name);
  const first = ['Googlebot', '*'].find((name) => names.includes(name)) ?? (names[0] as string);
  const shown = first === '*' ? 'any other crawler' : first;
  const others = names.length - 1;
  return others === 0 ? shown : `${shown} and ${others} ${others === 1 ? 'other' : 'others'}`;
}

function isRootAllowed(robots: RobotsTxt, crawler: NamedCrawler['crawler']): boolean {
  return robots.ruleset(crawler).decide('/').kind === 'allowed';
}

/** Listed URLs of the site whose verdict changes for one of the crawlers; those that are blocked for one count as blocked. */
function ofUrls(
  before: Uint8Array,
  after: Uint8Array,
  changed: readonly CrawlerComparison[],
  { origin, urls }: Concerns,
): FileChange {
  const url = `${origin}/robots.txt`;
  const [was, is] = [parse(before, { url }), parse(after, { url })];
  // Of crawlers with the same rules one is enough.
  const crawlers = changed.flatMap(({ crawlers: [first] }) => first ?? []);
  const rulesets = crawlers.map(({ crawler }) => [was.ruleset(crawler), is.ruleset(crawler)] as const);
  const nobody = is.ruleset('nobody');
  const own = urls.filter((each) => nobody.decide(each).kind !== 'out-of-scope');
  const [blocked, allowed]: [string[], string[]] = [[], []];
  for (const each of own) {
    const kinds = rulesets.map(([old, now]) => [old.decide(each).kind, now.decide(each).kind] as const);
    if (kinds.some(([old, now]) => old === 'allowed' && now === 'disallowed')) blocked.push(each);
    else if (kinds.some(([old, now]) => old === 'disallowed' && now === 'allowed')) allowed.push(each);
  }
  const count = (list: readonly string[], what: string): string =>
    `${list.length} of your ${own.length} URLs newly ${what}`;
  const counts = [
    ...(blocked.length > 0 ? [count(blocked, 'blocked')] : []),
    ...(allowed.length > 0 ? [count(allowed, 'allowed')] : []),
  ];
  const examples = [
    ...blocked.map((each) => `blocked: ${each}`),
    ...allowed.map((each) => `allowed: ${each}`),
  ];
  return {
    aspects: [
      ...(blocked.length > 0 ? (['urls-blocked'] as const) : []),
      ...(allowed.length > 0 ? (['urls-allowed'] as const) : []),
    ],
    lines: counts.length > 0 ? [counts.join('; '), ...examples.slice(0, MAX_NAMED)] : [],
    details: {
      urls: {
        ...{ total: own.length, blocked: blocked.length, allowed: allowed.length },
        examples: examples.slice(0, MAX_KEPT),
      },
    },
  };
}

/** Which expectations hold no longer, and which do now. */
function ofTests(before: RobotsTxt, after: RobotsTxt, expectations: readonly Expectation[]): FileChange {
  const check = (robots: RobotsTxt) => checkExpectations(robots, expectations);
  const was = check(before);
  const titles = (list: ReturnType<typeof check>): string[] =>
    list.map(({ agent, expected, target }) => `${agent}: ${expected} ${target}`);
  const now = check(after).map((each, index) => ({ ...each, hadPassed: was[index]?.passed }));
  const broken = titles(now.filter(({ hadPassed, passed }) => hadPassed !== false && passed === false));
  const fixed = titles(now.filter(({ hadPassed, passed }) => hadPassed === false && passed !== false));
  const counts = [
    ...(broken.length > 0 ? [`${broken.length} of your tests broken`] : []),
    ...(fixed.length > 0 ? [`${fixed.length} of your tests fixed`] : []),
  ];
  return {
    aspects: [
      ...(broken.length > 0 ? (['tests-broken'] as const) : []),
      ...(fixed.length > 0 ? (['tests-fixed'] as const) : []),
    ],
    lines:
      counts.length > 0
        ? [counts.join('; '), ...broken.slice(0, MAX_NAMED).map((each) => `test broken: ${each}`)]
        : [],
    details: { tests: { broken, fixed } },
  };
}

/** Sitemaps and other records that decide nothing, with the crawlers that they are for. */
function otherRecordsOf(robots: RobotsTxt): string {
  const groups = robots.groups();
  const groupOf = (line: number): Group | undefined =>
    groups.find(({ others }) => others.some((each) => each.line === line));
  const others = robots.records().filter(({ kind }) => kind === 'sitemap' || kind === 'other');
  return JSON.stringify(
    others
      .map(({ field, text, line }) => {
        const tokens = groupOf(line)?.userAgents.map(({ productToken: token }) => token) ?? [];
        return [field.toLowerCase(), text, ...tokens.sort()].join(' ');
      })
      .sort(),
  );
}
