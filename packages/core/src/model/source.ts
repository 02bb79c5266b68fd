/**
 * The bytes of a robots.txt and how they are read: what `RobotsTxt`, `Ruleset` and `Decision` share. It knows no rules and no
 * crawlers, and no caller outside this package can reach it.
 *
 * @module
 */
import { CR, LF } from '../bytes/ascii.ts';
import { toBytes } from '../bytes/byte-string.ts';
import { DOCUMENT_BYTES, estimateStringBytes } from '../bytes/memory.ts';
import type { Profile } from '../crawler/profile.ts';
import type { Engine } from '../matching/engine.ts';
import type { Scope } from '../matching/target.ts';
import { type RobotsRecord, readRecord } from '../syntax/record.ts';
import { getByteOrderMarkLength, Scanner } from '../syntax/scanner.ts';

/** How a file is read. */
export interface Reading {
  /** Whether bytes beyond the size limit were omitted. */
  readonly truncated: boolean;
  /** What the size limit cut off the last line. */
  readonly cutText: string;
  /** The size limit in bytes. */
  readonly maxBytes: number;
  readonly profile: Profile;
  /** The origin that the file applies to, or why it applies to none; `undefined` if the file's URL is unknown. */
  readonly scope: Scope | undefined;
  readonly engine: Engine;
}

let lastReading: Reading | undefined;

/** Returns the previous object for an equal reading: documents without an origin of their own share one. */
export function shareReading(reading: Reading): Reading {
  const keys = Object.keys(reading) as (keyof Reading)[];
  if (!keys.every((key) => reading[key] === lastReading?.[key])) lastReading = reading;
  return lastReading as Reading;
}

/** The bytes of a file and how they are read. */
export class Source {
  /** The bytes up to the size limit, one character each. */
  readonly content: string;
  readonly reading: Reading;

  constructor(content: string, reading: Reading) {
    this.content = content;
    this.reading = reading;
  }

  /** A copy of the bytes. */
  get bytes(): Uint8Array {
    return toBytes(this.content);
  }

  /** Memory in bytes. */
  get sizeInBytes(): number {
    return DOCUMENT_BYTES + estimateStringBytes(this.content);
  }

  /** Creates a scanner of the lines. */
  scan(): Scanner {
    return new Scanner(this.bytes, this.#exactFields);
  }

  /** Reads the record on line number `line`, whose value begins at byte `valueStart`. There must be one. */
  readRecord(line: number, valueStart: number): RobotsRecord {
    const { content } = this;
    let start = valueStart;
    while (start > 0 && !isLineEnd(content.charCodeAt(start - 1))) start--;
    let end = valueStart;
    while (end < content.length && !isLineEnd(content.charCodeAt(end))) end++;
    const bytes = toBytes(content.slice(start, end));
    const scanner = new Scanner(bytes, this.#exactFields);
    scanner.readLine(line, start === 0 ? getByteOrderMarkLength(bytes) : 0, bytes.length);
    return readRecord(scanner);
  }

  get #exactFields(): boolean {
    return this.reading.profile.fieldNames === 'exact';
  }
}

export function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}
