/**
 * What a change means: for which crawlers and URLs the verdict changes, which expectations break, what an outage will come to. A
 * pure function of what was, and what is.
 *
 * @module
 */
import { GOOGLE } from '@maycrawl/core';
import { ruleOn, weatherOf } from '../client/weather.ts';
import type { GoodAnswer, OriginHistory } from '../store/history.ts';
import { type Aspect, type Concerns, SEVERITY_OF } from './aspects.ts';
import { changeOf } from './file-change.ts';
import type { Severity, SiteSettings } from './site.ts';
import { worstOf } from './site.ts';

/** What holds at a site: its rules, or what there is instead. */
export type Holds = 'unknown' | 'rules' | 'absent' | 'unreachable' | 'outage-allows';

/** What a site was, or is. */
export interface Situation {
  readonly history: OriginHistory;
  readonly holds: Holds;
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
  const isBack = before.history.outage !== null;
  // There is nothing to compare with.
  if (was === null)
    return describe(settings, [isBack ? 'recovered' : 'first'], [firstText(after, isBack)], {
      holds: after.holds,
    });
  const isSame = was.kind === is.kind && Buffer.from(was.bytes).equals(is.bytes);
  if (isSame && !isBack) return undefined;
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

/** Whether a file is a page, as a site sends it that answers every URL with one. */
function isPage({ bytes }: GoodAnswer): boolean {
  return /^\uFEFF?\s*(<!--[\s\S]*?-->\s*)*<(!doctype|html|head|body|\?xml)/i.test(
    Buffer.from(bytes.subarray(0, 4_000)).toString(),
  );
}
