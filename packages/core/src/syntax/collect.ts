/**
 * Collecting the rules that concern a crawler (RFC 9309 section 2.2.1; Google's page, on grouping).
 *
 * @module
 */
import type { Preference } from '../crawler/crawler.ts';
import { ALLOW, DISALLOW, USER_AGENT } from './fields.ts';
import { findExtendedTokenEnd, isGlobalAgent, findTokenEnd } from './record.ts';
import type { Scanner } from './scanner.ts';

/** A rule, and where its value stands in the file. */
export interface CollectedRule {
  readonly isAllow: boolean;
  readonly line: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The rules of the groups that apply to a crawler. */
export interface Collected {
  /** The bit of these groups: of the most preferred that there are; 0 if none applies. See {@link matchTokenSets}. */
  readonly chosen: number;
  readonly rules: readonly CollectedRule[];
}

/** Collects the rules of the groups that apply to a crawler, in the order of the file. */
export function collectRules(scanner: Scanner, preference: Preference): Collected {
  const found: { readonly bits: number; readonly rule: CollectedRule }[] = [];
  let seen = 0;
  let bits = 0;
  let closed = false;
  while (scanner.next()) {
    const { kind, line, valueStart, valueEnd } = scanner;
    if (kind === USER_AGENT) {
      if (closed) bits = 0;
      closed = false;
      bits |= matchTokenSets(scanner.bytes, valueStart, valueEnd, preference);
      seen |= bits;
    } else if (kind === ALLOW || kind === DISALLOW) {
      closed = true;
      if (bits !== 0) found.push({ bits, rule: { isAllow: kind === ALLOW, line, valueStart, valueEnd } });
    }
  }
  const chosen = seen & -seen;
  return { chosen, rules: found.filter((each) => (each.bits & chosen) !== 0).map(({ rule }) => rule) };
}

/**
 * The bits of the tokenSets of tokens that a user-agent value names: the most preferred set has the lowest bit, and `*`, for a
 * crawler that obeys it, the next above the last.
 */
export function matchTokenSets(
  bytes: Uint8Array,
  start: number,
  end: number,
  { tokenSets, obeysGlobal }: Preference,
): number {
  if (isGlobalAgent(bytes, start, end)) return obeysGlobal ? 1 << tokenSets.length : 0;
  const productEnd = findTokenEnd(bytes, start, end);
  const extendedEnd = findExtendedTokenEnd(bytes, productEnd, end);
  let bits = 0;
  for (let rank = 0; rank < tokenSets.length; rank++) {
    for (const token of tokenSets[rank] as readonly string[]) {
      // Both kinds are compared whole. An extended token has a digit or a dot, so it never equals a product token.
      const tokenStop = start + token.length;
      if ((tokenStop === productEnd || tokenStop === extendedEnd) && isToken(bytes, start, token))
        bits |= 1 << rank;
    }
  }
  return bits;
}

/** Whether `token` stands at `start`, without case. Both have only letters, digits, `_`, `-` and `.`, or they differ. */
function isToken(bytes: Uint8Array, start: number, token: string): boolean {
  for (let i = 0; i < token.length; i++) {
    const byte = bytes[start + i] as number;
    const char = token.charCodeAt(i);
    // `_`, `-`, `.` and digits differ from each other and from every letter also with this bit set.
    if ((byte | 0x20) !== (char | 0x20)) return false;
  }
  return true;
}
