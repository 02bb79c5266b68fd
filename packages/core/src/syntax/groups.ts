// Groups of user-agent lines and the records that follow them (RFC 9309 section 2.2.1; Google's robots.txt page, on grouping).
import { ALLOW, DISALLOW, NO_RECORD, SITEMAP, USER_AGENT } from './fields.ts';
import { GroupCursor } from './group-cursor.ts';
import {
  type Group,
  type RobotsRecord,
  type Rule,
  readRecord,
  readUserAgent,
  type UserAgentRecord,
} from './record.ts';
import type { Scanner } from './scanner.ts';

/**
 * Reads the groups in file order. A user-agent line after a rule starts a new group. Records before the first user-agent line, and
 * sitemaps, belong to no group.
 */
export function readGroups(scanner: Scanner): Group[] {
  const groups: { userAgents: UserAgentRecord[]; rules: Rule[]; others: RobotsRecord[] }[] = [];
  const cursor = new GroupCursor();
  while (scanner.next()) {
    const { kind } = scanner;
    if (kind === NO_RECORD || kind === SITEMAP) continue;
    const current = groups.at(-1);
    if (kind === USER_AGENT) {
      const userAgent = readUserAgent(scanner);
      if (cursor.readAgent()) groups.push({ userAgents: [userAgent], rules: [], others: [] });
      else current?.userAgents.push(userAgent);
    } else if (current !== undefined) {
      const record = readRecord(scanner);
      if (kind === ALLOW || kind === DISALLOW) {
        cursor.endList();
        current.rules.push(record as Rule);
      } else current.others.push(record);
    }
  }
  return groups;
}
