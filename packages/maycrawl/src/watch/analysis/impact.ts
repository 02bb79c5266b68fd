/**
 * The impact of a change: for which crawlers and URLs the verdict changes, which expectations fail, and how an outage changes the
 * policy. A pure function of the state before and the state after.
 *
 * @module
 */

import type { CachedResponse, OriginHistory } from '@maycrawl/client';
import { getEffectivePolicy } from '@maycrawl/client/origins';
import { describeEffect, describeOriginPolicy } from '@maycrawl/client/policy';
import { describePolicy, diagnose, GOOGLE, getPolicyCode, type PolicySummary, parse } from '@maycrawl/core';
import type { Severity, SiteSettings } from '../site.ts';
import { getWorstSeverity } from '../site.ts';
import { type Aspect, DEFAULT_SEVERITIES, type ImpactOptions } from './aspects.ts';
import { getFileImpact } from './file-impact.ts';

/** The state of a site at a check. */
export interface SiteState {
  readonly history: OriginHistory;
  readonly policy: PolicySummary;
  /** In an outage of more than thirty days: whether `/` of the site could be fetched; `undefined` if that is not known. */
  readonly isSiteReachable?: boolean | undefined;
}

/** A change and its impact, in words and as data. */
export interface Impact {
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

/** Whether a change is reported. It compares only bytes, so its time is linear in the file. */
function hasChanged(before: SiteState, after: SiteState): boolean {
  if (after.history.outage !== null)
    return before.history.outage === null || getPolicyCode(before.policy) !== getPolicyCode(after.policy);
  if (after.history.response === null) return false;
  return before.history.outage !== null || !hasSameFile(before.history, after.history);
}

/** Whether the impact follows from a comparison of two files. Without one it needs neither the owner's URLs nor their tests. */
export function comparesFiles({ history: before }: SiteState, { history: after }: SiteState): boolean {
  const hasBoth = before.response !== null && after.response !== null && after.outage === null;
  return hasBoth && !hasSameFile(before, after);
}

function hasSameFile({ response: before }: OriginHistory, { response: after }: OriginHistory): boolean {
  if (before === null || after === null) return before === after;
  return before.kind === after.kind && Buffer.from(before.bytes).equals(after.bytes);
}

/** Whether the policy depends on whether the site is otherwise reachable. */
export function needsSiteCheck(history: OriginHistory, now: number): boolean {
  return getEffectivePolicy(GOOGLE, history, { now }).needsSiteCheck;
}

/**
 * Returns the impact of a change.
 *
 * @param now - the time of `after`, in milliseconds since 1970.
 * @returns `undefined` if nothing has changed.
 */
export function getImpact(
  before: SiteState,
  after: SiteState,
  options: ImpactOptions,
  now: number,
): Impact | undefined {
  if (!hasChanged(before, after)) return undefined;
  const { settings } = options;
  const outage = after.history.outage;
  if (outage !== null) {
    const aspect = before.history.outage === null ? 'unreachable' : 'outage-continues';
    const { isSiteReachable = null } = after;
    const details = needsSiteCheck(after.history, now) ? { ...outage, isSiteReachable } : outage;
    return describe(settings, [aspect], describeOutage(after, now), details);
  }
  const [last, next] = [before.history.response, after.history.response];
  if (next === null) return undefined;
  const isBack = before.history.outage !== null;
  // There is nothing to compare with.
  if (last === null)
    return describe(settings, [isBack ? 'recovered' : 'first'], [describeFirst(after, isBack)], {
      policy: after.policy,
    });
  const aspects: Aspect[] = [];
  const lines: string[] = [];
  const add = (aspect: Aspect, line: string): void => {
    aspects.push(aspect);
    lines.push(line);
  };
  if (isBack && hasSameFile(before.history, after.history))
    return describe(settings, ['recovered'], ['reachable again; the file is as it was'], {});
  if (isBack) add('recovered', 'reachable again');
  if (last.kind === 'successful' && next.kind === 'unavailable')
    add('disappeared', `the file disappeared (${next.message ?? 'no file'}): all URLs are allowed`);
  if (last.kind === 'unavailable' && next.kind === 'successful') add('appeared', 'a robots.txt has appeared');
  if (next.kind === 'successful' && isPage(next) && !isPage(last))
    add('no-text', 'it is a page in HTML, which disallows nothing');
  const change = getFileImpact(last.bytes, next.bytes, options);
  return describe(settings, [...aspects, ...change.aspects], [...lines, ...change.lines], change.details);
}

/** Describes a change by its aspects and lines, of which the first is the title. */
function describe(
  { severity = {} }: SiteSettings,
  aspects: readonly Aspect[],
  lines: readonly string[],
  details: object,
): Impact {
  const [kind = 'formatting'] = aspects;
  return {
    kind,
    aspects,
    severity: getWorstSeverity(aspects.map((each) => severity[each] ?? DEFAULT_SEVERITIES[each])),
    title: lines[0] ?? '',
    text: lines.slice(1).join('\n'),
    details: { aspects, ...details },
  };
}

function describeFirst({ policy, history }: SiteState, isBack: boolean): string {
  const since = isBack ? 'reachable now' : 'watched from now on';
  if (policy.kind === 'rules') return `${since}; the file has ${history.response?.bytes.length ?? 0} bytes`;
  return `${since}. ${describePolicy(policy)}`;
}

const HOUR = 3_600_000;

/** Describes an outage: its policy now, and later if it continues. */
function describeOutage({ history, policy, isSiteReachable }: SiteState, now: number): string[] {
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

/** The bytes at the start of a file that {@link isPage} reads. */
const START_BYTES = 16_384;

/** Whether a file is an HTML page. Some sites respond with one to every URL. */
function isPage({ bytes }: CachedResponse): boolean {
  return diagnose(parse(bytes.subarray(0, START_BYTES))).some(({ code }) => code === 'html-content');
}
