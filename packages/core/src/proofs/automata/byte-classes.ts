// The alphabet of a proof: characters that neither the patterns nor the path automaton distinguishes form one
// byte class.
import { STAR } from '../../bytes/ascii.ts';
import type { PathAutomaton } from './path-automaton.ts';
import { END, type SortedPatterns } from './sorted-patterns.ts';

export interface ByteClass {
  /** The representative: the character that appears in examples. */
  readonly code: number;
  /** The character for pattern automata; negative if the class contains no character of any pattern. */
  readonly patternCode: number;
}

/** Partitions the alphabet of paths by several sets of patterns. */
export function findByteClasses(patterns: readonly SortedPatterns[], paths: PathAutomaton): ByteClass[] {
  const distinguished = new Set(patterns.flatMap((each) => [...each.characters()]));
  distinguished.delete(END);
  distinguished.delete(STAR);
  const classes: ByteClass[] = [];
  const others = new Map<string, number>();
  for (const code of paths.characters()) {
    if (distinguished.has(code)) {
      classes.push({ code, patternCode: code });
      continue;
    }
    const kind = paths.getKind(code);
    const representative = others.get(kind);
    if (representative === undefined || getRank(code) < getRank(representative)) others.set(kind, code);
  }
  for (const code of others.values()) classes.push({ code, patternCode: -1 });
  // The search tries classes in this order, so examples consist of readable characters.
  return classes.sort((a, b) => getRank(a.code) - getRank(b.code));
}

/** Sort key: slash, lower-case letters, other letters and digits, then the rest. */
function getRank(code: number): number {
  const char = String.fromCharCode(code);
  const kind = char === '/' ? 0 : /[a-z]/.test(char) ? 1 : /[A-Z0-9]/.test(char) ? 2 : 3;
  return kind * 256 + code;
}
