// Why a Content-Usage or Content-Signal line declares nothing.

import { explainDictionary } from '../../preferences/dictionary.ts';
import type { PreferenceLine } from '../../preferences/robots-txt/preference-lines.ts';
import { getColumn } from '../../syntax/record.ts';

/** A reason, and the place in the value where it is: in UTF-16 code units from 0. */
export interface SyntaxProblem {
  readonly reason: string;
  readonly offset: number;
}

/** Finds out why a line declares nothing. `undefined` if it declares something, or if only its labels or values are unknown. */
export function findSyntaxProblem(line: PreferenceLine): SyntaxProblem | undefined {
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
