// The bytes of a robots.txt and the options of parsing, from which `RobotsTxt` and `Ruleset` read everything. It does not know rules and
// crawlers.
import { CR, LF } from '../bytes/ascii.ts';
import { type OptionTypes, quoteValue } from '../bytes/check-options.ts';
import { ARRAY_BYTES, DOCUMENT_BYTES, estimateStringBytes } from '../bytes/memory.ts';
import { decodeUtf8, encodeUtf8 } from '../bytes/platform.ts';
import type { UrlInput } from '../bytes/url.ts';
import { GOOGLE, type Profile, resolveProfile } from '../crawler/profile.ts';
import { getScope, type Scope } from '../matching/target.ts';
import { isAscii } from '../syntax/kernel.ts';
import { type RobotsRecord, readRecord } from '../syntax/record.ts';
import { type RuleLines, readRuleLines } from '../syntax/rule-lines.ts';
import { getByteOrderMarkLength, Scanner } from '../syntax/scanner.ts';

/** Default size limit: 500 KiB, as on Google's robots.txt page. RFC 9309 section 2.5 requires at least that. */
export const MAX_FILE_BYTES = 512_000;

/** Options of `parse`. */
export interface ParseOptions {
  /**
   * A profile, or the name of a built-in profile.
   *
   * @defaultValue `google`
   */
  readonly profile?: Profile | string;
  /**
   * The URL from which the file was requested, before any redirect. URLs of other origins are then out of scope.
   *
   * @defaultValue `undefined`: the file applies to all URLs
   */
  readonly url?: UrlInput;
  /**
   * Size limit in bytes. The rest of the file is ignored. `Infinity` disables the limit.
   *
   * @defaultValue {@link MAX_FILE_BYTES}
   */
  readonly maxBytes?: number;
}

export const PARSE_OPTIONS: OptionTypes<ParseOptions> = {
  profile: ['string', 'object'],
  url: ['string', 'object'],
  maxBytes: 'number',
};

const NO_OPTIONS: ParseOptions = {};

/** The options of parsing, and the truncation of the file. */
export interface ParseContext {
  readonly truncated: boolean;
  /** The text that the size limit cut from the last line. */
  readonly textAfterLimit: string;
  readonly maxBytes: number;
  readonly profile: Profile;
  /** `undefined` if the URL of the file is unknown. */
  readonly scope: Scope | undefined;
}

let lastContext: ParseContext | undefined;

/** Creates a context, or returns the previous one if it is equal, so that successive documents with the same options share one object. */
function getContext(
  truncated: boolean,
  textAfterLimit: string,
  maxBytes: number,
  profile: Profile,
  scope: Scope | undefined,
): ParseContext {
  const last = lastContext;
  const isEqual =
    last !== undefined &&
    profile === last.profile &&
    maxBytes === last.maxBytes &&
    scope === last.scope &&
    truncated === last.truncated &&
    textAfterLimit === last.textAfterLimit;
  if (isEqual) return last;
  lastContext = Object.freeze({ truncated, textAfterLimit, maxBytes, profile, scope });
  return lastContext;
}

/** The bytes of a file and its {@link ParseContext}. */
export class Source {
  readonly context: ParseContext;
  /** The bytes up to the size limit, which do not change, or an ASCII string, which takes less memory. */
  #content: Uint8Array | string;

  /** @param content - bytes that do not change, or an ASCII string. */
  constructor(content: Uint8Array | string, context: ParseContext) {
    this.#content = content;
    this.context = context;
  }

  /** The file as a string if it is ASCII, otherwise `undefined`. A string then replaces the stored bytes. */
  get text(): string | undefined {
    const content = this.#content;
    if (typeof content === 'string') return content;
    if (!isAscii(content)) return undefined;
    const text = decodeUtf8(content, 0, content.length);
    this.#content = text;
    return text;
  }

  /** A copy of the bytes up to the size limit. */
  get bytes(): Uint8Array {
    const content = this.#content;
    return typeof content === 'string' ? encodeUtf8(content) : new Uint8Array(content);
  }

  get sizeInBytes(): number {
    const content = this.#content;
    return (
      DOCUMENT_BYTES +
      (typeof content === 'string' ? estimateStringBytes(content) : ARRAY_BYTES + content.length)
    );
  }

  /** Creates a scanner that is before the first line of a copy of the bytes. */
  scan(): Scanner {
    return new Scanner(this.bytes, requiresExactFields(this.context));
  }

