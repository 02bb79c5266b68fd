/**
 * The paths of a profile that compares `decoded` (percent-encoding.ts), in the form in which they are compared: unreserved
 * characters, `/`, `?` and `%`. Every text of them that begins with a slash is the form of some request, but for those with a
 * segment `.` or `..`: what is reserved is `%XX` in it, and a `%` that begins no such octet stands for itself.
 *
 * @module
 */
import { isUnreserved, PERCENT, percentEncode, QUESTION, SLASH } from '../../bytes/ascii.ts';
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

// A state is three small numbers in one.
/** The segment so far: this many dots, or anything else. */
const OTHER = 3;
const DOTS = 3;
/** Behind {@link IN_QUERY}. */
const EXCEPTED_SHIFT = 6;

/** The paths that are compared decoded. */
export class ComparedPaths implements Paths {
  readonly start: number = PATH_STATES - 1;
  readonly #places: Uint8Array = placesOfCharacters();
  readonly #excepted: Exception;

  /** @param excepted - a path that is no path here, because rules do not count for it; none if empty. */
  constructor(excepted: string) {
    this.#excepted = new Exception(excepted);
  }

  characters(): number[] {
    const isOne = (code: number): boolean =>
      isUnreserved(code) || code === SLASH || code === QUESTION || code === PERCENT;
    return Array.from(this.#places.keys()).filter(isOne);
  }

  kindOf(code: number): string {
    const char = String.fromCharCode(code);
    // Of these the encoded delimiters are made (decoded-walk.ts).
    return '/?.%23F'.includes(char) || this.#excepted.has(char) ? char : '';
  }

  step(state: number, code: number): number {
    if (state === this.start)
      return code === SLASH ? this.#excepted.next(0, code) << EXCEPTED_SHIFT : NO_PATH;
    const dots = state & DOTS;
    const next = this.#excepted.next(state >> EXCEPTED_SHIFT, code) << EXCEPTED_SHIFT;
    if ((state & IN_QUERY) !== 0) return next | IN_QUERY | OTHER;
    if (code === SLASH || code === QUESTION) {
      if (isDots(dots)) return NO_PATH;
      return code === QUESTION ? next | IN_QUERY | OTHER : next;
    }
    return next | (code === DOT ? Math.min(dots + 1, OTHER) : OTHER);
  }

  accepts(state: number): boolean {
    return state !== this.start && !isDots(state & DOTS) && !this.#excepted.isWhole(state >> EXCEPTED_SHIFT);
  }

  requestOf(text: string): string {
    const queryStart = text.indexOf('?');
    return text.replace(
      /%([0-9A-Fa-f])([0-9A-Fa-f])/g,
      (octet, first: string, second: string, at: number) => {
        const code = Number.parseInt(octet.slice(1), 16);
        const isOctet = octet === octet.toUpperCase() && !isUnreserved(code);
        // Else it is a percent sign, and the digits behind it must not be taken for an octet.
        if (!isOctet) return `%${percentEncode(first.charCodeAt(0))}${second}`;
        const place = queryStart >= 0 && queryStart < at ? IN_QUERY : IN_PATH;
        const stays = code !== SLASH && code !== QUESTION && code !== PERCENT;
        return stays && ((this.#places[code] ?? 0) & place) !== 0 ? String.fromCharCode(code) : octet;
      },
    );
  }
}

function isDots(dots: number): boolean {
  return dots === 1 || dots === 2;
}
