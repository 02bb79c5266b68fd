// Patterns that match every path, and rules that disallow every URL.
import { SLASH, STAR } from '../bytes/ascii.ts';
import type { Profile } from '../crawler/profile.ts';
import type { Rule } from '../syntax/record.ts';
import { reducePattern } from './create-rule-table.ts';
import { ANCHORED_FLAG, type Entry } from './rule-table.ts';

/** Whether an entry of a rule table matches every path. All paths start with a slash. */
export function isTotalEntry({ pattern, isAnchored }: Pick<Entry, 'pattern' | 'isAnchored'>): boolean {
  return !isAnchored && (pattern === '' || pattern === '/' || pattern === '*/');
}

/** Whether the value of a rule is a pattern that matches every path: `/`, `*`, `/*$` and others. */
export function isTotalPattern(value: string): boolean {
  if (!startsPath(value)) return false;
  const { stored: pattern, flags } = reducePattern(value);
  return isTotalEntry({ pattern, isAnchored: (flags & ANCHORED_FLAG) !== 0 });
}

/** Whether an allow rule may match a path. Patterns that start with neither `/` nor `*` never match, unless the profile adds a slash. */
export function hasEffectiveAllow(rules: readonly Rule[], { missingSlash }: Profile): boolean {
  return rules.some(
    ({ kind, value }) => kind === 'allow' && value !== '' && (missingSlash === 'add' || startsPath(value)),
  );
}

/** Finds the rule that disallows every URL, if there is one and no rule allows a URL. */
export function findTotalDisallow(rules: readonly Rule[], profile: Profile): Rule | undefined {
  if (hasEffectiveAllow(rules, profile)) return undefined;
  return rules.find(({ kind, value }) => kind === 'disallow' && isTotalPattern(value));
}

function startsPath(value: string): boolean {
  const first = value.charCodeAt(0);
  return first === SLASH || first === STAR;
}
