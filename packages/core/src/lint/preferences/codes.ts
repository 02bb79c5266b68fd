/**
 * Codes, severities and messages of the findings about preferences.
 *
 * @module
 */
import type { Severity } from '../../model/diagnostics.ts';

/** Codes of findings about Content-Usage and Content-Signal. */
export type PreferenceFindingCode =
  | 'preference-before-group'
  | 'preference-between-user-agents'
  | 'preference-after-last-group'
  | 'preference-missing-in-own-group'
  | 'use-without-crawl'
  | 'conflicting-preferences'
  | 'managed-block-conflict'
  | 'licence-comment-only'
  | 'invalid-preference'
  | 'unknown-preference-label'
  | 'old-preference-label'
  | 'unknown-preference-value';

/** None is an error: a declaration changes no verdict. */
export const PREFERENCE_SEVERITIES: Readonly<Record<PreferenceFindingCode, Severity>> = {
  'preference-before-group': 'warning',
  'preference-between-user-agents': 'warning',
  'preference-after-last-group': 'warning',
  'preference-missing-in-own-group': 'warning',
  'use-without-crawl': 'warning',
  'conflicting-preferences': 'warning',
  'managed-block-conflict': 'warning',
  'licence-comment-only': 'info',
  'invalid-preference': 'warning',
  'unknown-preference-label': 'warning',
  'old-preference-label': 'info',
  'unknown-preference-value': 'warning',
};

type Data = Readonly<Record<string, string | number>>;

export const PREFERENCE_MESSAGES: Readonly<Record<PreferenceFindingCode, (data: Data) => string>> = {
  'preference-before-group': ({ field }) =>
    `This ${field} is above the first user-agent line, so it belongs to no group and reaches no crawler that reads declarations by group. Move it below "User-agent: *".`,
  'preference-between-user-agents': ({ field, agent }) =>
    `The AIPREF draft ends the group above at this ${field}; crawlers that do not know the field do not, and apply the rules below to ${agent} too.`,
  'preference-after-last-group': ({ field, agents }) =>
    `This ${field} belongs to the group for ${agents}, because blank lines and comments do not end a group, and reaches no other crawler. If it is for all crawlers, move it below "User-agent: *".`,
  'preference-missing-in-own-group': ({ agents, lines }) =>
    `The preferences for "*" (${lines}) do not reach ${agents}: a crawler reads only its own group if it has one. Repeat them here.`,
  'use-without-crawl': ({ purposes, rule }) =>
    `This line allows ${purposes}, but line ${rule} forbids these crawlers to fetch any URL: a preference has no effect on content that may not be fetched.`,
  'conflicting-preferences': ({ verb, purposes, line, field, opposite }) =>
    `This line ${verb} ${purposes}, and line ${line} (${field}) ${opposite} it for the same crawlers and paths. maycrawl counts the refusal, as the AIPREF draft does; other readers do not document which line counts.`,
  'managed-block-conflict': ({ agent, vendor, lines, effect }) =>
    `The block that ${vendor} manages (${lines}) has a group for ${agent}, too, and crawlers combine both groups: ${effect}.`,
  'licence-comment-only': () =>
    'This comment explains content signals, but the file has no Content-Signal line: it declares no preference.',
  'invalid-preference': ({ field, reason }) => `This ${field} declares nothing: ${reason}.`,
  'unknown-preference-label': ({ field, labels, instead }) =>
    `${field} has no label ${labels}, so it declares nothing with it. ${instead}.`,
  'old-preference-label': ({ labels, instead }) =>
    `Only old AIPREF drafts define ${labels}; readers of the current draft ignore it. ${instead}.`,
  'unknown-preference-value': ({ field, members, instead }) =>
    `${field} does not define the value in ${members}, so it declares nothing with it. Write ${instead}.`,
};
