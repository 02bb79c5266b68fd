/**
 * Answers to lines, as many as are handed on together.
 *
 * @module
 */
import type { Block } from '../../lines/line-reader.ts';
import type { Counts } from '../output/progress.ts';

/** A piece that has got this long is handed on. */
const FULL_CHARS = 256 * 1024;

/** A few answers as text, a line each, and how many there are. It grows until it is full; then a new one begins. */
export class AnswerPiece implements Counts {
  text = '';
  allowed = 0;
  disallowed = 0;
  failed = 0;

  /** Adds an answer, without its line end. */
  add(kind: keyof Counts, answer: string): void {
    this.text += `${answer}\n`;
    this[kind]++;
  }

  get isFull(): boolean {
    return this.text.length >= FULL_CHARS;
  }
}

/** Answers blocks of lines. */
export interface LineAnswerer {
  /** The answers in their order, in pieces of which only the current one is in memory. */
  answer(block: Block): Iterable<AnswerPiece>;
}
