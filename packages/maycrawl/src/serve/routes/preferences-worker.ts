/**
 * The thread that reads preferences for preferences-routes.ts. A file of 500 KiB and a long URL take seconds for each crawler.
 *
 * @module
 */
import { parse, type RobotsPolicy } from '@maycrawl/core';
import {
  createPolicyToken,
  POLICY_TOKENS,
  type PreferenceReport,
  type PreferenceSources,
  readPreferences,
} from '@maycrawl/core/preferences';
import { ANSWER_LISTS, BoundedLists } from '../../reports/bounded-list.ts';
import type { NamedAgent } from '../decide/agents.ts';
import { getProfile } from '../decide/profile-name.ts';

/** A request for the preferences about one URL. */
export interface PreferencesTask {
  /** A URL with an origin. */
  readonly url: string;
  readonly origin: string;
  readonly agents: readonly NamedAgent[];
  /** The name of an existing profile. */
  readonly profile: string;
  /** The robots.txt, or the policy of an origin without one. */
  readonly robots: string | Uint8Array | Exclude<RobotsPolicy, { readonly kind: 'rules' }>;
  readonly sources: Omit<PreferenceSources, 'policy'>;
  /** Product tokens that are policy tokens in addition to the known ones. */
  readonly policyTokens: readonly string[];
}

/** Runs a task. @returns `{"reports", "isTruncated"}` in JSON. */
export function examine(task: PreferencesTask): string {
  const { url, origin, agents, robots, profile, policyTokens: tokens } = task;
  const policy: RobotsPolicy =
    typeof robots === 'string' || robots instanceof Uint8Array
      ? {
          kind: 'rules',
          robots: parse(robots, { profile: getProfile(profile), url: `${origin}/robots.txt` }),
        }
      : robots;
  const policyTokens = [...POLICY_TOKENS, ...tokens.map((token) => createPolicyToken(token))];
  const lists = new BoundedLists(ANSWER_LISTS);
  const reports = agents.map(({ name, crawler }) => {
    const report = readPreferences({ ...task.sources, policy }, crawler, url, { policyTokens });
    return limitReport({ ...report, agent: name }, lists);
  });
  return JSON.stringify({ reports, isTruncated: lists.isTruncated });
}

/** Limits the lists of a report: a hundred statements can each name twenty agents, and conflicts repeat them. */
function limitReport(report: PreferenceReport, lists: BoundedLists): PreferenceReport {
  const purposes = Object.entries(report.purposes).map(
    ([purpose, each]) => [purpose, { ...each, statements: lists.take(each.statements) }] as const,
  );
  return {
    ...report,
    purposes: Object.fromEntries(purposes),
    licenses: lists.take(report.licenses),
    conflicts: lists.take(report.conflicts),
  };
}
