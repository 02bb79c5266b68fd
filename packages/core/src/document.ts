/**
 * The parsed robots.txt. It keeps the bytes; groups, records and rulesets are read from them when asked for.
 *
 * @module
 */
import { CR, LF } from './ascii.ts';
import { isAsciiString, toByteString, toBytes } from './byte-string.ts';
import type { CrawlerLike } from './crawler.ts';
import type { Engine } from './engine.ts';
import { NO_RECORD } from './fields.ts';
import { readGroups } from './groups.ts';
import { DOCUMENT_BYTES, stringBytes } from './memory.ts';
import { decodeUtf8, encodeUtf8 } from './platform.ts';
import { GOOGLE, type Profile, resolveProfile } from './profile.ts';
import { type Group, type RobotsRecord, readRecord } from './record.ts';
import { findPreference } from './resolve-agent.ts';
import { compileRules, Ruleset } from './ruleset.ts';
import { byteOrderMarkLength, Scanner } from './scanner.ts';
import { type Scope, scopeOf } from './target.ts';

/** Of a file, this many bytes count (Google's page: 500 KiB; RFC 9309 section 2.5 asks for at least that). */
export const MAX_FILE_BYTES = 512_000;

/** How to read a robots.txt. */
export interface ParseOptions {
  /** A profile, or the name of one; `google` if left out. */
  readonly profile?: Profile | string;
  /**
   * The URL at which the file was asked for, before any redirect. With it, URLs of other origins are out of scope;
   * without it, the file is taken to speak for every URL.
   */
  readonly url?: string;
  /** How many bytes of the file count; {@link MAX_FILE_BYTES} if left out, `Infinity` for all. */
  readonly maxBytes?: number;
}

/**
 * Requires options that can be understood. The name of a profile in place of the options would otherwise pass unnoticed.
 *
 * @throws {TypeError} if they are no object, or `url` is no string.
 * @throws {RangeError} for a `maxBytes` that is no number of bytes.
 */
export function requireOptions(options: ParseOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`options are an object, not ${String(options)}`);
  const { maxBytes, url } = options;
  if (maxBytes !== undefined && !isByteCount(maxBytes))
    throw new RangeError(`maxBytes is a number of bytes from 0 on, not ${String(maxBytes)}`);
  if (url !== undefined && typeof url !== 'string')
    throw new TypeError(`the URL of a robots.txt is a string, not ${String(url)}`);
}

function isByteCount(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 0);
}

/** Parses a robots.txt for an engine. See `parse`. */
export function parseFor(engine: Engine, content: Uint8Array | string, options: ParseOptions): RobotsTxt {
  requireOptions(options);
  const { maxBytes = MAX_FILE_BYTES, url } = options;
  const profile = resolveProfile(options.profile ?? GOOGLE);
  const scope = url === undefined ? undefined : scopeOf(url);
  // A string of ASCII is its own byte string.
  if (typeof content === 'string' && content.length <= maxBytes && isAsciiString(content)) {
    return new RobotsTxt(
      content,
      mannerOf({ truncated: false, cutText: '', maxBytes, profile, scope, engine }),
    );
  }
  const bytes = requireBytes(content);
  const end = Math.min(bytes.length, maxBytes);
  const truncated = bytes.length > end;
  const cutText = truncated ? readCutText(bytes, end) : '';
  return new RobotsTxt(
    toByteString(bytes, 0, end),
    mannerOf({ truncated, cutText, maxBytes, profile, scope, engine }),
  );
}

/** Characters of a cut line that a diagnostic quotes. */
const MAX_CUT_TEXT = 200;

/**
 * The text from the size limit to the end of the line that the limit cuts, with an ellipsis if its end is not known: a fetch keeps
 * one byte more than counts.
 */
function readCutText(bytes: Uint8Array, limit: number): string {
  const most = Math.min(bytes.length, limit + MAX_CUT_TEXT);
  let end = limit;
  while (end < most && !isLineEnd(bytes[end] as number)) end++;
  const isEndKnown = end < most || (end === bytes.length && end - limit > 1);
  return decodeUtf8(bytes, limit, end) + (isEndKnown ? '' : '…');
}

/** The bytes of a file that may be given as a string. @throws {TypeError} if it is neither. */
export function requireBytes(content: Uint8Array | string): Uint8Array {
  if (content instanceof Uint8Array) return content;
  if (typeof content === 'string') return encodeUtf8(content);
  // An array from another realm is one too.
  if (Object.prototype.toString.call(content) === '[object Uint8Array]') return content as Uint8Array;
  throw new TypeError(`a robots.txt is a Uint8Array or a string, not ${String(content)}`);
}

