/**
 * The parsed robots.txt. It stores the bytes, and reads groups, records and rulesets from them on each call.
 *
 * @module
 */
import { type OptionTypes, quoteValue } from '../bytes/check-options.ts';
import { decodeUtf8, encodeUtf8 } from '../bytes/platform.ts';
import type { UrlInput } from '../bytes/url.ts';
import type { CrawlerInput } from '../crawler/crawler.ts';
import { GOOGLE, type Profile, resolveProfile } from '../crawler/profile.ts';
import { getPreference } from '../crawler/resolve-agent.ts';
import type { Engine } from '../matching/engine.ts';
import { getScope, type Scope } from '../matching/target.ts';
import { NO_RECORD } from '../syntax/fields.ts';
import { readGroups } from '../syntax/groups.ts';
import { isAscii } from '../syntax/kernel.ts';
import { type Group, type RobotsRecord, readRecord } from '../syntax/record.ts';
import { Ruleset } from './ruleset.ts';
import { getContext, isLineEnd, Source } from './source.ts';

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

/** The types of {@link ParseOptions}. */
export const PARSE_OPTIONS: OptionTypes<ParseOptions> = {
  profile: ['string', 'object'],
  url: ['string', 'object'],
  maxBytes: 'number',
};

const NO_OPTIONS: ParseOptions = {};

/**
 * Parses a robots.txt with an engine. The caller checks names and types of the options.
 *
 * @param isCopied - copies the bytes. Without it, the document must not be used after they change.
 * @throws {RangeError} if `maxBytes` is not a number of bytes, and as `resolveProfile` and `getScope` do.
 */
export function parseFor(
  engine: Engine,
  content: Uint8Array | string,
  options: ParseOptions | undefined,
  isCopied: boolean,
): RobotsTxt {
  const { maxBytes = MAX_FILE_BYTES, url, profile: chosen = GOOGLE } = options ?? NO_OPTIONS;
  if (maxBytes !== MAX_FILE_BYTES && !isByteCount(maxBytes))
    throw new RangeError(`maxBytes must be a non-negative integer or Infinity, not ${String(maxBytes)}`);
  const profile = resolveProfile(chosen);
  const scope = url === undefined ? undefined : getScope(url);
  const bytes = requireBytes(content);
  const truncated = bytes.length > maxBytes;
  const textAfterLimit = truncated ? readTextAfterLimit(bytes, maxBytes) : '';
  const context = getContext(truncated, textAfterLimit, maxBytes, profile, scope, engine);
  // An ASCII string is stored as it is.
  if (typeof content === 'string' && !truncated && bytes.length === content.length)
    return new RobotsTxt(content, context);
  const kept = truncated ? bytes.subarray(0, maxBytes) : bytes;
  return new RobotsTxt(isCopied ? copyContent(kept) : kept, context);
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

/** Length limit of this text in bytes. */
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

/** A parsed robots.txt. It is immutable, and stores a copy of the bytes up to the size limit. */
export class RobotsTxt extends Source {
  /** Whether the file exceeded the size limit. */
  get truncated(): boolean {
    return this.context.truncated;
  }

  /** The rest of the last line, after the size limit; empty if the limit truncates no line. It ends with an ellipsis if it may be incomplete. */
  get textAfterLimit(): string {
    return this.context.textAfterLimit;
  }

  /** The size limit in bytes. */
  get maxBytes(): number {
    return this.context.maxBytes;
  }

  get profile(): Profile {
    return this.context.profile;
  }

  /** The scope of the file; `undefined` if its URL is unknown. */
  get scope(): Scope | undefined {
    return this.context.scope;
  }

  /** Iterates over the lines in file order, without their line terminators. All lines are views of one copy of the bytes. */
  *lines(): Generator<Uint8Array, void, undefined> {
    for (const scanner = this.scan(); scanner.next(); ) {
      yield scanner.bytes.subarray(scanner.lineStart, scanner.lineEnd);
    }
  }

  /** Returns all records in file order. */
  records(): RobotsRecord[] {
    const records: RobotsRecord[] = [];
    for (const scanner = this.scan(); scanner.next(); ) {
      if (scanner.kind !== NO_RECORD) records.push(readRecord(scanner));
    }
    return records;
  }

  /** Returns all sitemap records. They belong to no group and apply to all crawlers. */
  sitemaps(): RobotsRecord[] {
    return this.records().filter(({ kind }) => kind === 'sitemap');
  }

  /**
   * Returns the groups in file order. A user-agent line after a rule starts a new group (RFC 9309 section 2.2; Google's robots.txt page,
   * on grouping). Records before the first user-agent line belong to no group.
   */
  groups(): Group[] {
    return readGroups(this.scan());
  }

  /**
   * Returns the rules that a crawler obeys in this file.
   *
   * @param crawler - an agent name (`resolveAgent`), bare tokens, or a crawler with fallbacks.
   * @throws {TypeError} if `crawler` is none of these.
   * @throws {RangeError} if no user-agent line can name the crawler.
   */
  ruleset(crawler: CrawlerInput): Ruleset {
    return new Ruleset(this, getPreference(crawler));
  }
}
