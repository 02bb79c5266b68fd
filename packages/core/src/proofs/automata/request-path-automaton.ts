// Paths that can occur in a request, as the URL parser produces them (WHATWG URL Standard, "path state" and
// "query state"). Without it, proofs would consider paths that no client can request.
//
// A path begins with a slash. It has no segments `.` and `..`, which the parser resolves. Hexadecimal digits
// of `%xx` are in upper case. Characters that the parser always encodes do not occur.
import { isHexDigit, PERCENT, QUESTION, SLASH } from '../../bytes/ascii.ts';
import {
  createPositionTable,
  ExcludedPath,
  IN_PATH,
  IN_QUERY,
  NO_PATH,
  PATH_STATES,
  type PathAutomaton,
} from './path-automaton.ts';

const DOT = 0x2e;

// A state packs four small numbers: the escape, the segment, the part, and the progress in the excluded path.
/** Prefix of a `%xx`: none, `%`, `%2`, `%` and another digit or upper-case letter, `%` and a lower-case letter. */
const [NO_ESCAPE, BEGUN, TWO, UPPER, LOWER] = [0, 1, 2, 3, 4] as const;
/** Segment so far: the number of dots, or {@link OTHER} if it contains anything else. */
const OTHER = 3;
const DOTS_SHIFT = 3;
/** The bits above {@link IN_QUERY}. */
const EXCLUDED_SHIFT = 6;

export class RequestPathAutomaton implements PathAutomaton {
  readonly start: number = PATH_STATES - 1;
  /** Where each character can occur unencoded. */
  readonly #positions: Uint8Array = createPositionTable();
  readonly #excluded: ExcludedPath;

  /** @param excluded - a path to reject, because rules do not apply to it; the empty string for none. */
  constructor(excluded: string) {
    this.#excluded = new ExcludedPath(excluded);
  }

  characters(): number[] {
    return Array.from(this.#positions.keys()).filter((code) => this.#positions[code] !== 0);
  }

  getKind(code: number): string {
    const char = String.fromCharCode(code);
    if ('/?.%2E'.includes(char) || this.#excluded.has(char)) return char;
    return `${this.#positions[code]} ${isLowerHex(code) ? 'lower' : isHexDigit(code) ? 'upper' : ''}`;
  }

  step(state: number, code: number): number {
    if (state === this.start)
      return code === SLASH ? this.#excluded.next(0, code) << EXCLUDED_SHIFT : NO_PATH;
    const escaped = state & 7;
    const dots = (state >> DOTS_SHIFT) & 3;
    const inQuery = state & IN_QUERY;
    if (((this.#positions[code] as number) & (inQuery || IN_PATH)) === 0) return NO_PATH;
    const next = this.#excluded.next(state >> EXCLUDED_SHIFT, code) << EXCLUDED_SHIFT;
    if (inQuery === 0 && (code === SLASH || code === QUESTION)) {
      if (isDots(escaped, dots)) return NO_PATH;
      return code === QUESTION ? next | IN_QUERY | (OTHER << DOTS_SHIFT) : next;
    }
    if ((escaped === TWO || escaped === UPPER) && isLowerHex(code)) return NO_PATH;
    if (escaped === LOWER && isHexDigit(code)) return NO_PATH;
    const rest = next | inQuery;
    if (code === PERCENT) return rest | BEGUN | ((escaped === NO_ESCAPE ? dots : OTHER) << DOTS_SHIFT);
    if (escaped === BEGUN && isHexDigit(code)) {
      const isTwo = code === 0x32 && dots < OTHER;
      return rest | (isLowerHex(code) ? LOWER : isTwo ? TWO : UPPER) | ((isTwo ? dots : OTHER) << DOTS_SHIFT);
    }
    const isDot = (escaped === NO_ESCAPE && code === DOT) || (escaped === TWO && code === 0x45);
    return rest | ((isDot ? Math.min(dots + 1, OTHER) : OTHER) << DOTS_SHIFT);
  }

  accepts(state: number): boolean {
    if (state === this.start || isDots(state & 7, (state >> DOTS_SHIFT) & 3)) return false;
    return !this.#excluded.isComplete(state >> EXCLUDED_SHIFT);
  }

  toRequest(text: string): string {
    return text;
  }
}

function isDots(escaped: number, dots: number): boolean {
  return escaped === NO_ESCAPE && (dots === 1 || dots === 2);
}

function isLowerHex(code: number): boolean {
  return code >= 0x61 && code <= 0x66;
}
