// Paths of a profile that compares `decoded` (percent-encoding.ts), in the form in which they are compared.
//
// The alphabet is the unreserved characters, `/`, `?` and `%`. Each text over it that begins with a slash is
// the compared form of some request, except texts with a segment `.` or `..`. A reserved character is `%XX`
// in this form. A `%` that does not begin such a triplet represents itself.
import { isUnreserved, PERCENT, percentEncode, QUESTION, SLASH } from '../../bytes/ascii.ts';
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

// A state packs three small numbers: the segment, the part, and the progress in the excluded path.
/** Segment so far: the number of dots, or {@link OTHER} if it contains anything else. */
const OTHER = 3;
const DOTS = 3;
/** The bits above {@link IN_QUERY}. */
const EXCLUDED_SHIFT = 6;

export class DecodedPathAutomaton implements PathAutomaton {
  readonly start: number = PATH_STATES - 1;
  readonly #positions: Uint8Array = createPositionTable();
  readonly #excluded: ExcludedPath;

  /** @param excluded - a path to reject, because rules do not apply to it; the empty string for none. */
  constructor(excluded: string) {
    this.#excluded = new ExcludedPath(excluded);
  }

  characters(): number[] {
    const isInAlphabet = (code: number): boolean =>
      isUnreserved(code) || code === SLASH || code === QUESTION || code === PERCENT;
    return Array.from(this.#positions.keys()).filter(isInAlphabet);
  }

  getKind(code: number): string {
    const char = String.fromCharCode(code);
    // The characters of encoded delimiters (decoded-rule-automaton.ts).
    return '/?.%23F'.includes(char) || this.#excluded.has(char) ? char : '';
  }

  step(state: number, code: number): number {
    if (state === this.start)
      return code === SLASH ? this.#excluded.next(0, code) << EXCLUDED_SHIFT : NO_PATH;
    const dots = state & DOTS;
    const next = this.#excluded.next(state >> EXCLUDED_SHIFT, code) << EXCLUDED_SHIFT;
    if ((state & IN_QUERY) !== 0) return next | IN_QUERY | OTHER;
    if (code === SLASH || code === QUESTION) {
      if (isDots(dots)) return NO_PATH;
      return code === QUESTION ? next | IN_QUERY | OTHER : next;
    }
    return next | (code === DOT ? Math.min(dots + 1, OTHER) : OTHER);
  }

  accepts(state: number): boolean {
    return (
      state !== this.start && !isDots(state & DOTS) && !this.#excluded.isComplete(state >> EXCLUDED_SHIFT)
    );
  }

  toRequest(text: string): string {
    const queryStart = text.indexOf('?');
    return text.replace(
      /%([0-9A-Fa-f])([0-9A-Fa-f])/g,
      (octet, first: string, second: string, at: number) => {
        const code = Number.parseInt(octet.slice(1), 16);
        const isOctet = octet === octet.toUpperCase() && !isUnreserved(code);
        // Otherwise `%` represents itself. The first digit is encoded so that the request has no triplet here.
        if (!isOctet) return `%${percentEncode(first.charCodeAt(0))}${second}`;
        const position = queryStart >= 0 && queryStart < at ? IN_QUERY : IN_PATH;
        const isKept = code !== SLASH && code !== QUESTION && code !== PERCENT;
        return isKept && ((this.#positions[code] ?? 0) & position) !== 0 ? String.fromCharCode(code) : octet;
      },
    );
  }
}

function isDots(dots: number): boolean {
  return dots === 1 || dots === 2;
}
