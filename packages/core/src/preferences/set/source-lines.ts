// The lines of a file as byte strings, and their line ends, so that edits preserve all other bytes.
import { toByteString, toBytes } from '../../bytes/byte-string.ts';
import { getSource, type RobotsTxt } from '../../model/robots-txt.ts';
import { MAX_LINE_BYTES, type Scanner } from '../../syntax/scanner.ts';
import { findManagedBlocks, type ManagedBlock, readCommentTexts } from '../robots-txt/managed-blocks.ts';
import type { RawEdit } from './edit.ts';

/** A replacement of the characters `start` to `end` of a file. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The lines of a file, numbered from 1. */
export class SourceLines {
  /** The file as a byte string. */
  readonly content: string;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #scanner: Scanner;
  readonly #blocks: readonly ManagedBlock[];

  constructor(robots: RobotsTxt) {
    const scanner = getSource(robots).scan();
    const { bytes } = scanner;
    this.content = toByteString(bytes, 0, bytes.length);
    while (scanner.next()) {
      this.#starts.push(scanner.lineStart);
      this.#ends.push(scanner.lineEnd);
    }
    this.#scanner = scanner;
    this.#blocks = findManagedBlocks(readCommentTexts(robots));
  }

  /** Number of lines. The text after the last line end is a line, even if it is empty. */
  get count(): number {
    return this.#starts.length;
  }

  /** The last line with text or a line end; 0 in an empty file. */
  get last(): number {
    return this.getText(this.count) === '' ? this.count - 1 : this.count;
  }

  getText(line: number): string {
    return this.content.slice(this.#starts[line - 1], this.#ends[line - 1]);
  }

  /** Returns a scanner whose properties describe a line, until the next call. */
  scan(line: number): Scanner {
    this.#scanner.readLine(line, this.#starts[line - 1] as number, this.#ends[line - 1] as number);
    return this.#scanner;
  }

  /** Returns the vendor of the managed block that contains a line; `null` if the owner manages the line. */
  getVendor(line: number): string | null {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#blocks[middle] as ManagedBlock).last < line) low = middle + 1;
      else high = middle;
    }
    const block = this.#blocks[low];
    return block !== undefined && block.first <= line ? block.vendor : null;
  }

  /**
   * Returns a line with replacements in ascending order.
   *
   * @returns `null` if parsers would cut the new line.
   */
  replace(line: number, replacements: readonly Replacement[]): string | null {
    const [start, end] = [this.#starts[line - 1] as number, this.#ends[line - 1] as number];
    const parts: string[] = [];
    let copied = start;
    let growth = 0;
    for (const { start: from, end: to, text } of replacements) {
      parts.push(this.content.slice(copied, from), text);
      growth += text.length - (to - from);
      copied = to;
    }
    parts.push(this.content.slice(copied, end));
    return this.scan(line).valueEnd - start + growth > MAX_LINE_BYTES ? null : parts.join('');
  }

  /** Applies edits, which are in file order. Lines are added with the line end that is used at their place. */
  apply(edits: readonly RawEdit[]): Uint8Array {
    const parts = [this.content.slice(0, this.#starts[0])];
    let next = 0;
    let lineEnd = this.#findFirstLineEnd();
    // Whether the line before the current place has a line end.
    let isEnded = true;
    const add = (text: string, end: string): void => {
      if (!isEnded) parts.push(lineEnd);
      parts.push(text, end);
      isEnded = end !== '';
    };
    for (let line = 1; line <= this.count; line++) {
      const end = this.#getLineEnd(line);
      if (end !== '') lineEnd = end;
      const own: RawEdit[] = [];
      while ((edits[next]?.line ?? Number.POSITIVE_INFINITY) <= line) own.push(edits[next++] as RawEdit);
      const replacements = own.filter(({ removed }) => removed !== null);
      const text = this.getText(line);
      if (replacements.length > 0)
        for (const each of replacements.flatMap(({ added }) => added)) add(each, end);
      // The empty text after the last line end has no line end of its own.
      else if (line < this.count || text !== '') add(text, end);
      for (const { removed, added } of own)
        if (removed === null) for (const each of added) add(each, lineEnd);
    }
    return toBytes(parts.join(''));
  }

  #getLineEnd(line: number): string {
    return this.content.slice(this.#ends[line - 1], this.#starts[line]);
  }

  #findFirstLineEnd(): string {
    return this.count > 1 ? this.#getLineEnd(1) : '\n';
  }
}
