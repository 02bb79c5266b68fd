// The changes between two files for all URLs and crawlers, as data for messages between threads.
import { type Allowed, type Disallowed, parse, type RobotsTxt } from '@maycrawl/core';
import { compareDeclarations } from '@maycrawl/core/preferences';
import { compareFiles, compareRecords } from '@maycrawl/core/proofs';
import { declarationsReport, RESPONSE_LISTS, type WatchJson } from 'maycrawl/api';
import { COMPARISON_TEXTS } from '../../shared/text.ts';
import type { Content } from '../state/robots-file.ts';

/** A deciding rule; `null` if it does not exist. */
type DecidingRule = { readonly line: number; readonly kind: string; readonly text: string } | null;

/** A change, with a shortest example. */
export interface Change {
  readonly direction: 'blocked' | 'allowed';
  readonly example: string;
  readonly before: DecidingRule;
  readonly after: DecidingRule;
}

/** Changes for crawlers that obey the same groups. */
export interface ChangeGroup {
  /** Names; `*` is any other crawler. */
  readonly crawlers: readonly string[];
  /** Whether the proof is complete. */
  readonly isDecided: boolean;
  readonly changes: readonly Change[];
  /** The number of further changes. */
  readonly more: number;
}

export interface Comparison {
  readonly isEquivalent: boolean;
  readonly sentence: string;
  /** Crawlers with changes, or that were not decided. */
  readonly groups: readonly ChangeGroup[];
  /** The changes of declarations about the use of content; `null` if the comparison failed. */
  readonly declarations: WatchJson<'DeclarationComparison'> | null;
}

/** Changes of a group that are listed. */
const MAX_CHANGES = 200;

/** Compares two files. */
export function compare(before: Content, after: Content, profile: string): Comparison {
  const [was, is] = [parse(before, { profile }), parse(after, { profile })];
  const { equivalent, comparisons } = compareFiles(was, is);
  const groups = comparisons
    .filter(({ changes, equivalent: isEquivalent }) => changes.length > 0 || isEquivalent === null)
    .map(({ crawlers, changes, equivalent: isEquivalent }) => ({
      crawlers: crawlers.map(({ name }) => name),
      isDecided: isEquivalent !== null,
      changes: changes.slice(0, MAX_CHANGES).map(({ direction, example, before: old, after: now }) => {
        return { direction, example, before: getDecidingRule(old), after: getDecidingRule(now) };
      }),
      more: Math.max(0, changes.length - MAX_CHANGES),
    }));
  const declarations = declarationsReport(compareDeclarations(was, is), RESPONSE_LISTS);
  const sentence =
    equivalent === true
      ? describeEquivalence(was, is, declarations.equivalent === true)
      : equivalent === null
        ? COMPARISON_TEXTS.undecided
        : COMPARISON_TEXTS.changed;
  return { isEquivalent: equivalent === true, sentence, groups, declarations };
}

function getDecidingRule({ line, rule }: Allowed | Disallowed): DecidingRule {
  return rule === null ? null : { line, kind: rule.kind, text: rule.text };
}

/** Describes files with the same verdicts. */
function describeEquivalence(before: RobotsTxt, after: RobotsTxt, hasSameDeclarations: boolean): string {
  const [old, now] = [before.bytes, after.bytes];
  if (old.length === now.length && old.every((byte, at) => byte === now[at]))
    return COMPARISON_TEXTS.identical;
  const { equivalent, changedAgents, hasSitemapChanges, hasUngroupedChanges } = compareRecords(before, after);
  const hasOtherChanges = changedAgents.length > 0 || hasSitemapChanges || hasUngroupedChanges;
  if (!hasSameDeclarations || hasOtherChanges || equivalent === null)
    return 'The verdicts are the same for every crawler and URL. Other records than rules changed.';
  if (listGroups(before) !== listGroups(after))
    return 'The verdicts are the same for every crawler and URL. Groups or rules changed that make no difference.';
  return 'The verdicts are the same for every crawler and URL. Only formatting changed.';
}

/** Groups, in order. Stars at the end of a pattern are formatting. */
function listGroups(robots: RobotsTxt): string {
  return JSON.stringify(
    robots
      .groups()
      .map(({ userAgents, rules }) => [
        userAgents.map(({ value }) => value.toLowerCase()),
        rules.map(({ kind, value }) => [kind, trimStars(value)]),
      ]),
  );
}

function trimStars(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === '*') end--;
  return pattern.slice(0, end);
}
