// Collects the rules of the groups that apply to a crawler (RFC 9309 section 2.2.1; Google's robots.txt page, on grouping).
//
// Groups are selected by bits: bit 0 is the crawler's preferred token set, bit 1 the next set, and so on. The bit after the last set
// is `*`.
import type { AgentTokens } from '../crawler/crawler.ts';
import { ALLOW, DISALLOW, USER_AGENT } from './fields.ts';
import { GroupCursor } from './group-cursor.ts';
import { findExtendedTokenEnd, findTokenEnd, isGlobalAgent } from './record.ts';
import type { RuleLines } from './rule-lines.ts';

/** A rule, and the byte offsets of its value in the file. */
export interface CollectedRule {
  readonly isAllow: boolean;
  readonly line: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface Collected {
  /** The bit of the selected groups; 0 if no group applies. */
  readonly chosen: number;
  readonly rules: readonly CollectedRule[];
  readonly named: NamedTokens;
}

/** The tokens of a set that user-agent lines name; `undefined` if no set has several tokens. */
export type NamedTokens = ReadonlySet<string> | undefined;

/** Creates an empty set for {@link matchTokenSets} if a set of the crawler has several tokens. */
export function createNamedTokens({ tokenSets }: AgentTokens): Set<string> | undefined {
  // Only bare tokens form a set, and they are the only set of their crawler.
  return tokenSets.length === 1 && (tokenSets[0] as readonly string[]).length > 1 ? new Set() : undefined;
}

/** Collects the rules of the groups that apply to a crawler, in file order. */
export function collectRules(lines: RuleLines, agentTokens: AgentTokens): Collected {
  const found: { readonly bits: number; readonly rule: CollectedRule }[] = [];
  let seen = 0;
  let bits = 0;
  const cursor = new GroupCursor();
  const named = createNamedTokens(agentTokens);
  while (lines.next()) {
    const { kind, line, valueStart, valueEnd } = lines;
    if (kind === USER_AGENT) {
      if (cursor.readAgent()) bits = 0;
      bits |= matchTokenSets(lines.bytes, valueStart, valueEnd, agentTokens, named);
      seen |= bits;
    } else if (kind === ALLOW || kind === DISALLOW) {
      cursor.endList();
      if (bits !== 0) found.push({ bits, rule: { isAllow: kind === ALLOW, line, valueStart, valueEnd } });
    }
  }
  const chosen = seen & -seen;
  return { chosen, rules: found.filter((each) => (each.bits & chosen) !== 0).map(({ rule }) => rule), named };
}

/**
 * Returns the bits of the token sets that a user-agent value names. The bit of `*` is only set for crawlers that obey the groups for
 * `*`.
 *
 * @param named - receives the tokens that the value names.
 */
export function matchTokenSets(
  bytes: Uint8Array,
  start: number,
  end: number,
  { tokenSets, obeysGlobal }: AgentTokens,
  named?: Set<string>,
): number {
  if (isGlobalAgent(bytes, start, end)) return obeysGlobal ? 1 << tokenSets.length : 0;
  let bits = 0;
  for (let rank = 0; rank < tokenSets.length; rank++)
    for (const token of tokenSets[rank] as readonly string[])
      if (namesToken(bytes, start, end, token)) {
        bits |= 1 << rank;
        named?.add(token);
      }
  return bits;
}

/** Whether a user-agent value names a token: whether it equals the whole product token or the whole extended token. */
function namesToken(bytes: Uint8Array, start: number, end: number, token: string): boolean {
  const tokenEnd = start + token.length;
  if (tokenEnd > end || !isToken(bytes, start, token)) return false;
  const productEnd = findTokenEnd(bytes, start, end);
  return tokenEnd === productEnd || tokenEnd === findExtendedTokenEnd(bytes, productEnd, end);
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
