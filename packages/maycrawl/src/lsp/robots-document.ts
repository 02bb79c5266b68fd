// A robots.txt that is open in an editor: its text, and what is read from it when it is needed. A change creates a new document, so that the
// results of slow work belong to the text for which they were computed.
import { type Group, MAX_FILE_BYTES, parse, type RobotsRecord, type RobotsTxt } from '@maycrawl/core';
import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { type PositionEncoding, TextLines } from './positions.ts';

/** Characters after the size limit that are parsed, so that the finding about it quotes the rest of its line. */
const MORE_CHARACTERS = 300;

/** Characters of the start of a file: several thousand lines. */
const MAX_HEAD = 100_000;

/** A position in the text of a file as findings have it: columns count UTF-16 code units; lines and columns start at 1. */
interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A version of an open file. It is immutable. */
export class RobotsDocument {
  readonly uri: string;
  readonly version: number;
  readonly lines: TextLines;
  #robots: RobotsTxt | undefined;
  #records: readonly RobotsRecord[] | undefined;
  #groups: readonly Group[] | undefined;
  #head: RobotsDocument | undefined;

  constructor(uri: string, version: number, lines: TextLines) {
    this.uri = uri;
    this.version = version;
    this.lines = lines;
  }

  static open(uri: string, version: number, text: string, encoding: PositionEncoding): RobotsDocument {
    return new RobotsDocument(uri, version, new TextLines(text, encoding));
  }

  /** Applies changes in their order: each one is about the text that the former ones produced. */
  change(changes: readonly TextDocumentContentChangeEvent[], version: number): RobotsDocument {
    let { lines } = this;
    for (const change of changes)
      lines = lines.replace('range' in change ? change.range : undefined, change.text);
    return new RobotsDocument(this.uri, version, lines);
  }

  /** The text that counts: what a parser reads, and a little more. */
  get parsedText(): string {
    return this.lines.text.slice(0, MAX_FILE_BYTES + MORE_CHARACTERS);
  }

  get robots(): RobotsTxt {
    this.#robots ??= parse(this.parsedText);
    return this.#robots;
  }

  get records(): readonly RobotsRecord[] {
    this.#records ??= this.robots.records();
    return this.#records;
  }

  get groups(): readonly Group[] {
    this.#groups ??= this.robots.groups();
    return this.#groups;
  }

  /** Returns the record on a line, of which it reads only this line. @param line - from 1. */
  findRecord(line: number): RobotsRecord | undefined {
    const end = this.lines.getEnd(line - 1);
    if (end > this.parsedText.length) return undefined;
    const [record] = parse(this.lines.text.slice(this.lines.getStart(line - 1), end)).records();
    return record && { ...record, line };
  }

  /** The start of the file, by whole lines, for what is for people and would take long for all of a large file. */
  get head(): RobotsDocument {
    const { lines, uri, version } = this;
    if (lines.text.length <= MAX_HEAD) return this;
    const { line } = lines.toPosition(MAX_HEAD);
    const text = lines.text.slice(0, lines.getStart(line));
    this.#head ??= new RobotsDocument(uri, version, new TextLines(text, lines.encoding));
    return this.#head;
  }

  /** Converts a place of a finding or record to a range of the protocol. */
  toRange({ line, column, length }: Place): Range {
    const index = line - 1;
    const shift = line === 1 ? getShift(this.lines.text) : 0;
    const [start, end] = [this.lines.getStart(index), this.lines.getEnd(index)];
    const clamp = (offset: number): number => Math.max(start, Math.min(offset, end));
    const from = start + column - 1 + shift;
    return this.lines.toRange(clamp(from), clamp(from + length));
  }

  /** The range of a whole line, without its end. @param line - from 1. */
  toLineRange(line: number): Range {
    return this.lines.toRange(this.lines.getStart(line - 1), this.lines.getEnd(line - 1));
  }

  /** Whether a position is in the field of a record, or before it. */
  isInField({ line, column, field }: RobotsRecord, position: Position): boolean {
    const { end } = this.toRange({ line, column, length: field.length });
    return position.line === end.line && position.character <= end.character;
  }
}

/**
 * The number of UTF-16 code units by which the columns of the first line are too small. The parser skips a byte order mark, and also a part of
 * one (U+F000 to U+FFFF begin with its first byte), and counts from there; what remains of a character has a column for each byte.
 */
function getShift(text: string): number {
  const first = text.charCodeAt(0);
  if (first === 0xfeff) return 1;
  // EF BB, and one byte that remains.
  if (first >= 0xfec0 && first <= 0xfeff) return 0;
  // EF, and two bytes that remain.
  return first >= 0xf000 && first <= 0xffff ? -1 : 0;
}
