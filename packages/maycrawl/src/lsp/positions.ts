// Positions of the Language Server Protocol (version 3.17, "Position" and "PositionEncodingKind"): a line from 0, and a character from 0 in
// UTF-16 code units or in bytes of UTF-8, as client and server agree. It knows texts, not robots.txt.
import type { Position, Range } from 'vscode-languageserver';

/** What the characters of positions count. */
export type PositionEncoding = 'utf-8' | 'utf-16';

/**
 * Selects the encoding of positions: the first one of the client's list that the server has, as the list is in order of preference. UTF-16
 * is the default of the protocol.
 */
export function selectEncoding(offered: readonly string[] = []): PositionEncoding {
  return offered.find((each) => each === 'utf-8' || each === 'utf-16') ?? 'utf-16';
}

const CR = 0x0d;
const LF = 0x0a;

/** A text by lines, which end at LF, CR or CR LF, as those of a robots.txt do. It is immutable. */
export class TextLines {
  readonly text: string;
  readonly encoding: PositionEncoding;
  /** The offsets in the text at which lines start. */
  readonly #starts: readonly number[];

  constructor(text: string, encoding: PositionEncoding) {
    this.text = text;
    this.encoding = encoding;
    this.#starts = findStarts(text);
  }

  /** The number of lines. The text after the last line end is a line, even if it is empty. */
  get count(): number {
    return this.#starts.length;
  }

  /** The text of a line without its end; empty if there is no such line. @param line - from 0. */
  getLine(line: number): string {
    return this.text.slice(this.getStart(line), this.getEnd(line));
  }

  /** The offset at which a line starts; the length of the text if there is no such line. */
  getStart(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  /** The offset at which the text of a line ends, before its line end. */
  getEnd(line: number): number {
    const next = this.#starts[line + 1];
    if (next === undefined) return this.text.length;
    const isPair = this.text.charCodeAt(next - 1) === LF && this.text.charCodeAt(next - 2) === CR;
    return Math.max(this.getStart(line), next - (isPair ? 2 : 1));
  }

  /** Converts a position to an offset in the text. A position beyond the end of its line is the end of the line. */
  toOffset({ line, character }: Position): number {
    const start = this.getStart(line);
    const end = this.getEnd(line);
    if (this.encoding === 'utf-16') return Math.max(start, Math.min(start + character, end));
    let [offset, bytes] = [start, 0];
    while (offset < end) {
      const char = this.text.codePointAt(offset) ?? 0;
      bytes += countBytes(char);
      if (bytes > character) break;
      offset += char > 0xffff ? 2 : 1;
    }
    return offset;
  }

  /** Converts an offset in the text to a position. An offset in a line end is the end of its line. */
  toPosition(offset: number): Position {
    const line = this.#findLine(offset);
    const start = this.getStart(line);
    const units = Math.min(offset, this.getEnd(line)) - start;
    return { line, character: this.#toCharacter(start, units) };
  }

  /** Converts offsets to a range. */
  toRange(start: number, end: number): Range {
    return { start: this.toPosition(start), end: this.toPosition(end) };
  }

  /** Returns the text in which a range, or everything, was replaced. */
  replace(range: Range | undefined, text: string): TextLines {
    if (range === undefined) return new TextLines(text, this.encoding);
    const [start, end] = [this.toOffset(range.start), this.toOffset(range.end)];
    const [from, to] = start <= end ? [start, end] : [end, start];
    return new TextLines(this.text.slice(0, from) + text + this.text.slice(to), this.encoding);
  }

  #toCharacter(start: number, units: number): number {
    // A position in the middle of a surrogate pair is no position: it is the one before the pair.
    const whole = isInPair(this.text, start + units) ? units - 1 : units;
    return this.encoding === 'utf-16' ? whole : Buffer.byteLength(this.text.slice(start, start + whole));
  }

  /** Finds the line of an offset by binary search. */
  #findLine(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

function findStarts(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) starts.push(at + 1);
  }
  return starts;
}

/** The length of a code point in UTF-8. A lone surrogate becomes U+FFFD, which has the same length as its code point would have. */
function countBytes(char: number): number {
  if (char < 0x80) return 1;
  if (char < 0x800) return 2;
  return char < 0x10000 ? 3 : 4;
}

/** Whether an offset is between the halves of a surrogate pair. */
export function isInPair(text: string, offset: number): boolean {
  return isSurrogate(text, offset - 1, 0xd800) && isSurrogate(text, offset, 0xdc00);
}

/** @param first - the first of the 1,024 surrogates: 0xd800 or 0xdc00. */
function isSurrogate(text: string, at: number, first: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= first && unit < first + 0x400;
}
