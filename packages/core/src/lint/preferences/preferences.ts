// Findings about preferences for the use of content: Content-Usage and Content-Signal lines, and blocks that vendors manage.

import type { RobotsTxt } from '../../model/robots-txt.ts';
import { explainDictionary } from '../../preferences/dictionary.ts';
import { findManagedBlocks, readCommentTexts } from '../../preferences/robots-txt/managed-blocks.ts';
import { type PreferenceLine, readPreferenceLines } from '../../preferences/robots-txt/preference-lines.ts';
import { type Group, getColumn } from '../../syntax/record.ts';
import { createFinding, type Finding } from '../finding.ts';
import { combineByToken, lintConflicts, lintOwnGroups, lintUseWithoutCrawl } from './groups.ts';
import { lintLabels } from './labels.ts';
import { lintLicenceComment, lintManagedBlocks } from './managed-blocks.ts';
import { lintAboveGroups, lintBetweenAgents, lintLastGroup } from './placement.ts';

/**
 * Lints the preferences of a file. These are the findings of `lint` about declarations and managed blocks, in no particular order.
 *
 * @param groups - those of the file.
 * @param spelled - lines that other fixes replace, by their numbers. @defaultValue none
 */
export function lintPreferences(
  robots: RobotsTxt,
  groups: readonly Group[] = robots.groups(),
  spelled: ReadonlyMap<number, string | null> = new Map(),
): Finding[] {
  const comments = readCommentTexts(robots);
  const managed = lintManagedBlocks(comments, groups, robots.profile);
  const lines = readPreferenceLines(robots);
  if (lines.size === 0) return [...managed, ...lintLicenceComment(comments)];
  const declaring = groups.map((group) => ({
    ...group,
    declared: group.others.flatMap(({ line }) => lines.get(line) ?? []),
  }));
  const combined = combineByToken(declaring, robots.profile);
  const file = { robots, groups: declaring, combined, blocks: findManagedBlocks(comments), spelled };
  const last = lintLastGroup(file, lines.values());
  return [
    ...managed,
    ...[...lines.values()].flatMap(lintSyntax),
    ...lintAboveGroups(file, lines.values()),
    ...lintBetweenAgents(declaring, lines),
    ...lintOwnGroups(robots, declaring, combined, spelled),
    ...last,
    // The author of a declaration for all crawlers does not mean the rules of the last group.
    ...(last.length > 0 ? [] : lintUseWithoutCrawl(declaring, combined)),
    ...lintConflicts(declaring),
  ];
}

function lintSyntax(line: PreferenceLine): Finding[] {
  const problem = findSyntaxProblem(line);
  if (problem === undefined) return lintLabels(line);
  const { reason, offset } = problem;
  return [createFinding('invalid-preference', line.record, { field: line.record.field, reason }, offset)];
}

/** A reason, and the place in the value where it is: in UTF-16 code units from 0. */
interface SyntaxProblem {
  readonly reason: string;
  readonly offset: number;
}

/** Finds out why a line declares nothing. `undefined` if it declares something, or if only its labels or values are unknown. */
function findSyntaxProblem(line: PreferenceLine): SyntaxProblem | undefined {
  const { format, declaration, keys, valueStart } = line;
  if (declaration.isClean && declaration.keys.length > 0) return undefined;
  const { bytes, start, end } = keys;
  const at = (offset: number, reason: string): SyntaxProblem => ({
    reason,
    offset: getColumn(bytes, valueStart, offset) - 1,
  });
  if (start === end) return at(start, 'it has no labels');
  if (format === 'content-usage') {
    const problem = explainDictionary(bytes, start, end);
    return at(problem.at, problem.reason);
  }
  // Other members of a content signal count.
  return declaration.keys.length > 0
    ? undefined
    : at(start, 'no part of it has the form "label=yes" or "label=no"');
}
