/**
 * The alphabet of a proof: characters that no pattern and no rule about paths can tell from one another form one byte class.
 *
 * @module
 */
import { STAR } from '../../bytes/ascii.ts';
import { END, type SortedPatterns } from '../../matching/sorted-patterns.ts';
import type { Paths } from './paths.ts';

/** Some characters, of which one stands for all. */
export interface ByteClass {
  /** The character that is shown. */
  readonly code: number;
  /** The character for patterns: negative if it stands in none. */
  readonly inPatterns: number;
}

/** The byte classes for several sets of patterns. */
export function findByteClasses(patterns: readonly SortedPatterns[], paths: Paths): ByteClass[] {
  const known = new Set(patterns.flatMap((each) => [...each.characters()]));
  known.delete(END);
  known.delete(STAR);
  const classes: ByteClass[] = [];
  const others = new Map<string, number>();
  for (const code of paths.characters()) {
    if (known.has(code)) {
      classes.push({ code, inPatterns: code });
      continue;
    }
    const kind = paths.kindOf(code);
    const shown = others.get(kind);
    if (shown === undefined || rank(code) < rank(shown)) others.set(kind, code);
  }
  for (const code of others.values()) classes.push({ code, inPatterns: -1 });
  // Shortest examples come in this order: what reads well first.
  return classes.sort((a, b) => rank(a.code) - rank(b.code));
}

/** Slash and lower-case letters first, then other letters and digits, then the rest. */
function rank(code: number): number {
  const char = String.fromCharCode(code);
  const kind = char === '/' ? 0 : /[a-z]/.test(char) ? 1 : /[A-Z0-9]/.test(char) ? 2 : 3;
  return kind * 256 + code;
}
