/**
 * What a robots.txt says, as the JSON that programs read.
 *
 * @module
 */
import { describeDiagnostic, diagnose, type RobotsTxt } from '@maycrawl/core';

/** Groups, rules, sitemaps, other records and diagnostics. */
export function documentReport(robots: RobotsTxt): object {
  const records = robots.records();
  return {
    profile: robots.profile.name,
    bytes: robots.bytes.length,
    truncated: robots.truncated,
    groups: robots.groups(),
    sitemaps: records.filter(({ kind }) => kind === 'sitemap'),
    others: records.filter(({ kind }) => kind === 'other'),
    diagnostics: diagnose(robots).map((each) => ({ ...each, message: describeDiagnostic(each) })),
  };
}
