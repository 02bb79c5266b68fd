// What the formats cannot express, or state beyond the settings.
import { CRAWLERS } from '../../crawler/catalogue.ts';
import type { PreferenceLine } from '../robots-txt/preference-lines.ts';
import type { PreferenceFormat } from '../statement.ts';
import type { FileGroups } from './file-groups.ts';
import { type findTargets, getTokenFormat } from './plan-policy-tokens.ts';
import { LINE_FORMATS, labelSettings, type PreferenceSetting } from './setting.ts';

/**
 * The kind of a limit.
 *
 * - `purpose-without-label`: the format has no label for the purpose.
 * - `purposes-not-separable`: the rules for a token are about several purposes with different settings, so they state none.
 * - `further-purpose`: the rules for a token also state a preference about a purpose without a setting.
 * - `managed-statement`: a managed block states the opposite. The refusal outside of the block is stronger.
 * - `crawlers-without-global-group`: the crawlers do not obey the groups for `*`, and the file does not name them.
 */
export type LimitCode =
  | 'purpose-without-label'
  | 'purposes-not-separable'
  | 'further-purpose'
  | 'managed-statement'
  | 'crawlers-without-global-group';

const TOKEN_FORMATS = ['policy-token', 'usage-token'] as const;
type WritableTokenFormat = (typeof TOKEN_FORMATS)[number];

/** A limit of a format. */
export interface PreferenceLimit {
  readonly code: LimitCode;
  /** `null` if the limit is about the formats of lines alike. */
  readonly format: PreferenceFormat | 'usage-token' | null;
  /** The policy token; `null` if the limit is about none. */
  readonly token: string | null;
  /** The purpose; `null` if the limit is about all of them. */
  readonly purpose: string | null;
  /** A sentence for people. */
  readonly message: string;
}

export function listLimits(
  file: FileGroups,
  settings: readonly PreferenceSetting[],
  formats: ReadonlySet<string>,
  targets: ReturnType<typeof findTargets>,
  tolerated: readonly PreferenceLine[],
): PreferenceLimit[] {
  const lineFormats = LINE_FORMATS.filter((format) => formats.has(format));
  return [
    ...lineFormats.flatMap((format) =>
      settings
        .filter((setting) => labelSettings(format, [setting]).length === 0)
        .map(({ purpose }) => createMissingLabel(format, purpose)),
    ),
    ...TOKEN_FORMATS.filter((format) => formats.has(format)).flatMap((format) =>
      listTokenLimits(
        format,
        settings,
        targets.filter(({ token }) => getTokenFormat(token) === format),
      ),
    ),
    ...(formats.has('tdmrep') ? settings : [])
      .filter(({ purpose }) => purpose !== 'ai-train')
      .map(({ purpose }) => createMissingLabel('tdmrep', purpose)),
    ...tolerated.map(
      ({ format, record: { line, text } }): PreferenceLimit => ({
        ...{ code: 'managed-statement', format, token: null, purpose: null },
        message: `line ${line} of the managed block still states "${text}"; the refusal outside of the block is stronger`,
      }),
    ),
    ...(lineFormats.length > 0 ? listUnreached(file) : []),
  ];
}

function createMissingLabel(
  format: PreferenceFormat | WritableTokenFormat,
  purpose: string,
): PreferenceLimit {
  return {
    ...{ code: 'purpose-without-label', format, token: null, purpose },
    message: `the format ${format} has no way to state a preference about ${purpose}`,
  };
}

function listTokenLimits(
  format: WritableTokenFormat,
  settings: readonly PreferenceSetting[],
  targets: ReturnType<typeof findTargets>,
): PreferenceLimit[] {
  const stated = targets.filter(({ value }) => value !== null);
  const covered = new Set(stated.flatMap(({ token }) => token.purposes));
  const inseparable = targets.filter(({ value }) => value === null);
  const limits = settings
    .filter(
      ({ purpose }) =>
        !covered.has(purpose) && !inseparable.some(({ token }) => token.purposes.includes(purpose)),
    )
    .map(({ purpose }) => createMissingLabel(format, purpose));
  for (const { token, value } of targets) {
    const purposes = token.purposes.join(' and ');
    if (value === null)
      limits.push({
        ...{ code: 'purposes-not-separable', format, token: token.token, purpose: null },
        message: `the rules for ${token.token} are about ${purposes} together, so they cannot state different settings`,
      });
    else
      for (const purpose of token.purposes.filter(
        (each) => !settings.some((setting) => setting.purpose === each),
      ))
        limits.push({
          ...{ code: 'further-purpose', format, token: token.token, purpose },
          message: `a rule for ${token.token} ${value === 'allowed' ? 'allows' : 'refuses'} ${purpose}, too`,
        });
  }
  return limits;
}

/** A crawler that does not obey the groups for `*` reads no statement until a group names it. */
function listUnreached(file: FileGroups): PreferenceLimit[] {
  const names = CRAWLERS.filter(
    ({ obeys, tokens, header }) =>
      // Policy tokens send no requests, and have no header.
      obeys === 'own-rules' &&
      header !== null &&
      !tokens.some((token) => file.parts.has(token.toLowerCase())),
  ).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    {
      ...{ code: 'crawlers-without-global-group', format: null, token: null, purpose: null },
      message: `${names.join(', ')} do not obey the groups for "*", so no statement reaches them`,
    },
  ];
}
