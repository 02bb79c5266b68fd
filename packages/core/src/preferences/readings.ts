// Readings: interpretations of points that the formats leave open. Every report has the values of `grouped` and `global`, and those of
// the other readings where they differ.
import { freezeDeep } from '../bytes/freeze.ts';
import type { Declaration } from './declaration.ts';
import type { Grouping } from './robots-txt/declared-lines.ts';
import type { LicenseLine, Reach, RobotsDeclaration } from './robots-txt/robots-declarations.ts';
import type { Claim } from './statement.ts';

/** An interpretation of the open points. */
export interface Reading {
  readonly name: string;
  /** Whether a Content-Usage line ends a list of user-agent lines. */
  readonly grouping: Grouping;
  /** Whether declarations of `*` and of no group also reach crawlers that have groups of their own. */
  readonly isGlobal: boolean;
  /** Whether the declaration with the longest path replaces shorter ones label by label, instead of as a whole. */
  readonly isByLabel: boolean;
  /** Whether the paths of declarations are prefixes, instead of patterns with `*` and `$`. */
  readonly isPrefix: boolean;
  /** Whether labels that only older versions of a format define count. */
  readonly hasOldLabels: boolean;
  /** Whether an RSL licence that permits some usages prohibits the others. */
  readonly isExclusive: boolean;
  /** Whether a License line in a group reaches only the crawlers of the group, and replaces those outside of groups for them. */
  readonly hasGroupLicenses: boolean;
}

const GROUPED: Reading = {
  name: 'grouped',
  grouping: 'own',
  isGlobal: false,
  isByLabel: false,
  isPrefix: false,
  hasOldLabels: true,
  isExclusive: true,
  hasGroupLicenses: false,
};

/** All readings. The first one decides the value in a report. */
export const READINGS: readonly [Reading, Reading, ...Reading[]] = /* @__PURE__ */ freezeDeep([
  GROUPED,
  { ...GROUPED, name: 'global', isGlobal: true },
  { ...GROUPED, name: 'robots-groups', grouping: 'robots' },
  { ...GROUPED, name: 'label-by-label', isByLabel: true },
  { ...GROUPED, name: 'path-prefix', isPrefix: true },
  { ...GROUPED, name: 'current-labels', hasOldLabels: false },
  { ...GROUPED, name: 'listed-usages', isExclusive: false },
  { ...GROUPED, name: 'group-licenses', hasGroupLicenses: true },
]);

/**
 * Selects the claims about a purpose that decide under a reading: those of the longest path. Declarations on paths of the same length
 * count together.
 *
 * @param matching - the declarations of one format whose paths match the URL.
 */
export function selectClaims(
  matching: readonly RobotsDeclaration[],
  purpose: string,
  reading: Reading,
): Claim[] {
  const selected = getTiers(reading).map((reach) =>
    selectLongest(
      matching.filter((each) => each.reach[reading.grouping] === reach),
      purpose,
      reading,
    ),
  );
  // Claims without a usable value explain why the value is unknown.
  return selected.find((claims) => claims.some(isUsable)) ?? selected.flat();
}

function isUsable({ statement }: Claim): boolean {
  return statement.value !== 'unknown';
}

function getTiers({ isGlobal }: Reading): readonly Reach[] {
  return isGlobal ? ['agent', 'all'] : ['agent'];
}

function selectLongest(declarations: readonly Declaration[], purpose: string, reading: Reading): Claim[] {
  const groups = declarations.map((declaration) => ({
    length: declaration.pattern?.length ?? 0,
    claims: selectClosest(declaration, purpose, reading),
  }));
  const candidates = reading.isByLabel ? groups.filter(({ claims }) => claims.some(isUsable)) : groups;
  let longest = 0;
  for (const { length } of candidates) longest = Math.max(longest, length);
  return candidates.flatMap(({ length, claims }) => (length === longest ? claims : []));
}

/** Within a declaration, a label about the purpose replaces labels of wider categories. */
export function selectClosest(
  { claims }: { readonly claims: readonly Claim[] },
  purpose: string,
  { hasOldLabels }: Reading,
): Claim[] {
  const all = claims.filter(
    ({ statement, isCurrent }) => statement.purpose === purpose && (hasOldLabels || isCurrent),
  );
  const about = all.some(isUsable) ? all.filter(isUsable) : all;
  let closest = Number.POSITIVE_INFINITY;
  for (const { distance } of about) closest = Math.min(closest, distance);
  return about.filter(({ distance }) => distance === closest);
}

/**
 * Selects the License lines that apply under a reading: all lines of the file, because a licence is not tied to a user agent (guide of RSL),
 * and generators write it at the end, in the last group. `group-licenses`: those of the crawler's groups, otherwise those that no group
 * contains.
 */
export function selectLicenses(lines: readonly LicenseLine[], reading: Reading): readonly LicenseLine[] {
  if (!reading.hasGroupLicenses) return lines;
  const own = lines.filter(({ reach }) => reach[reading.grouping] === 'agent');
  return own.length > 0 ? own : lines.filter(({ isUngrouped }) => isUngrouped);
}
