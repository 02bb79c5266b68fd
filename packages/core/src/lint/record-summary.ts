// A summary of the records of a file, without objects for them: their numbers by kind, and the crawlers that it names.
import { toByteString } from '../bytes/byte-string.ts';
import { decodeUtf8 } from '../bytes/platform.ts';
import { truncate } from '../bytes/truncate.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { isLineEnd } from '../model/source.ts';
import { ALLOW, DISALLOW, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { findTokenEnd, isGlobalAgent } from '../syntax/record.ts';
import { getByteOrderMarkLength, Scanner } from '../syntax/scanner.ts';

/** A value of a user-agent line. */
export interface NamedAgent {
  /** The product token in lower case, as `UserAgentRecord.productToken`: `*` for all crawlers, empty if the value has none. */
  readonly token: string;
  /** The value as written, at most 100 characters. */
  readonly text: string;
}

/** The numbers of records, and the values of user-agent lines. */
export interface RecordSummary {
  /** The number of user-agent lines. */
  readonly userAgents: number;
  /** The number of allow and disallow lines, also of those without a group. */
  readonly rules: number;
  /** The number of sitemap lines. */
  readonly sitemaps: number;
  /** The different values of user-agent lines in file order, at most 1,000. */
  readonly named: readonly NamedAgent[];
  /** The number of user-agent lines whose value is missing in `named`. */
  readonly unnamed: number;
}

const MAX_NAMES = 1_000;
const MAX_TEXT = 100;

/** Summarizes the records of a file. The numbers equal those of `robots.records()`, which is many times slower. */
export function summarizeRecords(robots: RobotsTxt): RecordSummary {
  const source = getSource(robots);
  const text = source.text ?? toByteString(robots.bytes, 0, robots.bytes.length);
  const lines = source.readRuleLines();
  const sitemaps = countSitemaps(text, new Scanner(lines.bytes, robots.profile.fieldNames === 'exact'));
  const named = new Map<string, NamedAgent>();
  let [userAgents, rules, unnamed] = [0, 0, 0];
  while (lines.next()) {
    if (lines.kind === USER_AGENT) {
      userAgents++;
      const { bytes, valueStart, valueEnd } = lines;
      const key = toByteString(bytes, valueStart, valueEnd);
      if (named.has(key)) continue;
      if (named.size < MAX_NAMES) named.set(key, readName(bytes, valueStart, valueEnd));
      else unnamed++;
    } else if (lines.kind === ALLOW || lines.kind === DISALLOW) rules++;
  }
  return { userAgents, rules, sitemaps, named: [...named.values()], unnamed };
}

function readName(bytes: Uint8Array, start: number, end: number): NamedAgent {
  const token = isGlobalAgent(bytes, start, end)
    ? '*'
    : toByteString(bytes, start, findTokenEnd(bytes, start, end)).toLowerCase();
  return { token, text: truncate(decodeUtf8(bytes, start, end), MAX_TEXT) };
}

/** Occurs in each line of a sitemap (fields.ts), and in few others. */
const SITEMAP_NAME = /site-?map/gi;

/** @param scanner - of the same file. */
function countSitemaps(text: string, scanner: Scanner): number {
  let count = 0;
  SITEMAP_NAME.lastIndex = 0;
  for (let match = SITEMAP_NAME.exec(text); match !== null; match = SITEMAP_NAME.exec(text)) {
    let start = match.index;
    while (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) start--;
    let end = match.index;
    while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
    scanner.readLine(0, start === 0 ? getByteOrderMarkLength(scanner.bytes) : start, end);
    if (scanner.kind === SITEMAP) count++;
    SITEMAP_NAME.lastIndex = end;
  }
  return count;
}
