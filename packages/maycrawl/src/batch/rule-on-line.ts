/**
 * The rule of a verdict that was reached in one pass. The verdict itself reads its rule by parsing the whole file.
 *
 * @module
 */
import { type Profile, parse, type Rule } from '@maycrawl/core';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Reads the rule on a line.
 *
 * @param line - the number of a line that contains a rule, from 1.
 */
export function readRule(bytes: Uint8Array, line: number, profile: Profile | string): Rule {
  let start = 0;
  for (let before = 1; before < line; before++) start = findLineEnd(bytes, start) + 1;
  const text = bytes.subarray(start, findLineEnd(bytes, start));
  return parse(text, { profile }).records()[0] as Rule;
}

/** Returns the position of the last character of a line end: LF, CR, or CR and LF. */
function findLineEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 1 : at;
}
