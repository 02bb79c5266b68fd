/**
 * What files say beside rules: which agents they name, sitemaps, and all records that are no part of the protocol. No verdict
 * depends on it, but owners mean it, and some crawlers obey it.
 *
 * @module
 */
import { toByteString, toBytes } from '../bytes/byte-string.ts';
import { decodeUtf8 } from '../bytes/platform.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { ALLOW, DISALLOW, OTHER, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { findExtendedTokenEnd, findTokenEnd, isGlobalAgent } from '../syntax/record.ts';
import { Budget, type ProofOptions } from './automata/budget.ts';

/** What two files say beside rules, compared. */
export interface RecordComparison {
  /** Whether all of it is the same; `null` if comparing it took more than it may. */
  readonly isSame: boolean | null;
  /** Values of user-agent lines that only the second file has. */
  readonly addedNames: readonly string[];
  /** Values of user-agent lines that only the first file has. */
  readonly removedNames: readonly string[];
  /** Agents named in both files to which other records, such as crawl-delay, say something else. */
  readonly changedAgents: readonly string[];
  /** Whether the sitemaps differ, or their order. */
  readonly hasOtherSitemaps: boolean;
  /** Whether the records differ that stand in no group. */
  readonly hasOtherUngrouped: boolean;
}

/** Work to read a byte of a file, and to compare a record or a list of them. */
const WORK_PER_BYTE = 1 / 10;
const WORK_PER_RECORD = 2;

/**
 * Compares what two files say beside rules: to each agent the same records in the same order, and the same sitemaps. Names are
 * compared without case.
 *
 * A crawl-delay line counts for the user-agent lines above it as those who obey it read it: it closes their list.
 */
export function compareRecords(
  before: RobotsTxt,
  after: RobotsTxt,
  options: ProofOptions = {},
): RecordComparison {
  const budget = Budget.from(options);
  return (
    budget.within(1, () => compareRead(readRecords(before, budget), readRecords(after, budget), budget)) ?? {
      ...{ isSame: null, addedNames: [], removedNames: [], changedAgents: [] },
      ...{ hasOtherSitemaps: false, hasOtherUngrouped: false },
    }
  );
}

function compareRead(was: Records, is: Records, budget: Budget): RecordComparison {
  const missingIn = (names: ReadonlyMap<string, string>, others: Records): string[] =>
    [...names].filter(([key]) => !others.names.has(key)).map(([, name]) => decodeName(name));
  const changedAgents: string[] = [];
  for (const kind of ['groups', 'delays'] as const) {
    const known = new Map<string, boolean>();
    for (const [key, { name, lists }] of was.agents) {
      const other = is.agents.get(key);
      if (other === undefined) continue;
      const pair = [lists[kind], other.lists[kind]] as const;
      const pairKey = pair.map((list) => list.join(' ')).join('|');
      const isSame =
        known.get(pairKey) ?? textOf(was[kind], pair[0], budget) === textOf(is[kind], pair[1], budget);
      known.set(pairKey, isSame);
      if (!isSame) changedAgents.push(decodeName(name));
    }
  }
  const [addedNames, removedNames] = [missingIn(is.names, was), missingIn(was.names, is)];
  const hasOtherSitemaps = was.sitemaps.join('\n') !== is.sitemaps.join('\n');
  const hasOtherUngrouped = was.ungrouped.join('\n') !== is.ungrouped.join('\n');
  const count = addedNames.length + removedNames.length + changedAgents.length;
  return {
    isSame: count === 0 && !hasOtherSitemaps && !hasOtherUngrouped,
    ...{ addedNames, removedNames, changedAgents: [...new Set(changedAgents)] },
    ...{ hasOtherSitemaps, hasOtherUngrouped },
  };
}

/** The records of some groups, in the order of the file. */
function textOf(records: readonly (readonly string[])[], groups: readonly number[], budget: Budget): string {
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
  /** The numbers of the groups that name it: as all records but crawl-delay are grouped, and as crawl-delay is. */
  readonly lists: { readonly groups: number[]; readonly delays: number[] };
}

/** What a file says beside rules, as byte strings. */
interface Records {
  /** Values of user-agent lines, by their lower-case form. */
  readonly names: ReadonlyMap<string, string>;
  /** The agents that are named, by a key: product tokens, extended tokens, and `*`. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** Other records of each group. */
  readonly groups: readonly (readonly string[])[];
  /** Crawl-delay records of each group, where they end the list of user-agent lines. */
  readonly delays: readonly (readonly string[])[];
  readonly sitemaps: readonly string[];
  readonly ungrouped: readonly string[];
}

function readRecords(robots: RobotsTxt, budget: Budget): Records {
  const scanner = getSource(robots).scan();
  const { bytes } = scanner;
  budget.spend(bytes.length * WORK_PER_BYTE);
  const content = toByteString(bytes, 0, bytes.length);
  const names = new Map<string, string>();
  const agents = new Map<string, Agent>();
  const groups: string[][] = [];
  const delays: string[][] = [];
  const sitemaps: string[] = [];
  const ungrouped: string[] = [];
  let isClosed = true;
  let isClosedByDelay = true;
  while (scanner.next()) {
    const { kind, fieldStart, fieldEnd, valueStart, valueEnd } = scanner;
    const value = content.slice(valueStart, valueEnd);
    if (kind === USER_AGENT) {
      if (isClosed) groups.push([]);
      if (isClosed || isClosedByDelay) delays.push([]);
      isClosed = false;
      isClosedByDelay = false;
      if (!names.has(value.toLowerCase())) names.set(value.toLowerCase(), value);
      for (const name of agentsNamedBy(value)) {
        const key = name.toLowerCase();
        const agent = agents.get(key) ?? { name, lists: { groups: [], delays: [] } };
        agents.set(key, agent);
        addLast(agent.lists.groups, groups.length - 1);
        addLast(agent.lists.delays, delays.length - 1);
      }
    } else if (kind === ALLOW || kind === DISALLOW) {
      if (groups.length > 0) isClosed = true;
    } else if (kind === SITEMAP) sitemaps.push(value);
    else if (kind === OTHER) {
      const field = content.slice(fieldStart, fieldEnd).toLowerCase();
      const record = `${field}:${value}`;
      (groups.at(-1) ?? ungrouped).push(record);
      if (field !== 'crawl-delay') continue;
      delays.at(-1)?.push(record);
      isClosedByDelay = true;
    }
  }
  return { names, agents, groups, delays, sitemaps, ungrouped };
}

/**
 * The agents that a user-agent value names: a product token, an extended token, both, `*`, or none.
 *
 * @param value - a byte string.
 */
export function agentsNamedBy(value: string): string[] {
  const bytes = toBytes(value);
  const { length } = bytes;
  if (isGlobalAgent(bytes, 0, length)) return ['*'];
  const productEnd = findTokenEnd(bytes, 0, length);
  const ends = new Set([productEnd, findExtendedTokenEnd(bytes, productEnd, length)]);
  return [...ends].filter((end) => end > 0).map((end) => value.slice(0, end));
}

function addLast(list: number[], number: number): void {
  if (list.at(-1) !== number) list.push(number);
}

function decodeName(name: string): string {
  return decodeUtf8(toBytes(name), 0, name.length);
}
