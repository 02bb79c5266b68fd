// The thread that reads preferences for preferences-routes.ts. A long file, a long page and a long URL take seconds.
import { parse, type RobotsPolicy } from '@maycrawl/core';
import {
  createPolicyToken,
  findRefusalPromises,
  POLICY_TOKENS,
  type PreferenceReport,
  type PreferenceSources,
  readPreferences,
} from '@maycrawl/core/preferences';
import type { PreferenceReports } from '../../api/preferences-api.ts';
import { type FetchedSources, readFetchedSources } from '../../preferences/page-sources.ts';
import { BoundedLists, RESPONSE_LISTS } from '../../reports/bounded-list.ts';
import type { NamedAgent } from '../decide/agents.ts';
import { getProfile } from '../decide/profile-name.ts';

/** A request for the preferences about one URL. */
export interface PreferencesTask {
  readonly url: string;
  readonly origin: string;
  readonly agents: readonly NamedAgent[];
  /** The name of an existing profile. */
  readonly profile: string;
  /** The robots.txt, or the policy of an origin without one. */
  readonly robots: string | Uint8Array | Exclude<RobotsPolicy, { readonly kind: 'rules' }>;
  readonly sources: Omit<PreferenceSources, 'policy'>;
  /** What the service requested; `null` if it requested nothing. */
  readonly fetched: FetchedSources | null;
  /** Product tokens that are policy tokens in addition to the known ones. */
  readonly policyTokens: readonly string[];
}

/** Runs a task. @returns `{"reports", "sources", "isTruncated"}` in JSON. */
export function examine(task: PreferencesTask): string {
  const { url, origin, agents, robots, profile, fetched, policyTokens: tokens } = task;
  const found = fetched === null ? {} : readFetchedSources(url, fetched);
  const policy: RobotsPolicy =
    typeof robots === 'string' || robots instanceof Uint8Array
      ? {
          kind: 'rules',
          robots: parse(robots, { profile: getProfile(profile), url: `${origin}/robots.txt` }),
        }
      : robots;
  const policyTokens = [...POLICY_TOKENS, ...tokens.map((token) => createPolicyToken(token))];
  const lists = new BoundedLists(RESPONSE_LISTS);
  const reports = agents.map(({ name, crawler }) => {
    const report = readPreferences({ ...found, ...task.sources, policy }, crawler, url, { policyTokens });
    const promised = findRefusalPromises(Object.values(report.purposes), policyTokens);
    return limitReport({ ...report, ...promised, agent: name }, lists);
  });
  const sources = fetched === null ? undefined : describeSources(found, fetched, lists);
  return JSON.stringify({ reports, sources, isTruncated: lists.isTruncated });
}

/** Describes what was requested, without the headers and meta elements that cannot state preferences. */
function describeSources(
  { headers = [], metas = [], tdmrep = null }: Omit<PreferenceSources, 'tdmrep'> & { tdmrep?: string | null },
  { problems }: FetchedSources,
  lists: BoundedLists,
): NonNullable<PreferenceReports['sources']> {
  return {
    headers: lists.take(headers.map(([name, value]) => ({ name, value }))),
    metas: lists.take(metas),
    tdmrep,
    problems,
  };
}

/** Limits the lists of a report: a hundred statements can each name twenty agents, and conflicts repeat them. */
function limitReport<Report extends PreferenceReport>(report: Report, lists: BoundedLists): Report {
  const purposes = Object.entries(report.purposes).map(
    ([purpose, each]) => [purpose, { ...each, statements: lists.take(each.statements) }] as const,
  );
  return {
    ...report,
    purposes: Object.fromEntries(purposes),
    licenses: lists.take(report.licenses),
    conflicts: lists.take(report.conflicts),
    problems: lists.take(report.problems),
  };
}
