/**
 * Collects the rules of the groups that apply to a crawler (RFC 9309 section 2.2.1; Google's robots.txt page, on grouping).
 *
 * Groups are selected by bits: bit 0 is the crawler's preferred token set, bit 1 the next set, and so on. The bit after the last set
 * is `*`.
 *
 * @module
 */
import type { Preference } from '../crawler/crawler.ts';
import { ALLOW, DISALLOW, USER_AGENT } from './fields.ts';
import { findExtendedTokenEnd, findTokenEnd, isGlobalAgent } from './record.ts';
import type { Scanner } from './scanner.ts';

/** A rule, and the byte offsets of its value in the file. */
export interface CollectedRule {
  readonly isAllow: boolean;
  readonly line: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The rules of the groups that apply to a crawler. */
export interface Collected {
  /** The bit of the selected groups; 0 if no group applies. */
  readonly chosen: number;
  readonly rules: readonly CollectedRule[];
}

/** Collects the rules of the groups that apply to a crawler, in file order. */
export function collectRules(scanner: Scanner, preference: Preference): Collected {
  const found: { readonly bits: number; readonly rule: CollectedRule }[] = [];
  let seen = 0;
  let bits = 0;
  let isListClosed = false;
  while (scanner.next()) {
    const { kind, line, valueStart, valueEnd } = scanner;
    if (kind === USER_AGENT) {
      if (isListClosed) bits = 0;
      isListClosed = false;
      bits |= matchTokenSets(scanner.bytes, valueStart, valueEnd, preference);
      seen |= bits;
    } else if (kind === ALLOW || kind === DISALLOW) {
      isListClosed = true;
      if (bits !== 0) found.push({ bits, rule: { isAllow: kind === ALLOW, line, valueStart, valueEnd } });
    }
  }
  const chosen = seen & -seen;
  return { chosen, rules: found.filter((each) => (each.bits & chosen) !== 0).map(({ rule }) => rule) };
}

/**
 * Returns the bits of the token sets that a user-agent value names. The bit of `*` is only set for crawlers that obey the groups for
 * `*`.
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
      // A token must equal the whole product token or the whole extended token. These differ: only the latter has digits or dots.
      const tokenStop = start + token.length;
      if ((tokenStop === productEnd || tokenStop === extendedEnd) && isToken(bytes, start, token))
        bits |= 1 << rank;
    }
  }
  return bits;
}

/** Whether the bytes at `start` are `token`, case-insensitively. */
function isToken(bytes: Uint8Array, start: number, token: string): boolean {
  for (let i = 0; i < token.length; i++) {
    const byte = bytes[start + i] as number;
    const char = token.charCodeAt(i);
    // With this bit set, `_`, `-`, `.` and digits still differ from each other and from all letters.
    if ((byte | 0x20) !== (char | 0x20)) return false;
  }
  return true;
}
