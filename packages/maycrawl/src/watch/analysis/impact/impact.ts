// The impact of a change: its cause, for which crawlers and URLs the verdict changes, which expectations fail, and how an outage changes
// the policy. A pure function of the state before, the state after and the earlier versions.

import { type EarlierVersions, NO_VERSIONS } from '../earlier-versions.ts';
import { hasChanged, type SiteState } from '../site-state.ts';
import type { Impact, ImpactOptions } from './impact-types.ts';
import { getOutageImpact } from './outage-impact.ts';
import { getResponseImpact } from './response-impact.ts';

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
  earlier: EarlierVersions = NO_VERSIONS,
): Impact | undefined {
  if (!hasChanged(before, after)) return undefined;
  const { response, outage } = after.history;
  if (outage !== null)
    return getOutageImpact(before, after, outage, {
      settings: options.settings,
      now,
      regular: earlier.regular,
    });
  return response === null
    ? undefined
    : getResponseImpact({ before, after, response, earlier, now }, options);
}
