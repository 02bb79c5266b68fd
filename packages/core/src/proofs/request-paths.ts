/**
 * Which paths can be in a request: a small automaton that knows what the URL standard makes of a URL (WHATWG URL, "path state"
 * and "query state"), so that nothing is proved about paths that nobody can ask for.
 *
 * A path begins with a slash. No segment of it is `.` or `..`, which are resolved before anybody asks; hex digits of `%xx` are in
 * upper case; a character that is always escaped does not stand in it as it is.
 *
 * @module
 */
import { HASH, isHexDigit, PERCENT, QUESTION, SLASH } from '../ascii.ts';
import { WebUrl } from '../platform.ts';

/** What {@link RequestPaths.step} returns where no path goes on so. */
export const NO_PATH = -1;

/** Printable ASCII. Whatever else a URL may hold is escaped in a request. */
const FIRST = 0x21;
const LAST = 0x7e;
const DOT = 0x2e;

// A state is four small numbers in one.
/** How much of a `%xx` there is: nothing, `%`, `%2`, `%` and another digit in upper case, `%` and one in lower case. */
const [NO_ESCAPE, BEGUN, TWO, UPPER, LOWER] = [0, 1, 2, 3, 4] as const;
/** The segment so far: this many dots, or anything else. */
const OTHER = 3;
const DOTS_SHIFT = 3;
const IN_QUERY = 1 << 5;
/** How much of the exception there is; one more than its length if the path differs from it. */
const EXCEPTED_SHIFT = 6;

/** Where a character can stand; the other place is {@link IN_QUERY}. */
const IN_PATH = 1;

/** States are less. */
export const PATH_STATES: number = 1 << 11;

/** The automaton. Its states are numbers below 2048; it begins in state {@link RequestPaths.start}. */
export class RequestPaths {
  /** Before the first character. */
  readonly start: number = PATH_STATES - 1;
  /** For each character whether it can stand in a path, in a query. */
  readonly #allowed: Uint8Array = new Uint8Array(LAST + 1);
  readonly #excepted: string;

  /** @param excepted - a path that is no path here, because rules do not count for it; none if empty. */
  constructor(excepted: string) {
    this.#excepted = excepted;
    for (let code = FIRST; code <= LAST; code++) {
      const char = String.fromCharCode(code);
      const stays = (start: string): boolean =>
        new WebUrl(`http://h${start}${char}z`).href.endsWith(`${start}${char}z`);
      this.#allowed[code] = (stays('/') ? IN_PATH : 0) | (stays('/?') ? IN_QUERY : 0);
    }
    // It ends what is asked for.
    this.#allowed[HASH] = 0;
  }

  /** The characters that can stand in a path or a query. */
  characters(): number[] {
    return Array.from(this.#allowed.keys()).filter((code) => this.#allowed[code] !== 0);
  }

  /** Characters of the same kind lead to the same states. */
  kindOf(code: number): string {
    const char = String.fromCharCode(code);
    if (`/?.%2E${this.#excepted}`.includes(char)) return char;
    return `${this.#allowed[code]} ${isLowerHex(code) ? 'lower' : isHexDigit(code) ? 'upper' : ''}`;
  }

  /** The state that follows on a character, or {@link NO_PATH}. */
  step(state: number, code: number): number {
    if (state === this.start) return code === SLASH ? this.#excepting(0, code) : NO_PATH;
    const escaped = state & 7;
    const dots = (state >> DOTS_SHIFT) & 3;
    const inQuery = state & IN_QUERY;
    if (((this.#allowed[code] as number) & (inQuery || IN_PATH)) === 0) return NO_PATH;
    const next = this.#excepting(state >> EXCEPTED_SHIFT, code);
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

  /** Whether a path may end in a state. */
  accepts(state: number): boolean {
    if (state === this.start || isDots(state & 7, (state >> DOTS_SHIFT) & 3)) return false;
    const length = this.#excepted.length;
    return length === 0 || state >> EXCEPTED_SHIFT !== length;
  }

  /** After one more character, how much of the exception there is: shifted to its place. */
  #excepting(length: number, code: number): number {
    const excepted = this.#excepted;
    return (excepted.charCodeAt(length) === code ? length + 1 : excepted.length + 1) << EXCEPTED_SHIFT;
  }
}

function isDots(escaped: number, dots: number): boolean {
  return escaped === NO_ESCAPE && (dots === 1 || dots === 2);
}

function isLowerHex(code: number): boolean {
  return code >= 0x61 && code <= 0x66;
}