/** How a document was read. */
interface Manner {
  readonly truncated: boolean;
  readonly cutText: string;
  readonly maxBytes: number;
  readonly profile: Profile;
  readonly scope: Scope | undefined;
  readonly engine: Engine;
}

let lastManner: Manner | undefined;

/** The same object again for a manner that comes again: many documents, without an origin of their own, share one. */
function mannerOf(manner: Manner): Manner {
  const keys = Object.keys(manner) as (keyof Manner)[];
  if (!keys.every((key) => manner[key] === lastManner?.[key])) lastManner = manner;
  return lastManner as Manner;
}

/** A parsed robots.txt. Immutable: it keeps a copy of the bytes that count, and nothing else. */
export class RobotsTxt {
  /** The bytes, one character each. */
  readonly #content: string;
  readonly #manner: Manner;

  /** Use `parse`. */
  constructor(content: string, manner: Manner) {
    this.#content = content;
    this.#manner = manner;
  }

  /** Whether bytes beyond the limit were left out. */
  get truncated(): boolean {
    return this.#manner.truncated;
  }

  /** What the size limit cut off the last line; empty if it cut no line. An ellipsis ends it if there is more, or may be. */
  get cutText(): string {
    return this.#manner.cutText;
  }

  /** How many bytes of the file were to count. */
  get maxBytes(): number {
    return this.#manner.maxBytes;
  }

  get profile(): Profile {
    return this.#manner.profile;
  }

  /** The origin that the file speaks for, or why it speaks for none; `undefined` if the file's URL is not known. */
  get scope(): Scope | undefined {
    return this.#manner.scope;
  }

  /** The bytes that count: a copy. */
  get bytes(): Uint8Array {
    return toBytes(this.#content);
  }

  /** Memory in bytes that the document takes. */
  get sizeInBytes(): number {
    return DOCUMENT_BYTES + stringBytes(this.#content);
  }

  /** Walks through the lines. */
  scan(): Scanner {
    return new Scanner(this.bytes, this.profile.fieldNames === 'exact');
  }

  /** All records in the order of the file. */
  records(): RobotsRecord[] {
    const records: RobotsRecord[] = [];
    for (const scanner = this.scan(); scanner.next(); ) {
      if (scanner.kind !== NO_RECORD) records.push(readRecord(scanner));
    }
    return records;
  }

  /** All sitemap records. They stand in no group: they are for every crawler. */
  sitemaps(): RobotsRecord[] {
    return this.records().filter(({ kind }) => kind === 'sitemap');
  }

  /** The record on line number `line`, of whose value the first byte is at `valueStart`. There must be one. */
  recordAt(line: number, valueStart: number): RobotsRecord {
    const content = this.#content;
    let start = valueStart;
    while (start > 0 && !isLineEnd(content.charCodeAt(start - 1))) start--;
    let end = valueStart;
    while (end < content.length && !isLineEnd(content.charCodeAt(end))) end++;
    const bytes = toBytes(content.slice(start, end));
    const scanner = new Scanner(bytes, this.profile.fieldNames === 'exact');
    scanner.readLine(line, start === 0 ? byteOrderMarkLength(bytes) : 0, bytes.length);
    return readRecord(scanner);
  }

  /**
   * The groups in the order of the file. A user-agent line that follows a rule starts a new one; no other line does
   * (RFC 9309 section 2.2; Google's page, on grouping of lines). What stands before the first is in none.
   */
  groups(): Group[] {
    return readGroups(this.scan());
  }

  /** Where the path starts in a URL that need not be parsed; -1 for any other. For rulesets. */
  pathStart(url: string): number {
    const { engine, scope } = this.#manner;
    return engine.pathStart(url, scope);
  }

  /**
   * The rules that a crawler obeys here.
   *
   * @param crawler - the name of an agent (`resolveAgent`), bare tokens, or a crawler with fallbacks.
   * @throws {TypeError} {RangeError} if `crawler` is none of these, or no user-agent line can name it.
   */
  ruleset(crawler: CrawlerLike): Ruleset {
    const preference = findPreference(crawler);
    return new Ruleset(this, preference, compileRules(this, this.#content, preference, this.#manner.engine));
  }
}

function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}
