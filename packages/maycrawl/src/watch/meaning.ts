/**
 * What a change means: for which crawlers and URLs the verdict changes, which expectations break, what an outage will come to. A
 * pure function of what was, and what is.
 *
 * @module
 */
import { GOOGLE, parse, type RobotsTxt } from '@maycrawl/core';
import { type Change, compareFiles, crawlersOf, type NamedCrawler } from '@maycrawl/core/proofs';
import { ruleOn, weatherOf } from '../client/weather.ts';
import { checkExpectation, type Expectation } from '../expectations/expectations.ts';
import type { GoodAnswer, OriginHistory } from '../store/history.ts';
import type { Severity, SiteSettings } from './site.ts';
import { worstOf } from './site.ts';

/** What there is to say of a change. Each has a severity, which owners can set otherwise. */
export type Aspect =
  | 'first'
  | 'formatting'
  | 'records'
  | 'allowed'
  | 'blocked'
  | 'root-blocked'
  | 'urls-allowed'
  | 'urls-blocked'
  | 'tests-broken'
  | 'tests-mended'
  | 'undecided'
  | 'appeared'
  | 'disappeared'
  | 'unreachable'
  | 'outage-continues'
  | 'recovered'
  | 'no-text';

export const SEVERITY_OF: Readonly<Record<Aspect, Severity>> = {
  first: 'info',
  formatting: 'info',
  records: 'notice',
  allowed: 'notice',
  blocked: 'warning',
  'root-blocked': 'critical',
  'urls-allowed': 'notice',
  'urls-blocked': 'critical',
  'tests-broken': 'critical',
  'tests-mended': 'notice',
  undecided: 'warning',
  appeared: 'notice',
  disappeared: 'warning',
  unreachable: 'warning',
  'outage-continues': 'critical',
  recovered: 'notice',
  'no-text': 'critical',
};

/** What holds at a site: its rules, or what there is instead. */
export type Holds = 'unknown' | 'rules' | 'absent' | 'unreachable' | 'outage-allows';

/** What a site was, or is. */
export interface Situation {
  readonly history: OriginHistory;
  readonly holds: Holds;
}

/** What matters to the owner. */
export interface Concerns {
  readonly settings: SiteSettings;
  /** URLs whose verdicts matter. */
  readonly urls: readonly string[];
  readonly expectations: readonly Expectation[];
}

/** What happened, in words and as data. */
export interface Meaning {
  readonly kind: Aspect;
  readonly aspects: readonly Aspect[];
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  readonly details: object;
}

/** What holds by what is known, at a time. */
export function holdsAt(history: OriginHistory, now: number): Holds {
  const { use } = ruleOn(weatherOf(GOOGLE), history, { now });
  if (use === 'ask') return 'unknown';
  if (use === 'answer') return history.answer?.kind === 'found' ? 'rules' : 'absent';
  return use === 'allow-all' ? 'outage-allows' : use === 'absent' ? 'absent' : 'unreachable';
}

/**
 * What has changed; `undefined` if nothing has.
 *
 * @param now - when `after` was seen.
 */
export function meaningOf(
  before: Situation,
  after: Situation,
  concerns: Concerns,
  now: number,
): Meaning | undefined {
  const { settings } = concerns;
  const outage = after.history.outage;
  if (outage !== null) {
    if (before.history.outage === null)
      return describe(settings, ['unreachable'], outageText(after, now), outage);
    if (before.holds === after.holds) return undefined;
    return describe(settings, ['outage-continues'], outageText(after, now), outage);
  }
  const [was, is] = [before.history.answer, after.history.answer];
  if (is === null) return undefined;
  if (was === null && before.holds === 'unknown')
    return describe(settings, ['first'], [firstText(after)], { holds: after.holds });
  const isBack = before.history.outage !== null;
  const isSame = was !== null && was.kind === is.kind && Buffer.from(was.bytes).equals(is.bytes);
  if (isSame && !isBack) return undefined;
  const kind: Aspect[] =
    was?.kind === 'found' && is.kind === 'absent'
      ? ['disappeared']
      : was?.kind === 'absent' && is.kind === 'found'
        ? ['appeared']
        : [];
  if (isBack) kind.unshift('recovered');
  if (isSame) return describe(settings, kind, ['reachable again; the file is as it was'], {});
  const change = compare(parse(was?.bytes ?? ''), parse(is.bytes), concerns);
  if (is.kind === 'found' && isPage(is) && !(was !== null && isPage(was))) kind.push('no-text');
  const heads = [
    ...(isBack ? ['reachable again'] : []),
    ...(kind.includes('disappeared')
      ? [`the file disappeared (${is.reason ?? 'no file'}): everything is open`]
      : []),
    ...(kind.includes('appeared') ? ['there is a file now'] : []),
    ...(kind.includes('no-text') ? ['it is a page in HTML, which forbids nothing'] : []),
  ];
  return describe(settings, [...kind, ...change.aspects], [...heads, ...change.lines], change.details);
}

