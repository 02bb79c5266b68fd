// The JSON of a robots.txt.
import { describeDiagnostic, diagnose, type Group, type RobotsTxt } from '@maycrawl/core';
import { ALL, BoundedLists, type ListLimits } from './bounded-list.ts';

/**
 * Creates the report of groups, rules, sitemaps, other records and diagnostics.
 *
 * @param limits - limits of the records, and of the diagnostics. If lists are truncated, `totals` has the full lengths.
 */
export function documentReport(robots: RobotsTxt, limits: ListLimits = ALL): object {
  const records = robots.records();
  const groups = robots.groups();
  const sitemaps = records.filter(({ kind }) => kind === 'sitemap');
  const others = records.filter(({ kind }) => kind === 'other');
  const diagnostics = diagnose(robots);
  const [taken, takenDiagnostics] = [new BoundedLists(limits), new BoundedLists(limits)];
  const report = {
    profile: robots.profile.name,
    bytes: robots.bytes.length,
    truncated: robots.truncated,
    groups: takeGroups(groups, taken),
    sitemaps: taken.take(sitemaps),
    others: taken.take(others),
    diagnostics: takenDiagnostics
      .take(diagnostics)
      .map((each) => ({ ...each, message: describeDiagnostic(each) })),
  };
  if (!taken.isTruncated && !takenDiagnostics.isTruncated) return report;
  const rules = groups.reduce((count, group) => count + group.rules.length, 0);
  const totals = {
    groups: groups.length,
    rules,
    sitemaps: sitemaps.length,
    others: others.length,
    diagnostics: diagnostics.length,
  };
  return { ...report, totals };
}

/** Returns the first groups. The last may lack records. */
function takeGroups(groups: readonly Group[], lists: BoundedLists): Group[] {
  const taken: Group[] = [];
  for (const { userAgents, rules, others } of groups) {
    if (lists.isTruncated) break;
    taken.push({ userAgents: lists.take(userAgents), rules: lists.take(rules), others: lists.take(others) });
  }
  return taken;
}
