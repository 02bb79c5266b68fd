/**
 * The bytes of a robots.txt and the options of parsing. `RobotsTxt` extends it, because a second object for each file would take a tenth
 * of the memory of a typical file. It does not know rules and crawlers. Declaration files do not contain its internal members.
 *
 * @module
 */
import { CR, LF } from '../bytes/ascii.ts';
import { ARRAY_BYTES, DOCUMENT_BYTES, estimateStringBytes } from '../bytes/memory.ts';
import { decodeUtf8, encodeUtf8 } from '../bytes/platform.ts';
import type { Profile } from '../crawler/profile.ts';
import type { Engine } from '../matching/engine.ts';
import type { Scope } from '../matching/target.ts';
import { isAscii } from '../syntax/kernel.ts';
import { type RobotsRecord, readRecord } from '../syntax/record.ts';
import { type RuleLines, readRuleLines } from '../syntax/rule-lines.ts';
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

/** Creates a context, or returns the previous one if it is equal, so that successive documents with the same options share one object. */
export function getContext(
  truncated: boolean,
  textAfterLimit: string,
  maxBytes: number,
  profile: Profile,
  scope: Scope | undefined,
  engine: Engine,
): ParseContext {
  const last = lastContext;
  const isEqual =
    last !== undefined &&
    profile === last.profile &&
    maxBytes === last.maxBytes &&
    scope === last.scope &&
    engine === last.engine &&
    truncated === last.truncated &&
    textAfterLimit === last.textAfterLimit;
  if (isEqual) return last;
  lastContext = Object.freeze({ truncated, textAfterLimit, maxBytes, profile, scope, engine });
  return lastContext;
}

/** The bytes of a file and its {@link ParseContext}. */
export class Source {
  readonly #context: ParseContext;
  /** The bytes up to the size limit, which do not change, or an ASCII string, which takes less memory. */
  #content: Uint8Array | string;

  /** @param content - bytes that do not change, or an ASCII string. */
  constructor(content: Uint8Array | string, context: ParseContext) {
    this.#content = content;
    this.#context = context;
  }

  /** @internal */
  get context(): ParseContext {
    return this.#context;
  }

  /**
   * The file as a string if it is ASCII, otherwise `undefined`. A string then replaces the stored bytes.
   *
   * @internal
   */
  get text(): string | undefined {
    const content = this.#content;
    if (typeof content === 'string') return content;
    if (!isAscii(content)) return undefined;
    const text = decodeUtf8(content, 0, content.length);
    this.#content = text;
    return text;
  }

  /**
   * The file if it is stored as an ASCII string; otherwise empty.
   *
   * @internal
   */
  get storedText(): string {
    const content = this.#content;
    return typeof content === 'string' ? content : '';
  }

  /** A copy of the bytes up to the size limit. */
  get bytes(): Uint8Array {
    const content = this.#content;
    return typeof content === 'string' ? encodeUtf8(content) : new Uint8Array(content);
  }

  /** Memory in bytes (estimate). */
  get sizeInBytes(): number {
    const content = this.#content;
    return (
      DOCUMENT_BYTES +
      (typeof content === 'string' ? estimateStringBytes(content) : ARRAY_BYTES + content.length)
    );
  }

  /**
   * Creates a scanner that is before the first line of a copy of the bytes.
   *
   * @internal
   */
  scan(): Scanner {
    return new Scanner(this.bytes, requiresExactFields(this.#context));
  }

  /**
   * Reads the user-agent lines and rules. The result is valid until the lines of another file are read.
   *
   * @param path - rules that do not match it may be skipped.
   * @internal
   */
  readRuleLines(path?: { readonly text: string; readonly start: number }): RuleLines {
    return readRuleLines(this.#content, requiresExactFields(this.#context), path);
  }

  /**
   * Reads the record on line `line` whose value begins at byte `valueStart`. The record must exist.
   *
   * @internal
   */
  readRecord(line: number, valueStart: number): RobotsRecord {
    const content = this.#content;
    const isEnd = (at: number): boolean =>
      isLineEnd((typeof content === 'string' ? content.charCodeAt(at) : content[at]) as number);
    let start = valueStart;
    while (start > 0 && !isEnd(start - 1)) start--;
    let end = valueStart;
    while (end < content.length && !isEnd(end)) end++;
    const isString = typeof content === 'string';
    const bytes = isString ? encodeUtf8(content.slice(start, end)) : content;
    const scanner = new Scanner(bytes, requiresExactFields(this.#context));
    const markLength = start === 0 ? getByteOrderMarkLength(bytes) : 0;
    if (isString) scanner.readLine(line, markLength, bytes.length);
    else scanner.readLine(line, start + markLength, end);
    return readRecord(scanner);
  }
}

function requiresExactFields({ profile }: ParseContext): boolean {
  return profile.fieldNames === 'exact';
}

export function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}
