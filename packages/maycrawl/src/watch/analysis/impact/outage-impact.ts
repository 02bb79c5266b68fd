// The impact of an outage: what Google does now, by the length of the outage, and what it does later.
import type { OriginHistory, Outage } from '@maycrawl/client';
import { describeEffect, getCountedOutageStart } from '@maycrawl/client/policy';
import { GOOGLE, getPolicyCode, type PolicyCode, type PolicySummary } from '@maycrawl/core';
import { ASPECTS } from '../../../api/watch/aspects.ts';
import { formatMinute } from '../../../text/days.ts';
import { formatSpan } from '../../../text/durations.ts';
import { findNetworkFailure } from '../../../text/network-failures.ts';
import type { Severity, SiteSettings } from '../../site.ts';
import type { EarlierVersions } from '../earlier-versions.ts';
import { getPolicyAt, needsSiteCheck, type SiteState } from '../site-state.ts';
import type { Impact } from './impact-types.ts';
import { describeOtherOperators } from './other-operators.ts';

/** The severities of effects: the same as those of a file with the same effect. */
const SEVERITIES: Readonly<Record<PolicyCode, Severity>> = {
  // Rules apply as before, but not forever.
  rules: 'warning',
  unavailable: ASPECTS.unrestricted.severity,
  'outage-expired': ASPECTS.unrestricted.severity,
  unreachable: ASPECTS['root-blocked'].severity,
  unknown: ASPECTS['root-blocked'].severity,
};

/** Returns the impact of an outage, at its beginning or when the policy changes. */
export function getOutageImpact(
  before: SiteState,
  after: SiteState,
  outage: Outage,
  { settings, now, regular }: OutageContext,
): Impact {
  const { policy, history, isSiteReachable = null } = after;
  const aspect = before.history.outage === null ? 'unreachable' : 'outage-continues';
  const title = describeOutage(after, outage, regular, now);
  return {
    kind: aspect,
    aspects: [aspect],
    severity: settings.severity?.[aspect] ?? SEVERITIES[getPolicyCode(policy)],
    title,
    text: [
      ...describeEvidence(after, now),
      ...describeNextPhases(history, now),
      ...describeOtherOperators('whenUnreachable', settings.agents),
      getAdvice(outage),
    ].join('\n'),
    details: {
      aspects: [aspect],
      ...outage,
      ...(needsSiteCheck(history, now) && { isSiteReachable }),
    },
  };
}

/** Further inputs of an outage's impact. */
export interface OutageContext {
  readonly settings: SiteSettings;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The last version whose file crawlers could read. */
  readonly regular: EarlierVersions['regular'];
}

function describeOutage(
  { policy, history }: SiteState,
  { since, message }: Outage,
  regular: EarlierVersions['regular'],
  now: number,
): string {
  const state =
    now - since >= HOUR ? `could not be fetched for ${formatSpan(now - since)}` : 'cannot be fetched';
  const cause = `robots.txt ${state} (${findNetworkFailure(message)?.text ?? message})`;
  const version = regular === null ? 'the last file' : `version ${regular.number}`;
  const effects: Readonly<Record<PolicyCode, string>> = {
    rules: `Google applies the rules of ${version} again`,
    unavailable: 'Google allows all URLs, as before without a file',
    unreachable: needsSiteCheck(history, now)
      ? 'the rest of the site is unreachable too, and Google treats all URLs as disallowed'
      : 'Google treats all URLs as disallowed',
    'outage-expired': needsSiteCheck(history, now)
      ? 'the rest of the site is reachable, so Google allows all URLs'
      : 'there is no earlier file, so Google allows all URLs',
    unknown: 'it is not known what Google does, because the monitor could not request the rest of the site',
  };
  return `${cause}: ${effects[getPolicyCode(policy)]}`;
}

const HOUR = 3_600_000;

/** Describes what the policy follows from. */
function describeEvidence({ history, isSiteReachable }: SiteState, now: number): string[] {
  const { outage, response } = history;
  const since =
    outage === null
      ? []
      : [
          `The first failed request was on ${formatMinute(outage.since, now)}; the last failure: ${outage.message}.`,
        ];
  const last =
    response === null
      ? 'There was no response before.'
      : `The last response is from ${formatMinute(response.fetchedAt, now)}; crawlers may use a copy of it until they fetch it again, Google for up to 24 hours.`;
  const site =
    isSiteReachable === undefined
      ? []
      : [
          `The monitor requested /: the site is ${isSiteReachable ? 'otherwise reachable' : 'unreachable too'}.`,
        ];
  return [...since, last, ...site];
}

/** Describes how the outage policy changes the policy later, if the outage continues. */
function describeNextPhases(history: OriginHistory, now: number): string[] {
  // The first failures may be of a class that the policy does not count.
  const start = getCountedOutageStart(GOOGLE, history, now);
  if (start === null) return [];
  const lines: string[] = [];
  let last = getPolicyCode(getPolicyAt(history, now));
  const times = GOOGLE.outage.phases.map(({ from }) => start + from);
  for (const at of times.filter((time) => time > now).sort((a, b) => a - b)) {
    const policy = getPolicyAt(history, at);
    const code = getPolicyCode(policy);
    if (code !== last)
      lines.push(
        `If it continues, from ${formatMinute(at, now)} (after ${formatSpan(at - start)}): ${describeLater(policy)}.`,
      );
    last = code;
  }
  return lines;
}

function describeLater(policy: PolicySummary): string {
  if (policy.kind === 'rules') return 'Google applies the rules of its last copy again';
  if (policy.kind !== 'unknown') return describeEffect(policy);
  return 'Google allows all URLs if the site is otherwise reachable, and none if it is not';
}

/** Returns what the owner can do. */
function getAdvice({ status, code }: Outage): string {
  if (status === 429)
    return 'To do: exempt /robots.txt from the rate limit; crawlers read 429 as an error of the server.';
  if (status !== null)
    return `To do: find out why the server responds with ${status} to /robots.txt. If there should be no file, respond with 404.`;
  if (code === 'timeout') return 'To do: find out why the server does not respond to /robots.txt in time.';
  return 'To do: check DNS, certificate, firewall and server. The monitor could not get a response.';
}
