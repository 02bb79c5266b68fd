// The parsed robots.txt. It stores the bytes, and reads groups, records and rulesets from them on each call.
import { checkOptions } from '../bytes/check-options.ts';
import type { CrawlerInput } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { getAgentTokens } from '../crawler/resolve-agent.ts';
import type { Scope } from '../matching/target.ts';
import { NO_RECORD } from '../syntax/fields.ts';
import { readGroups } from '../syntax/groups.ts';
import { type Group, type RobotsRecord, readRecord } from '../syntax/record.ts';
import { CrawlerRules } from './crawler-rules.ts';
import { Ruleset } from './ruleset.ts';
import { createSource, PARSE_OPTIONS, type ParseOptions, type Source } from './source.ts';

/**
 * Parses a robots.txt. Content never causes an error; `diagnose` reports its problems.
 *
 * @param content - the file as bytes, or as a string, which is encoded as UTF-8.
 * @throws {TypeError} if `content` is neither a `Uint8Array` nor a string, `profile` is not a profile, or an option is unknown.
 * @throws {RangeError} if the profile name is unknown, `maxBytes` is negative, or `url` is not an absolute http, https or ftp URL.
 * @example
 * const robots = parse('User-agent: *\nDisallow: /private');
 * robots.ruleset('Googlebot').decide('https://example.com/private/a').kind; // 'disallowed'
 */
export function parse(content: Uint8Array | string, options?: ParseOptions): RobotsTxt {
  if (options !== undefined) checkOptions<ParseOptions>('parse', options, PARSE_OPTIONS);
  return new RobotsTxt(createSource(content, options, true));
}

/** Returns the source of a file, for modules of this package. */
export let getSource: (robots: RobotsTxt) => Source;

/** A parsed robots.txt. It is immutable, and stores a copy of the bytes up to the size limit. */
export class RobotsTxt {
  readonly #source: Source;

  static {
    getSource = (robots) => robots.#source;
  }

  /** @param source - Use {@link parse}. */
  constructor(source: Source) {
    this.#source = source;
    // Callers share it: what one of them adds must not change the verdicts of others.
    Object.freeze(this);
  }

  /** A copy of the bytes up to the size limit. */
  get bytes(): Uint8Array {
    return this.#source.bytes;
  }

  /** Memory in bytes (estimate). */
  get sizeInBytes(): number {
    return this.#source.sizeInBytes;
  }

  /** Whether the file exceeded the size limit. */
  get truncated(): boolean {
    return this.#source.context.truncated;
  }

  /** The rest of the last line, after the size limit; empty if the limit truncates no line. It ends with an ellipsis if it may be incomplete. */
  get textAfterLimit(): string {
    return this.#source.context.textAfterLimit;
  }

  /** The size limit in bytes. */
  get maxBytes(): number {
    return this.#source.context.maxBytes;
  }

  get profile(): Profile {
    return this.#source.context.profile;
  }

  /** The scope of the file; `undefined` if its URL is unknown. */
  get scope(): Scope | undefined {
    return this.#source.context.scope;
  }

  /** Iterates over the lines in file order, without their line terminators. All lines are views of one copy of the bytes. */
  *lines(): Generator<Uint8Array, void, undefined> {
    for (const scanner = this.#source.scan(); scanner.next(); ) {
      yield scanner.bytes.subarray(scanner.lineStart, scanner.lineEnd);
    }
  }

  /** Returns all records in file order. */
  records(): RobotsRecord[] {
    const records: RobotsRecord[] = [];
    for (const scanner = this.#source.scan(); scanner.next(); ) {
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
    return readGroups(this.#source.scan());
  }

  /**
   * Returns the rules that a crawler obeys in this file.
   *
   * @param crawler - an agent name (`resolveAgent`), bare tokens, or a crawler with fallbacks.
   * @throws {TypeError} if `crawler` is none of these.
   * @throws {RangeError} if no user-agent line can name the crawler.
   */
  ruleset(crawler: CrawlerInput): Ruleset {
    return new Ruleset(new CrawlerRules(this.#source, getAgentTokens(crawler)));
  }
}