/** Puts it together: the first line is the title. */
function describe(
  { severity = {} }: SiteSettings,
  aspects: readonly Aspect[],
  lines: readonly string[],
  details: object,
): Meaning {
  const [kind = 'formatting'] = aspects;
  return {
    kind,
    aspects,
    severity: worstOf(aspects.map((each) => severity[each] ?? SEVERITY_OF[each])),
    title: lines[0] ?? '',
    text: lines.slice(1).join('\n'),
    details: { aspects, ...details },
  };
}

function firstText({ holds, history }: Situation): string {
  if (holds === 'rules')
    return `watched from now on; the file has ${history.answer?.bytes.length ?? 0} bytes`;
  return 'watched from now on; there is no file, so everything is open';
}

const HOUR = 3_600_000;

/** What an outage means now, and what it will mean. */
function outageText({ history, holds }: Situation, now: number): string[] {
  const { outage, answer } = history;
  if (outage === null) return [];
  const hours = Math.floor((now - outage.since) / HOUR);
  const since = hours === 0 ? 'unreachable' : `unreachable for ${hours} h`;
  const meaning = {
    unknown: 'nothing is known',
    unreachable: 'Google has stopped crawling',
    rules: 'the last file still holds',
    absent: 'everything stays open',
    'outage-allows': 'everything is open, because it has failed for so long',
  }[holds];
  const next = phasesAhead(history, now);
  const last =
    answer === null
      ? 'without a file that was seen before'
      : `last seen ${new Date(answer.fetchedAt).toISOString()}`;
  return [`${since} (${outage.reason}): ${meaning}`, ...next, last];
}

/** What will hold later, if it goes on. */
function phasesAhead(history: OriginHistory, now: number): string[] {
  const { outage } = history;
  if (outage === null) return [];
  const told = {
    unknown: '',
    unreachable: 'Google stops crawling',
    rules: 'Google falls back to the last file',
    absent: 'everything is open',
    'outage-allows': 'everything is open',
  } as const;
  const lines: string[] = [];
  let last = holdsAt(history, now);
  for (let hours = Math.ceil((now - outage.since) / HOUR); hours <= 31 * 24; hours++) {
    const holds = holdsAt(history, outage.since + hours * HOUR);
    if (holds !== last && hours * HOUR > now - outage.since) lines.push(`at ${hours} h ${told[holds]}`);
    last = holds;
  }
  return lines;
}

interface FileChange {
  readonly aspects: readonly Aspect[];
  readonly lines: readonly string[];
  readonly details: object;
}

/** So many rules and URLs are named. */
const MAX_NAMED = 5;
/** In event details so many changes are kept. */
const MAX_KEPT = 100;

function compare(before: RobotsTxt, after: RobotsTxt, concerns: Concerns): FileChange {
  const { settings, urls } = concerns;
  const { agents } = settings;
  const all = crawlersOf([before, after]);
  const named = agents.length === 0 ? all : agents.map((agent) => namedIn(all, agent));
  const { equivalent, comparisons } = compareFiles(before, after, { crawlers: named });
  const listed = changedUrls(before, after, agents.length === 0 ? named.slice(0, 1) : named, urls);
  if (equivalent === true) {
    const isOther = otherRecordsOf(before) !== otherRecordsOf(after);
    return isOther
      ? {
          aspects: ['records'],
          lines: ['sitemaps or other records changed; verdicts are the same'],
          details: {},
        }
      : { aspects: ['formatting'], lines: ['formatting only: verdicts are the same'], details: {} };
  }
  const changed = comparisons.filter(({ changes }) => changes.length > 0);
  const inDirection = (direction: Change['direction']): string[] =>
    changed.flatMap(({ crawlers, changes }) => {
      const own = changes.filter((each) => each.direction === direction);
      return own.length === 0 ? [] : [`${rulesOf(own)} for ${whoOf(crawlers)}`];
    });
  const [blocked, allowed] = [inDirection('blocked'), inDirection('allowed')];
  const [urlsBlocked, urlsAllowed] = [
    listed.filter(({ isBlocked }) => isBlocked),
    listed.filter(({ isBlocked }) => !isBlocked),
  ];
  const isRootBlocked = changed.some(({ crawlers }) =>
    crawlers.some(({ crawler }) => isRootAllowed(before, crawler) && !isRootAllowed(after, crawler)),
  );
  const aspects: Aspect[] = [
    ...(isRootBlocked ? (['root-blocked'] as const) : []),
    ...(blocked.length > 0 ? (['blocked'] as const) : []),
    ...(allowed.length > 0 ? (['allowed'] as const) : []),
    ...(urlsBlocked.length > 0 ? (['urls-blocked'] as const) : []),
    ...(urlsAllowed.length > 0 ? (['urls-allowed'] as const) : []),
    ...(equivalent === null || comparisons.some((each) => each.equivalent === null)
      ? (['undecided'] as const)
      : []),
  ];
  const tests = testChanges(before, after, concerns.expectations);
  if (tests.broken.length > 0) aspects.push('tests-broken');
  if (tests.mended.length > 0) aspects.push('tests-mended');
  const counts = [
    ...(tests.broken.length > 0 ? [`${tests.broken.length} of your tests broken`] : []),
    ...(tests.mended.length > 0 ? [`${tests.mended.length} of your tests mended`] : []),
    ...(urlsBlocked.length > 0 ? [`${urlsBlocked.length} of your ${urls.length} URLs newly blocked`] : []),
    ...(urlsAllowed.length > 0 ? [`${urlsAllowed.length} of your ${urls.length} URLs newly allowed`] : []),
  ];
  const first = [
    ...(blocked.length > 0 ? [`newly blocked: ${blocked[0]}`] : []),
    ...(allowed.length > 0 ? [`newly allowed: ${allowed[0]}`] : []),
  ];
  const heading =
    [...first.slice(0, 1), ...counts].join('; ') || 'changed; what that means could not be decided';
  const examples = listed
    .slice(0, MAX_NAMED)
    .map(({ url, isBlocked }) => `${isBlocked ? 'blocked' : 'allowed'}: ${url}`);
  return {
    aspects: aspects.length === 0 ? ['undecided'] : aspects,
    lines: [
      heading,
      ...first.slice(1),
      ...blocked.slice(1).map((each) => `newly blocked: ${each}`),
      ...allowed.slice(1).map((each) => `newly allowed: ${each}`),
      ...examples,
      ...tests.broken.slice(0, MAX_NAMED).map((each) => `test broken: ${each}`),
    ],
    details: {
      equivalent,
      tests,
      changes: changed
        .flatMap(({ crawlers, changes }) =>
          changes.map(({ direction, example }) => ({
            crawlers: crawlers.map(({ name }) => name),
            direction,
            example,
          })),
        )
        .slice(0, MAX_KEPT),
      urls: {
        total: urls.length,
        blocked: urlsBlocked.length,
        allowed: urlsAllowed.length,
        examples: listed.slice(0, MAX_KEPT),
      },
    },
  };
}

