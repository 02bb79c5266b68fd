/**
 * The number of records of a file by kind, without objects for them.
 *
 * @module
 */
import { toByteString } from '../bytes/byte-string.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { isLineEnd } from '../model/source.ts';
import { ALLOW, DISALLOW, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { getByteOrderMarkLength, Scanner } from '../syntax/scanner.ts';

/** The numbers of records. */
export interface RecordCounts {
  /** The number of user-agent lines. */
  readonly userAgents: number;
  /** The number of allow and disallow lines, also of those without a group. */
  readonly rules: number;
  /** The number of sitemap lines. */
  readonly sitemaps: number;
}

/** Counts the records of a file. The numbers equal those of `robots.records()`, which is many times slower. */
export function countRecords(robots: RobotsTxt): RecordCounts {
  const source = getSource(robots);
  const text = source.text ?? toByteString(robots.bytes, 0, robots.bytes.length);
  const lines = source.readRuleLines();
  const sitemaps = countSitemaps(text, new Scanner(lines.bytes, robots.profile.fieldNames === 'exact'));
  let [userAgents, rules] = [0, 0];
  while (lines.next()) {
    if (lines.kind === USER_AGENT) userAgents++;
    else if (lines.kind === ALLOW || lines.kind === DISALLOW) rules++;
  }
  return { userAgents, rules, sitemaps };
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