  /**
   * Reads the user-agent lines and rules. The result is valid until the lines of another file are read.
   *
   * @param path - rules that do not match it may be skipped.
   */
  readRuleLines(path?: { readonly text: string; readonly start: number }): RuleLines {
    return readRuleLines(this.#content, requiresExactFields(this.context), path);
  }

  /** Reads the record on line `line` whose value begins at byte `valueStart`. The record must exist. */
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
    const scanner = new Scanner(bytes, requiresExactFields(this.context));
    const markLength = start === 0 ? getByteOrderMarkLength(bytes) : 0;
    if (isString) scanner.readLine(line, markLength, bytes.length);
    else scanner.readLine(line, start + markLength, end);
    return readRecord(scanner);
  }
}

/**
 * Creates the source of a file. The caller checks names and types of the options.
 *
 * @param isCopied - copies the bytes. Without it, the source must not be used after they change.
 * @throws {TypeError} if `content` is neither a `Uint8Array` nor a string.
 * @throws {RangeError} if `maxBytes` is not a number of bytes, and as `resolveProfile` and `getScope` do.
 */
export function createSource(
  content: Uint8Array | string,
  options: ParseOptions | undefined,
  isCopied: boolean,
): Source {
  const { maxBytes = MAX_FILE_BYTES, url, profile: chosen = GOOGLE } = options ?? NO_OPTIONS;
  if (maxBytes !== MAX_FILE_BYTES && !isByteCount(maxBytes))
    throw new RangeError(`maxBytes must be a non-negative integer or Infinity, not ${String(maxBytes)}`);
  const profile = resolveProfile(chosen);
  const scope = url === undefined ? undefined : getScope(url);
  const bytes = requireBytes(content);
  const truncated = bytes.length > maxBytes;
  const textAfterLimit = truncated ? readTextAfterLimit(bytes, maxBytes) : '';
  const context = getContext(truncated, textAfterLimit, maxBytes, profile, scope);
  // An ASCII string is stored as it is.
  if (typeof content === 'string' && !truncated && bytes.length === content.length)
    return new Source(content, context);
  const kept = truncated ? bytes.subarray(0, maxBytes) : bytes;
  return new Source(isCopied ? copyContent(kept) : kept, context);
}

function isByteCount(value: number): boolean {
  return value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0);
}

/** Limit of bytes that are copied to a string. The header of a typed array hardly counts in a longer file, and its bytes are copied faster. */
const MAX_STRING_BYTES = 2048;

function copyContent(bytes: Uint8Array): Uint8Array | string {
  const isString = bytes.length <= MAX_STRING_BYTES && isAscii(bytes);
  // The method `slice` of a Node Buffer does not copy.
  return isString ? decodeUtf8(bytes, 0, bytes.length) : new Uint8Array(bytes);
}

const MAX_TEXT_AFTER_LIMIT = 200;

/**
 * Reads the text from the size limit to the end of its line. If the end of the line is unknown, the text ends with an ellipsis: a client
 * may store only one byte beyond the limit.
 */
function readTextAfterLimit(bytes: Uint8Array, limit: number): string {
  const maxEnd = Math.min(bytes.length, limit + MAX_TEXT_AFTER_LIMIT);
  let end = limit;
  while (end < maxEnd && !isLineEnd(bytes[end] as number)) end++;
  const isEndKnown = end < maxEnd || (end === bytes.length && end - limit > 1);
  if (isEndKnown) return decodeUtf8(bytes, limit, end);
  // A decoder replaces a character that is cut.
  return `${decodeUtf8(bytes, limit, end).replace(/\ufffd$/, '')}…`;
}

/**
 * Converts the content of a file to bytes.
 *
 * @throws {TypeError} if `content` is neither a `Uint8Array` nor a string.
 */
function requireBytes(content: Uint8Array | string): Uint8Array {
  if (content instanceof Uint8Array) return content;
  if (typeof content === 'string') return encodeUtf8(content);
  // A Uint8Array of another realm.
  if (Object.prototype.toString.call(content) === '[object Uint8Array]') return content as Uint8Array;
  throw new TypeError(`content must be a Uint8Array or a string, not ${quoteValue(content)}`);
}

function requiresExactFields({ profile }: ParseContext): boolean {
  return profile.fieldNames === 'exact';
}

export function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}
