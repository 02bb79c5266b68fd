// The automaton of valid paths, against which all proofs run.
import { toRequestPath } from '../../matching/request-path.ts';

/** Returned by {@link PathAutomaton.step} if no accepted text continues this way. */
export const NO_PATH = -1;

/** Exclusive upper bound of the states of a {@link PathAutomaton}. */
export const PATH_STATES: number = 1 << 11;

/**
 * Accepts the texts that patterns are matched against: paths with their queries, in the form in which they
 * are compared.
 */
export interface PathAutomaton {
  readonly start: number;
  characters(): number[];
  /** Returns a key; characters with the same key have the same transitions. */
  getKind(code: number): string;
  /** Returns the next state, or {@link NO_PATH}. */
  step(state: number, code: number): number;
  accepts(state: number): boolean;
  /** Returns a path as requested whose compared form is `text`, an accepted text. */
  toRequest(text: string): string;
}

/** Bits: where a character can occur unencoded. */
export const IN_PATH = 1;
export const IN_QUERY: number = 1 << 5;

/** Printable ASCII. All other characters of a URL are percent-encoded in a request. */
const FIRST = 0x21;
const LAST = 0x7e;

/**
 * Creates a table from ASCII codes to the positions in which the URL parser leaves the character unencoded
 * (request-path.ts): {@link IN_PATH}, {@link IN_QUERY}, both or 0.
 */
export function createPositionTable(): Uint8Array {
  const positions = new Uint8Array(LAST + 1);
  for (let code = FIRST; code <= LAST; code++) {
    const char = String.fromCharCode(code);
    const isKept = (start: string): boolean => toRequestPath(`${start}${char}z`) === `${start}${char}z`;
    positions[code] = (isKept('/') ? IN_PATH : 0) | (isKept('/?') ? IN_QUERY : 0);
  }
  return positions;
}

/**
 * Matches one path that is excluded. The progress is the length of the matched prefix, or the length of the
 * excluded path plus one after a mismatch.
 */
export class ExcludedPath {
  readonly #text: string;

  /** @param text - the excluded path; the empty string for none. */
  constructor(text: string) {
    this.#text = text;
  }

  next(progress: number, code: number): number {
    return this.#text.charCodeAt(progress) === code ? progress + 1 : this.#text.length + 1;
  }

  /** Returns whether the whole excluded path has been matched. */
  isComplete(progress: number): boolean {
    return this.#text !== '' && progress === this.#text.length;
  }

  has(char: string): boolean {
    return this.#text.includes(char);
  }
}
