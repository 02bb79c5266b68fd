/**
 * What a change means: for which crawlers and URLs the verdict changes, which expectations break, what an outage will come to. A
 * pure function of what was, and what is.
 *
 * @module
 */

import type { GoodAnswer, OriginHistory } from '@maycrawl/client';
import { ruleOn, weatherOf } from '@maycrawl/client/origins';
import { diagnose, GOOGLE, parse } from '@maycrawl/core';
import { type Aspect, type Concerns, SEVERITY_OF } from './aspects.ts';
import { changeOf } from './file-change.ts';
import type { Severity, SiteSettings } from './site.ts';
import { worstOf } from './site.ts';

/** What holds at a site: its rules, or what there is instead. */
export type Holds = 'unknown' | 'rules' | 'absent' | 'unreachable' | 'outage-expired';

/** What a site was, or is. */
export interface Situation {
  readonly history: OriginHistory;
  readonly holds: Holds;
  /** In an outage of more than thirty days: whether `/` of the site could be fetched; `undefined` if that is not known. */
  readonly isSiteReachable?: boolean | undefined;
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

/**
 * What applies by what is known, at a time.
 *
 * @param isSiteReachable - whether other pages of the site can be fetched; `undefined` if that is not known.
 */
export function holdsAt(history: OriginHistory, now: number, isSiteReachable?: boolean): Holds {
  const { use, needsSiteCheck: isOpen } = ruleOn(weatherOf(GOOGLE), history, { now, isSiteReachable });
  if (isOpen) return 'unknown';
  if (use === 'ask') return 'unknown';
  if (use === 'answer') return history.answer?.kind === 'found' ? 'rules' : 'absent';
  return use === 'allow-all' ? 'outage-expired' : use === 'absent' ? 'absent' : 'unreachable';
}

/** Whether there is something to say. It compares bytes alone, so it is fast whatever a site sends. */
function hasChanged(before: Situation, after: Situation): boolean {
  if (after.history.outage !== null) return before.history.outage === null || before.holds !== after.holds;
  if (after.history.answer === null) return false;
  return before.history.outage !== null || !hasSameFile(before.history, after.history);
}

/** Whether the impact follows from a comparison of two files. Without one it needs neither the owner's URLs nor their tests. */
export function comparesFiles({ history: before }: Situation, { history: after }: Situation): boolean {
  const hasBoth = before.answer !== null && after.answer !== null && after.outage === null;
  return hasBoth && !hasSameFile(before, after);
}

function hasSameFile({ answer: was }: OriginHistory, { answer: is }: OriginHistory): boolean {
  if (was === null || is === null) return was === is;
  return was.kind === is.kind && Buffer.from(was.bytes).equals(is.bytes);
}

/** Whether what applies depends on whether the site is otherwise reachable. */
export function needsSiteCheck(history: OriginHistory, now: number): boolean {
  return ruleOn(weatherOf(GOOGLE), history, { now }).needsSiteCheck;
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
  if (!hasChanged(before, after)) return undefined;
  const { settings } = concerns;
  const outage = after.history.outage;
  if (outage !== null) {
    const aspect = before.history.outage === null ? 'unreachable' : 'outage-continues';
    const { isSiteReachable = null } = after;
    const details = needsSiteCheck(after.history, now) ? { ...outage, isSiteReachable } : outage;
    return describe(settings, [aspect], outageText(after, now), details);
  }
  const [was, is] = [before.history.answer, after.history.answer];
  if (is === null) return undefined;
  const isBack = before.history.outage !== null;
  // There is nothing to compare with.
  if (was === null)
    return describe(settings, [isBack ? 'recovered' : 'first'], [firstText(after, isBack)], {
      holds: after.holds,
    });
  const isSame = hasSameFile(before.history, after.history);
  const kind: Aspect[] =
    was.kind === 'found' && is.kind === 'absent'
      ? ['disappeared']
      : was.kind === 'absent' && is.kind === 'found'
        ? ['appeared']
        : [];
  if (isBack) kind.unshift('recovered');
  if (isSame) return describe(settings, kind, ['reachable again; the file is as it was'], {});
  const change = changeOf(was.bytes, is.bytes, concerns);
  if (is.kind === 'found' && isPage(is) && !isPage(was)) kind.push('no-text');
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

function firstText({ holds, history }: Situation, isBack: boolean): string {
  const since = isBack ? 'reachable now' : 'watched from now on';
  if (holds === 'rules') return `${since}; the file has ${history.answer?.bytes.length ?? 0} bytes`;
  return `${since}; there is no file, so everything is open`;
}

const HOUR = 3_600_000;

/** What an outage means now, and what it will mean. */
function outageText({ history, holds, isSiteReachable }: Situation, now: number): string[] {
  const { outage, answer } = history;
  if (outage === null) return [];
  const hours = Math.floor((now - outage.since) / HOUR);
  const since = hours === 0 ? 'unreachable' : `unreachable for ${hours} h`;
  const meaning = {
    unknown: 'it is not known whether the site is otherwise reachable, on which it depends what applies',
    unreachable: `Google has stopped crawling${isSiteReachable === false ? ', and the site is not reachable otherwise' : ''}`,
    rules: 'the last file still holds',
    absent: 'everything stays open',
    'outage-expired': `everything is open, because ${isSiteReachable === true ? 'the site is otherwise reachable' : 'no file was seen before'}`,
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
    unknown: 'everything is open if the site is otherwise reachable, else Google stops crawling',
    unreachable: 'Google stops crawling',
    rules: 'Google falls back to the last file',
    absent: 'everything is open',
    'outage-expired': 'everything is open',
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

/** The first text of a file is looked for in this many bytes. */
const START_BYTES = 16_384;

/** Whether a file is an HTML page, as a site sends it that answers every URL with one. The diagnostics know what such a page is. */
function isPage({ bytes }: GoodAnswer): boolean {
  return diagnose(parse(bytes.subarray(0, START_BYTES))).some(({ code }) => code === 'html-content');
}
