/**
 * The bytes of a robots.txt and the options of parsing, shared by `RobotsTxt`, `Ruleset` and `Decision`. It does not know rules and
 * crawlers, and is not reachable from outside of this package.
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

/** The options of parsing, and the truncation of the file. */
export interface ParseContext {
  /** Whether the file exceeded the size limit. */
  readonly truncated: boolean;
  /** The text that the size limit cut from the last line. */
  readonly textAfterLimit: string;
  /** The size limit in bytes. */
  readonly maxBytes: number;
  readonly profile: Profile;
  /** `undefined` if the URL of the file is unknown. */
  readonly scope: Scope | undefined;
  readonly engine: Engine;
}

let lastContext: ParseContext | undefined;

/** Returns the previous object if it is equal, so that successive documents with the same options share one object. */
export function shareContext(context: ParseContext): ParseContext {
  const keys = Object.keys(context) as (keyof ParseContext)[];
  if (!keys.every((key) => context[key] === lastContext?.[key])) lastContext = context;
  return lastContext as ParseContext;
}

/** The bytes of a file and its {@link ParseContext}. */
export class Source {
  /** The bytes up to the size limit, as a byte string. */
  readonly content: string;
  readonly context: ParseContext;

  constructor(content: string, context: ParseContext) {
    this.content = content;
    this.context = context;
  }

  /** A copy of the bytes. */
  get bytes(): Uint8Array {
    return toBytes(this.content);
  }

  /** Memory in bytes. */
  get sizeInBytes(): number {
    return DOCUMENT_BYTES + estimateStringBytes(this.content);
  }

  /** Creates a scanner that is before the first line. */
  scan(): Scanner {
    return new Scanner(this.bytes, this.#exactFields);
  }

  /** Reads the record on line `line` whose value begins at byte `valueStart`. The record must exist. */
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
    return this.context.profile.fieldNames === 'exact';
  }
}

export function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}
