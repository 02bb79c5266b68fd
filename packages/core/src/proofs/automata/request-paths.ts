/**
 * Which paths can be in a request: a small automaton that knows what the URL standard makes of a URL (WHATWG URL, "path state"
 * and "query state"), so that nothing is proved about paths that nobody can ask for.
 *
 * A path begins with a slash. No segment of it is `.` or `..`, which are resolved before anybody asks; hex digits of `%xx` are in
 * upper case; a character that is always escaped does not stand in it as it is.
 *
 * @module
 */
import { isHexDigit, PERCENT, QUESTION, SLASH } from '../../bytes/ascii.ts';
import {
  Exception,
  IN_PATH,
  IN_QUERY,
  NO_PATH,
  PATH_STATES,
  type Paths,
  placesOfCharacters,
} from './paths.ts';

const DOT = 0x2e;

// A state is four small numbers in one.
/** How much of a `%xx` there is: nothing, `%`, `%2`, `%` and another digit in upper case, `%` and one in lower case. */
const [NO_ESCAPE, BEGUN, TWO, UPPER, LOWER] = [0, 1, 2, 3, 4] as const;
/** The segment so far: this many dots, or anything else. */
const OTHER = 3;
const DOTS_SHIFT = 3;
/** Behind {@link IN_QUERY}. */
const EXCEPTED_SHIFT = 6;

/** The paths that are compared as they are requested. */
export class RequestPaths implements Paths {
  readonly start: number = PATH_STATES - 1;
  /** For each character whether it can stand in a path, in a query. */
  readonly #places: Uint8Array = placesOfCharacters();
  readonly #excepted: Exception;

  /** @param excepted - a path that is no path here, because rules do not count for it; none if empty. */
  constructor(excepted: string) {
    this.#excepted = new Exception(excepted);
  }

  characters(): number[] {
    return Array.from(this.#places.keys()).filter((code) => this.#places[code] !== 0);
  }

  kindOf(code: number): string {
    const char = String.fromCharCode(code);
    if ('/?.%2E'.includes(char) || this.#excepted.has(char)) return char;
    return `${this.#places[code]} ${isLowerHex(code) ? 'lower' : isHexDigit(code) ? 'upper' : ''}`;
  }

  step(state: number, code: number): number {
    if (state === this.start)
      return code === SLASH ? this.#excepted.next(0, code) << EXCEPTED_SHIFT : NO_PATH;
    const escaped = state & 7;
    const dots = (state >> DOTS_SHIFT) & 3;
    const inQuery = state & IN_QUERY;
    if (((this.#places[code] as number) & (inQuery || IN_PATH)) === 0) return NO_PATH;
    const next = this.#excepted.next(state >> EXCEPTED_SHIFT, code) << EXCEPTED_SHIFT;
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
    return !this.#excepted.isWhole(state >> EXCEPTED_SHIFT);
  }

  requestOf(text: string): string {
    return text;
  }
}

function isDots(escaped: number, dots: number): boolean {
  return escaped === NO_ESCAPE && (dots === 1 || dots === 2);
}

function isLowerHex(code: number): boolean {
  return code >= 0x61 && code <= 0x66;
}