function namedIn(all: readonly NamedCrawler[], agent: string): NamedCrawler {
  return (
    all.find(({ name }) => name.toLowerCase() === agent.toLowerCase()) ?? { name: agent, crawler: agent }
  );
}

function isRootAllowed(robots: RobotsTxt, crawler: NamedCrawler['crawler']): boolean {
  return robots.ruleset(crawler).decide('/').kind === 'allowed';
}

/** The rules that make the difference: those that forbid now, or no longer. */
function rulesOf(changes: readonly Change[]): string {
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
  return names.length === 1
    ? shown
    : `${shown} and ${names.length - 1} ${names.length === 2 ? 'other' : 'others'}`;
}

/** Listed URLs whose verdict changes for one of the crawlers. */
function changedUrls(
  before: RobotsTxt,
  after: RobotsTxt,
  crawlers: readonly NamedCrawler[],
  urls: readonly string[],
): { readonly url: string; readonly isBlocked: boolean }[] {
  const rulesets = crawlers.map(({ crawler }) => [before.ruleset(crawler), after.ruleset(crawler)] as const);
  return urls.flatMap((url) => {
    for (const [was, is] of rulesets) {
      const [old, now] = [was.decide(url), is.decide(url)];
      if (old.kind !== now.kind) return [{ url, isBlocked: now.kind === 'disallowed' }];
    }
    return [];
  });
}

/** Which expectations hold no longer, and which do now. */
function testChanges(
  before: RobotsTxt,
  after: RobotsTxt,
  expectations: readonly Expectation[],
): { readonly broken: readonly string[]; readonly mended: readonly string[] } {
  const [was, is] = [before, after].map((robots) =>
    expectations.flatMap((each) => checkExpectation(robots, each)),
  );
  const named = (is ?? []).map((each, index) => ({ ...each, held: was?.[index]?.holds }));
  const titles = (list: typeof named): string[] =>
    list.map(({ crawler, expected, target }) => `${crawler}: ${expected} ${target}`);
  return {
    broken: titles(named.filter(({ held, holds }) => held !== false && holds === false)),
    mended: titles(named.filter(({ held, holds }) => held === false && holds !== false)),
  };
}

/** Sitemaps and other records that decide nothing. */
function otherRecordsOf(robots: RobotsTxt): string {
  const others = robots.records().filter(({ kind }) => kind === 'sitemap' || kind === 'other');
  return JSON.stringify(others.map(({ field, text }) => [field.toLowerCase(), text]).sort());
}

/** Whether a file is a page, as a site sends it that answers every URL with one. */
function isPage({ bytes }: GoodAnswer): boolean {
  return /^\s*<(!doctype|html|head|body|\?xml)/i.test(
    Buffer.from(bytes.subarray(0, 1_000)).toString('latin1'),
  );
}
