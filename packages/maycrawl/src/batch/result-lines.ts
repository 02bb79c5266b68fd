// Results of lines: text with a line for each result, and their counts.
import type { Block } from '../lines/line-reader.ts';

/** How many results there are of each kind. */
export interface Counts {
  readonly allowed: number;
  readonly disallowed: number;
  /** Results that are errors: there is no verdict. */
  readonly failed: number;
}

/** Whole lines of results, in the order of the lines that they are about. */
export interface ResultLines extends Counts {
  /** The lines in UTF-8, each with its line end. */
  readonly bytes: Uint8Array;
}

/** The length, in characters, from which a piece is full. Longer strings have memory of their own, which is collected less often. */
const FULL_CHARS = 32 * 1024;

/** A few results as text. It grows until it is full; then a new one begins. */
export class ResultPiece implements Counts {
  text = '';
  allowed = 0;
  disallowed = 0;
  failed = 0;

  /** Adds a result, without its line end. */
  add(kind: keyof Counts, result: string): void {
    this.text += `${result}\n`;
    this[kind]++;
  }

  get isFull(): boolean {
    return this.text.length >= FULL_CHARS;
  }
}

/** Judges blocks of lines. */
export interface LineJudge {
  /** Yields the results in their order, in pieces of which only the current one is in memory. */
  judge(block: Block): Iterable<ResultPiece>;
}

export function toResultLines({ text, allowed, disallowed, failed }: ResultPiece): ResultLines {
  return { bytes: Buffer.from(text), allowed, disallowed, failed };
}
