/**
 * What a change means: for which crawlers and URLs the verdict changes, which expectations break, what an outage will come to. A
 * pure function of what was, and what is.
 *
 * @module
 */

import type { CachedResponse, OriginHistory } from '@maycrawl/client';
import { getEffectivePolicy } from '@maycrawl/client/origins';
import { describeEffect, describeOriginPolicy } from '@maycrawl/client/policy';
import { describePolicy, diagnose, GOOGLE, getPolicyCode, type PolicySummary, parse } from '@maycrawl/core';
import type { Severity, SiteSettings } from '../site.ts';
import { worstOf } from '../site.ts';
import { type Aspect, type Concerns, SEVERITY_OF } from './aspects.ts';
import { changeOf } from './file-change.ts';

/** The state of a site at a check. */
export interface Situation {
  readonly history: OriginHistory;
  readonly policy: PolicySummary;
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
 * The policy of a site at a time, under Google's profile.
 *
 * @param isSiteReachable - whether other pages of the site can be fetched; `undefined` if that is not known.
 */
export function getPolicyAt(history: OriginHistory, now: number, isSiteReachable?: boolean): PolicySummary {
  return getEffectivePolicy(GOOGLE, history, { now, isSiteReachable }).policy;
}

/** Whether there is something to say. It compares bytes alone, so it is fast whatever a site sends. */
function hasChanged(before: Situation, after: Situation): boolean {
  if (after.history.outage !== null)
    return before.history.outage === null || getPolicyCode(before.policy) !== getPolicyCode(after.policy);
  if (after.history.response === null) return false;
  return before.history.outage !== null || !hasSameFile(before.history, after.history);
}

/** Whether the impact follows from a comparison of two files. Without one it needs neither the owner's URLs nor their tests. */
export function comparesFiles({ history: before }: Situation, { history: after }: Situation): boolean {
  const hasBoth = before.response !== null && after.response !== null && after.outage === null;
  return hasBoth && !hasSameFile(before, after);
}

function hasSameFile({ response: was }: OriginHistory, { response: is }: OriginHistory): boolean {
  if (was === null || is === null) return was === is;
  return was.kind === is.kind && Buffer.from(was.bytes).equals(is.bytes);
}

/** Whether what applies depends on whether the site is otherwise reachable. */
export function needsSiteCheck(history: OriginHistory, now: number): boolean {
  return getEffectivePolicy(GOOGLE, history, { now }).needsSiteCheck;
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
  const [was, is] = [before.history.response, after.history.response];
  if (is === null) return undefined;
  const isBack = before.history.outage !== null;
  // There is nothing to compare with.
  if (was === null)
    return describe(settings, [isBack ? 'recovered' : 'first'], [firstText(after, isBack)], {
      policy: after.policy,
    });
  const isSame = hasSameFile(before.history, after.history);
  const kind: Aspect[] =
    was.kind === 'successful' && is.kind === 'unavailable'
      ? ['disappeared']
      : was.kind === 'unavailable' && is.kind === 'successful'
        ? ['appeared']
        : [];
  if (isBack) kind.unshift('recovered');
  if (isSame) return describe(settings, kind, ['reachable again; the file is as it was'], {});
  const change = changeOf(was.bytes, is.bytes, concerns);
  if (is.kind === 'successful' && isPage(is) && !isPage(was)) kind.push('no-text');
  const heads = [
    ...(isBack ? ['reachable again'] : []),
    ...(kind.includes('disappeared')
      ? [`the file disappeared (${is.message ?? 'no file'}): all URLs are allowed`]
      : []),
    ...(kind.includes('appeared') ? ['a robots.txt has appeared'] : []),
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

function firstText({ policy, history }: Situation, isBack: boolean): string {
  const since = isBack ? 'reachable now' : 'watched from now on';
  if (policy.kind === 'rules') return `${since}; the file has ${history.response?.bytes.length ?? 0} bytes`;
  return `${since}. ${describePolicy(policy)}`;
}

const HOUR = 3_600_000;

/** Describes an outage: what it means now, and what it will mean if it continues. */
function outageText({ history, policy, isSiteReachable }: Situation, now: number): string[] {
  const { outage, response } = history;
  if (outage === null) return [];
  const last =
    response === null
      ? 'There was no response before.'
      : `The last response is from ${new Date(response.fetchedAt).toISOString()}.`;
  const reachability =
    isSiteReachable === undefined
      ? []
      : [`The rest of the site is ${isSiteReachable ? 'reachable' : 'unreachable too'}.`];
  const title = describeOriginPolicy({ policy, outage });
  return [title, ...reachability, ...describeNextPhases(history, now), last];
}

/** Describes how the outage policy changes the policy later, if the outage continues. */
function describeNextPhases(history: OriginHistory, now: number): string[] {
  const { outage, response } = history;
  if (outage === null) return [];
  const lines: string[] = [];
  let last = getPolicyCode(getPolicyAt(history, now));
  const times = [...GOOGLE.outage.phases.map(({ from }) => outage.since + from), response?.freshUntil ?? now];
  for (const at of times.filter((time) => time > now).sort((a, b) => a - b)) {
    const policy = getPolicyAt(history, at);
    const code = getPolicyCode(policy);
    if (code !== last) {
      const hours = Math.round((at - outage.since) / HOUR);
      lines.push(`After ${hours} h (${new Date(at).toISOString()}): ${describeLater(policy)}.`);
    }
    last = code;
  }
  return lines;
}

function describeLater(policy: PolicySummary): string {
  if (policy.kind !== 'unknown') return describeEffect(policy);
  return 'If the site is otherwise reachable, all URLs are allowed; if not, all are disallowed';
}

/** The first text of a file is looked for in this many bytes. */
const START_BYTES = 16_384;

/** Whether a file is an HTML page, as a site sends it that answers every URL with one. The diagnostics know what such a page is. */
function isPage({ bytes }: CachedResponse): boolean {
  return diagnose(parse(bytes.subarray(0, START_BYTES))).some(({ code }) => code === 'html-content');
}
