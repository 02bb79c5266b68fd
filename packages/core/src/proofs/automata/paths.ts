/**
 * What a proof needs to know of the paths that it is about.
 *
 * @module
 */
import { toRequestPath } from '../../matching/request-path.ts';

/** What {@link Paths.step} returns where no path goes on so. */
export const NO_PATH = -1;

/** States of {@link Paths} are less. */
export const PATH_STATES: number = 1 << 11;

/** An automaton that accepts the texts that are matched: paths with their queries, in the form in which they are compared. */
export interface Paths {
  /** Before the first character. */
  readonly start: number;
  /** The characters that can stand in a text. */
  characters(): number[];
  /** Characters of the same kind lead to the same states. */
  kindOf(code: number): string;
  /** The state that follows on a character, or {@link NO_PATH}. */
  step(state: number, code: number): number;
  /** Whether a text may end in a state. */
  accepts(state: number): boolean;
  /** A path, as it is requested, that is compared in the form of an accepted text. */
  requestOf(text: string): string;
}

/** Where a character can stand as it is: no sum of them, one or both. */
export const IN_PATH = 1;
export const IN_QUERY: number = 1 << 5;

/** Printable ASCII. Whatever else a URL may hold is escaped in a request. */
const FIRST = 0x21;
const LAST = 0x7e;

/** For each character where it can stand in a request without being encoded (request-path.ts). */
export function placesOfCharacters(): Uint8Array {
  const places = new Uint8Array(LAST + 1);
  for (let code = FIRST; code <= LAST; code++) {
    const char = String.fromCharCode(code);
    const stays = (start: string): boolean => toRequestPath(`${start}${char}z`) === `${start}${char}z`;
    places[code] = (stays('/') ? IN_PATH : 0) | (stays('/?') ? IN_QUERY : 0);
  }
  return places;
}

/** How much of an exception there is, as a part of a state: one more than its length once the path differs from it. */
export class Exception {
  readonly #text: string;

  /** @param text - a path that is none here; none if empty. */
  constructor(text: string) {
    this.#text = text;
  }

  /** After one more character. */
  next(length: number, code: number): number {
    return this.#text.charCodeAt(length) === code ? length + 1 : this.#text.length + 1;
  }

  /** Whether that much is all of it. */
  isWhole(length: number): boolean {
    return this.#text !== '' && length === this.#text.length;
  }

  has(char: string): boolean {
    return this.#text.includes(char);
  }
}
