/**
 * The parsed robots.txt. It stores the bytes; groups, records and rulesets are read from them on each call.
 *
 * @module
 */
import { isAsciiString, toByteString } from '../bytes/byte-string.ts';
import { decodeUtf8, encodeUtf8 } from '../bytes/platform.ts';
import type { CrawlerLike } from '../crawler/crawler.ts';
import { GOOGLE, type Profile, resolveProfile } from '../crawler/profile.ts';
import { findPreference } from '../crawler/resolve-agent.ts';
import type { Engine } from '../matching/engine.ts';
import { type Scope, getScope } from '../matching/target.ts';
import { NO_RECORD } from '../syntax/fields.ts';
import { readGroups } from '../syntax/groups.ts';
import { type Group, type RobotsRecord, readRecord } from '../syntax/record.ts';
import { compileRules } from './compiled-rules.ts';
import { Ruleset } from './ruleset.ts';
import { isLineEnd, type Reading, Source, shareReading } from './source.ts';

/** Bytes of a file that count (Google's page: 500 KiB; RFC 9309 section 2.5 requires at least that). */
export const MAX_FILE_BYTES = 512_000;

/** How to read a robots.txt. */
export interface ParseOptions {
  /**
   * A profile, or the name of one.
   *
   * @defaultValue `google`
   */
  readonly profile?: Profile | string;
  /**
   * The URL from which the file was requested, before any redirect. With it, URLs of other origins are out of scope;
   * without it, the file applies to every URL.
   */
  readonly url?: string;
  /**
   * Bytes of the file that count; `Infinity` for all.
   *
   * @defaultValue {@link MAX_FILE_BYTES}
   */
  readonly maxBytes?: number;
}

/** Parses a robots.txt for an engine. See `parse`. */
export function parseFor(engine: Engine, content: Uint8Array | string, options: ParseOptions): RobotsTxt {
  const { maxBytes = MAX_FILE_BYTES, url } = options;
  if (!(maxBytes >= 0))
    throw new RangeError(`maxBytes is a number of bytes from 0 on, not ${String(maxBytes)}`);
  const profile = resolveProfile(options.profile ?? GOOGLE);
  const scope = url === undefined ? undefined : getScope(url);
  const create = (text: string, truncated: boolean, cutText: string): RobotsTxt => {
    const reading: Reading = { truncated, cutText, maxBytes, profile, scope, engine };
    return new RobotsTxt(new Source(text, shareReading(reading)));
  };
  // A string of ASCII is its own byte string.
  if (typeof content === 'string' && content.length <= maxBytes && isAsciiString(content)) {
    return create(content, false, '');
  }
  const bytes = requireBytes(content);
  const end = Math.min(bytes.length, maxBytes);
  const truncated = bytes.length > end;
  return create(toByteString(bytes, 0, end), truncated, truncated ? readCutText(bytes, end) : '');
}

/** Characters of a cut line that a diagnostic quotes. */
const MAX_CUT_TEXT = 200;

/**
 * Reads the text from the size limit to the end of the line that the limit cuts. An ellipsis replaces an end that is unknown: a
 * fetch stores one byte more than counts.
 */
function readCutText(bytes: Uint8Array, limit: number): string {
  const most = Math.min(bytes.length, limit + MAX_CUT_TEXT);
  let end = limit;
  while (end < most && !isLineEnd(bytes[end] as number)) end++;
  const isEndKnown = end < most || (end === bytes.length && end - limit > 1);
  return decodeUtf8(bytes, limit, end) + (isEndKnown ? '' : '…');
}

/** Returns the bytes of a file, which may be given as a string. @throws {TypeError} if it is neither. */
export function requireBytes(content: Uint8Array | string): Uint8Array {
  if (content instanceof Uint8Array) return content;
  if (typeof content === 'string') return encodeUtf8(content);
  // An array from another realm is one too.
  if (Object.prototype.toString.call(content) === '[object Uint8Array]') return content as Uint8Array;
  throw new TypeError(`a robots.txt is a Uint8Array or a string, not ${String(content)}`);
}

let readSource: (robots: RobotsTxt) => Source;

/** A parsed robots.txt. Immutable: it stores a copy of the bytes that count. */
export class RobotsTxt {
  readonly #source: Source;

  static {
    readSource = (robots) => robots.#source;
  }

  /** Use `parse`. */
  constructor(source: Source) {
    this.#source = source;
  }

  /** Whether bytes beyond the limit were omitted. */
  get truncated(): boolean {
    return this.#source.reading.truncated;
  }

  /** What the size limit cut off the last line; empty if it cut no line. An ellipsis ends it if there is more, or may be. */
  get cutText(): string {
    return this.#source.reading.cutText;
  }

  /** The size limit in bytes. */
  get maxBytes(): number {
    return this.#source.reading.maxBytes;
  }

  get profile(): Profile {
    return this.#source.reading.profile;
  }

  /** The origin that the file applies to, or why it applies to none; `undefined` if the file's URL is unknown. */
  get scope(): Scope | undefined {
    return this.#source.reading.scope;
  }

  /** The bytes that count: a copy. */
  get bytes(): Uint8Array {
    return this.#source.bytes;
  }

  /** Memory in bytes that the document takes. */
  get sizeInBytes(): number {
    return this.#source.sizeInBytes;
  }

  /** The lines in the order of the file, without their line ends: views of one copy of the bytes. */
  *lines(): Generator<Uint8Array, void, undefined> {
    for (const scanner = this.#source.scan(); scanner.next(); ) {
      yield scanner.bytes.subarray(scanner.lineStart, scanner.lineEnd);
    }
  }

  /** All records in the order of the file. */
  records(): RobotsRecord[] {
    const records: RobotsRecord[] = [];
    for (const scanner = this.#source.scan(); scanner.next(); ) {
      if (scanner.kind !== NO_RECORD) records.push(readRecord(scanner));
    }
    return records;
  }

  /** All sitemap records. They belong to no group: they are for every crawler. */
  sitemaps(): RobotsRecord[] {
    return this.records().filter(({ kind }) => kind === 'sitemap');
  }

  /**
   * The groups in the order of the file. A user-agent line that follows a rule starts a new one; no other line does
   * (RFC 9309 section 2.2; Google's page, on grouping of lines). Records before the first belong to none.
   */
  groups(): Group[] {
    return readGroups(this.#source.scan());
  }

  /**
   * The rules that a crawler obeys here.
   *
   * @param crawler - the name of an agent (`resolveAgent`), bare tokens, or a crawler with fallbacks.
   * @throws {TypeError} {RangeError} if `crawler` is none of these, or no user-agent line can name it.
   */
  ruleset(crawler: CrawlerLike): Ruleset {
    return new Ruleset(compileRules(this.#source, findPreference(crawler)));
  }
}

/** The source of a document, for modules of this package. */
export function getSource(robots: RobotsTxt): Source {
  return readSource(robots);
}
