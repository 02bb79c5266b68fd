/**
 * The parsed robots.txt. It keeps the bytes; groups, records and rulesets are read from them when asked for.
 *
 * @module
 */
import type { CrawlerLike } from './crawler.ts';
import { ALLOW, DISALLOW, NO_RECORD, SITEMAP, USER_AGENT } from './fields.ts';
import { encodeUtf8 } from './platform.ts';
import { findProfile, GOOGLE, type Profile } from './profile.ts';
import {
  type Group,
  type RobotsRecord,
  type Rule,
  readRecord,
  readUserAgent,
  type UserAgentRecord,
} from './record.ts';
import { Ruleset } from './ruleset.ts';
import { Scanner } from './scanner.ts';
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
 * Parses a robots.txt. Whatever the content, this succeeds: what is odd in it, `diagnose` tells.
 *
 * @param content - the file as bytes. A string is encoded as UTF-8 first.
 * @throws {TypeError} if `content` is neither, or the profile is none.
 * @throws {RangeError} for a profile name that there is not, or a `maxBytes` that is no count.
 * @example
 * const robots = parse('User-agent: *\nDisallow: /private');
 * robots.ruleset('Googlebot').decide('https://example.com/private/a').kind; // 'disallowed'
 */
export function parse(content: Uint8Array | string, options: ParseOptions = {}): RobotsTxt {
  const { maxBytes = MAX_FILE_BYTES, url } = options;
  const bytes = typeof content === 'string' ? encodeUtf8(content) : content;
  if (!(bytes instanceof Uint8Array)) throw new TypeError('a robots.txt is a Uint8Array or a string');
  if (!(maxBytes >= 0))
    throw new RangeError(`maxBytes is a number of bytes from 0 on, not ${String(maxBytes)}`);
  return new RobotsTxt(bytes, resolveProfile(options.profile ?? GOOGLE), maxBytes, url);
}

function resolveProfile(profile: Profile | string): Profile {
  const found = typeof profile === 'string' ? findProfile(profile) : profile;
  if (found === undefined) throw new RangeError(`there is no profile named ${String(profile)}`);
  return found;
}

/** A parsed robots.txt. Immutable as long as the bytes that it was given are left alone. */
export class RobotsTxt {
  /** The bytes that count. */
  readonly bytes: Uint8Array;
  /** Whether bytes beyond the limit were left out. */
  readonly truncated: boolean;
  /** How many bytes of the file were to count. */
  readonly maxBytes: number;
  readonly profile: Profile;
  /** The origin that the file speaks for, or why it speaks for none; `undefined` if the file's URL is not known. */
  readonly scope: Scope | undefined;

  /** Use {@link parse}. */
  constructor(bytes: Uint8Array, profile: Profile, maxBytes: number, url: string | undefined) {
    this.truncated = bytes.length > maxBytes;
    this.bytes = this.truncated ? bytes.subarray(0, maxBytes) : bytes;
    this.maxBytes = maxBytes;
    this.profile = profile;
    this.scope = url === undefined ? undefined : scopeOf(url);
  }

  /** Walks through the lines. */
  scan(): Scanner {
    return new Scanner(this.bytes, this.profile.fieldNames === 'exact');
  }

  /** All records in the order of the file. */
  records(): RobotsRecord[] {
    const records: RobotsRecord[] = [];
    for (const scanner = this.scan(); scanner.next(); ) {
      if (scanner.kind !== NO_RECORD) records.push(readRecord(this.bytes, scanner));
    }
    return records;
  }

  /** All sitemap records. They stand in no group: they are for every crawler. */
  sitemaps(): RobotsRecord[] {
    return this.records().filter(({ kind }) => kind === 'sitemap');
  }

  /**
   * The groups in the order of the file. A user-agent line that follows a rule starts a new one; no other line does
   * (RFC 9309 section 2.2; Google's page, on grouping of lines). What stands before the first is in none.
   */
  groups(): Group[] {
    const groups: { userAgents: UserAgentRecord[]; rules: Rule[]; others: RobotsRecord[] }[] = [];
    for (const scanner = this.scan(); scanner.next(); ) {
      const { kind } = scanner;
      if (kind === NO_RECORD || kind === SITEMAP) continue;
      const current = groups.at(-1);
      if (kind === USER_AGENT) {
        const userAgent = readUserAgent(this.bytes, scanner);
        if (current?.rules.length === 0) current.userAgents.push(userAgent);
        else groups.push({ userAgents: [userAgent], rules: [], others: [] });
      } else if (current !== undefined) {
        const record = readRecord(this.bytes, scanner);
        if (kind === ALLOW || kind === DISALLOW) current.rules.push(record as Rule);
        else current.others.push(record);
      }
    }
    return groups;
  }

  /**
   * The rules that a crawler obeys here.
   *
   * @param crawler - a product token, several of which each counts, or a crawler with fallbacks.
   * @throws {TypeError} {RangeError} if `crawler` is none of these, or has an empty name.
   */
  ruleset(crawler: CrawlerLike): Ruleset {
    return new Ruleset(this, crawler);
  }
}
