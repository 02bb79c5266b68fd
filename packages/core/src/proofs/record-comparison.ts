// Compares the records of two files other than rules: the named agents, sitemaps, and records outside the
// protocol. They affect no verdict, but owners depend on them and some crawlers obey them.
import { toByteString, toBytes } from '../bytes/byte-string.ts';
import { decodeUtf8 } from '../bytes/platform.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { ALLOW, DISALLOW, OTHER, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { GroupCursor } from '../syntax/group-cursor.ts';
import { findExtendedTokenEnd, findTokenEnd, isGlobalAgent } from '../syntax/record.ts';
import { hasColon } from '../syntax/scanner.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';

/** The differences between two files, apart from rules. */
export interface RecordComparison {
  /** Whether there are none; `null` if the comparison exceeded its budget. */
  readonly equivalent: boolean | null;
  /** Values of user-agent lines that only the second file has. */
  readonly addedNames: readonly string[];
  /** Values of user-agent lines that only the first file has. */
  readonly removedNames: readonly string[];
  /** Agents that both files name and whose other records, such as crawl-delay, differ. */
  readonly changedAgents: readonly string[];
  /** Whether the sitemaps or their order differ. */
  readonly hasSitemapChanges: boolean;
  /** Whether the records outside of groups differ. */
  readonly hasUngroupedChanges: boolean;
}

/** Units of work per byte of a file, and per record that is compared. */
const WORK_PER_BYTE = 1 / 10;
const WORK_PER_RECORD = 2;

/**
 * Compares two files apart from rules: for each agent the same records in the same order, and the same
 * sitemaps. Names are compared case-insensitively.
 *
 * A crawl-delay line applies to the user-agent lines above it and ends their list, as it does for the
 * crawlers that obey it. So does a Content-Usage line for all declarations (draft-ietf-aipref-attach-05).
 */
export function compareRecords(
  before: RobotsTxt,
  after: RobotsTxt,
  options: ProofOptions = {},
): RecordComparison {
  const budget = Budget.from('compareRecords', options, {});
  return (
    budget.runWithin(1, () =>
      compareOtherRecords(readOtherRecords(before, budget), readOtherRecords(after, budget), budget),
    ) ?? {
      ...{ equivalent: null, addedNames: [], removedNames: [], changedAgents: [] },
      ...{ hasSitemapChanges: false, hasUngroupedChanges: false },
    }
  );
}

function compareOtherRecords(before: OtherRecords, after: OtherRecords, budget: Budget): RecordComparison {
  const findMissing = (names: ReadonlyMap<string, string>, others: OtherRecords): string[] =>
    [...names].filter(([key]) => !others.names.has(key)).map(([, name]) => decodeName(name));
  const changedAgents: string[] = [];
  for (const kind of ['groups', 'delays', 'declarations'] as const) {
    const results = new Map<string, boolean>();
    for (const [key, { name, lists }] of before.agents) {
      const other = after.agents.get(key);
      if (other === undefined) continue;
      const pair = [lists[kind], other.lists[kind]] as const;
      const pairKey = pair.map((list) => list.join(' ')).join('|');
      const isSame =
        results.get(pairKey) ??
        joinRecords(before[kind], pair[0], budget) === joinRecords(after[kind], pair[1], budget);
      results.set(pairKey, isSame);
      if (!isSame) changedAgents.push(decodeName(name));
    }
  }
  const [addedNames, removedNames] = [findMissing(after.names, before), findMissing(before.names, after)];
  const hasSitemapChanges = !hasSameTexts(before.sitemaps, after.sitemaps);
  const hasUngroupedChanges = !hasSameTexts(before.ungrouped, after.ungrouped);
  const count = addedNames.length + removedNames.length + changedAgents.length;
  return {
    equivalent: count === 0 && !hasSitemapChanges && !hasUngroupedChanges,
    ...{ addedNames, removedNames, changedAgents: [...new Set(changedAgents)] },
    ...{ hasSitemapChanges, hasUngroupedChanges },
  };
}

function hasSameTexts(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((text, index) => text === after[index]);
}

