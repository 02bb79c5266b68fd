// The policy of a robots.txt in a thread, and what results say about it.
import { type Profile, parse, type RobotsPolicy } from '@maycrawl/core';
import type { ToolJson } from '../definitions.ts';
import type { SiteRobots } from '../sites.ts';
import { quoteUntrusted } from '../untrusted.ts';

/** Returns the policy of a robots.txt, with its file parsed. */
export function readPolicy({ origin, policy, file }: SiteRobots, profile: Profile): RobotsPolicy {
  if (policy.kind !== 'rules') return policy;
  if (file === null) return { kind: 'unknown' };
  const url = origin === null ? {} : { url: `${origin}/robots.txt` };
  return { kind: 'rules', robots: parse(file, { profile, ...url }) };
}

/** What a result says about the site. */
export function describeSite({
  policy,
  fetchedAt,
  failure,
  hops,
}: SiteRobots): ToolJson<{ readonly $ref: '#/$defs/Site' }> {
  return {
    policy,
    fetchedAt,
    failure: failure && {
      code: failure.code,
      status: failure.status,
      untrusted: quoteUntrusted(failure.message),
    },
    hops: hops.map((url) => ({ untrusted: quoteUntrusted(url) })),
  };
}

/** Says that a site refuses all URLs for now. */
export function describeTemporary({ failure, refusal }: SiteRobots): string {
  const status = failure?.status ?? null;
  const why = status === null ? '' : ` (status ${status})`;
  const when = refusal?.retryAt == null ? '' : ` Retry at ${refusal.retryAt}.`;
  return `Not now: the robots.txt could not be fetched${why}, so no URL of the site may be fetched.${when}`;
}