function joinRecords(
  records: readonly (readonly string[])[],
  groups: readonly number[],
  budget: Budget,
): string {
  const lines: string[] = [];
  for (const group of groups) {
    const own = records[group] as readonly string[];
    budget.spend(1 + own.length * WORK_PER_RECORD);
    for (const line of own) lines.push(line);
  }
  return lines.join('\n');
}

interface Agent {
  readonly name: string;
  /** Indexes of the groups that name the agent, by each grouping. */
  readonly lists: Readonly<Record<'groups' | 'delays' | 'declarations', number[]>>;
}

/** The records of a file other than rules, as byte strings. */
interface OtherRecords {
  /** Values of user-agent lines by their lower-case form. */
  readonly names: ReadonlyMap<string, string>;
  /** The named agents by their lower-case form: product tokens, extended tokens, and `*`. */
  readonly agents: ReadonlyMap<string, Agent>;
  readonly groups: readonly (readonly string[])[];
  /** Crawl-delay records by group, where a crawl-delay ends a list of user-agent lines. */
  readonly delays: readonly (readonly string[])[];
  /** Other records by group, where a Content-Usage record ends a list of user-agent lines. */
  readonly declarations: readonly (readonly string[])[];
  readonly sitemaps: readonly string[];
  readonly ungrouped: readonly string[];
}

function readOtherRecords(robots: RobotsTxt, budget: Budget): OtherRecords {
  const scanner = getSource(robots).scan();
  const { bytes } = scanner;
  budget.spend(bytes.length * WORK_PER_BYTE);
  const content = toByteString(bytes, 0, bytes.length);
  const names = new Map<string, string>();
  const agents = new Map<string, Agent>();
  const groups: string[][] = [];
  const delays: string[][] = [];
  const declarations: string[][] = [];
  const sitemaps: string[] = [];
  const ungrouped: string[] = [];
  const cursors = { groups: new GroupCursor(), delays: new GroupCursor(), declarations: new GroupCursor() };
  while (scanner.next()) {
    const { kind, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
    const value = content.slice(valueStart, valueEnd);
    if (kind === USER_AGENT) {
      if (cursors.groups.readAgent()) groups.push([]);
      if (cursors.delays.readAgent()) delays.push([]);
      if (cursors.declarations.readAgent()) declarations.push([]);
      if (!names.has(value.toLowerCase())) names.set(value.toLowerCase(), value);
      for (const name of parseAgentNames(value)) {
        const key = name.toLowerCase();
        const agent = agents.get(key) ?? { name, lists: { groups: [], delays: [], declarations: [] } };
        agents.set(key, agent);
        pushIfNew(agent.lists.groups, groups.length - 1);
        pushIfNew(agent.lists.delays, delays.length - 1);
        pushIfNew(agent.lists.declarations, declarations.length - 1);
      }
    } else if (kind === ALLOW || kind === DISALLOW) {
      for (const cursor of Object.values(cursors)) cursor.endList();
    } else if (kind === SITEMAP) sitemaps.push(value);
    else if (kind === OTHER) {
      const field = content.slice(fieldStart, fieldEnd).toLowerCase();
      const record = `${field}${hasColon(scanner) ? ':' : ' '}${value}`;
      (groups.at(-1) ?? ungrouped).push(record);
      declarations.at(-1)?.push(record);
      if (field === 'content-usage') cursors.declarations.endList();
      if (field !== 'crawl-delay') continue;
      delays.at(-1)?.push(record);
      cursors.delays.endList();
    }
  }
  return { names, agents, groups, delays, declarations, sitemaps, ungrouped };
}

/**
 * Parses the agents that a user-agent value names: `*`, or its product token and extended token; empty if it
 * names none.
 *
 * @param value - a byte string.
 */
export function parseAgentNames(value: string): string[] {
  const bytes = toBytes(value);
  const { length } = bytes;
  if (isGlobalAgent(bytes, 0, length)) return ['*'];
  const productEnd = findTokenEnd(bytes, 0, length);
  const ends = new Set([productEnd, findExtendedTokenEnd(bytes, productEnd, length)]);
  return [...ends].filter((end) => end > 0).map((end) => value.slice(0, end));
}

function pushIfNew(list: number[], number: number): void {
  if (list.at(-1) !== number) list.push(number);
}

function decodeName(name: string): string {
  return decodeUtf8(toBytes(name), 0, name.length);
}
