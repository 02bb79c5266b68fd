// The records of a file by group, as `minify` changes them: it removes duplicates and rules, and merges groups
// where the rules and other records of every agent stay the same.
import { ALLOW, DISALLOW, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import { GroupCursor } from '../syntax/group-cursor.ts';
import { formatRecord, type RawRecord, type RawRecords } from './raw-records.ts';
import { parseAgentNames } from './record-comparison.ts';

interface RecordGroup {
  /** Index among the groups of the source file. */
  readonly index: number;
  readonly agents: readonly RawRecord[];
  readonly rules: readonly RawRecord[];
  readonly others: readonly RawRecord[];
  /**
   * All records except rules in file order, if that order matters: for some readers, a crawl-delay or
   * Content-Usage line between user-agent lines ends their list. Such a group is never merged. Otherwise `null`.
   */
  readonly fixedOrder: readonly RawRecord[] | null;
}

export interface GroupedRecords {
  readonly groups: readonly RecordGroup[];
  /** Records outside of groups, each with the number of groups that began before it. */
  readonly ungrouped: readonly (readonly [index: number, record: RawRecord])[];
  readonly comments: readonly string[];
}

const isRule = ({ kind }: RawRecord): boolean => kind === ALLOW || kind === DISALLOW;
const LIST_ENDS: ReadonlySet<string> = new Set(['crawl-delay', 'content-usage']);
const endsList = ({ field }: RawRecord): boolean => LIST_ENDS.has(field.toLowerCase());

/** Splits records into groups. Removes the rules before the first group, which have no effect. */
export function groupRecords({ records, comments }: RawRecords): GroupedRecords {
  const groups: RawRecord[][] = [];
  const ungrouped: [number, RawRecord][] = [];
  const cursor = new GroupCursor();
  for (const record of records) {
    if (record.kind === USER_AGENT && cursor.readAgent()) groups.push([]);
    const group = groups.at(-1);
    if (record.kind === SITEMAP || (group === undefined && !isRule(record)))
      ungrouped.push([groups.length, record]);
    else group?.push(record);
    if (isRule(record)) cursor.endList();
  }
  return { groups: groups.map(createGroup), ungrouped, comments };
}

function createGroup(records: readonly RawRecord[], index: number): RecordGroup {
  const lastAgent = records.findLastIndex(({ kind }) => kind === USER_AGENT);
  const isFixed = records.some((record, position) => position < lastAgent && endsList(record));
  const agents = removeDuplicates(records.filter(({ kind }) => kind === USER_AGENT));
  const others = records.filter((record) => record.kind !== USER_AGENT && !isRule(record));
  return {
    index,
    agents,
    rules: records.filter(isRule),
    others,
    fixedOrder: isFixed ? records.filter((record) => !isRule(record)) : null,
  };
}

/** Removes records that repeat an earlier one. The earlier one gets their comments. */
function removeDuplicates(records: readonly RawRecord[]): RawRecord[] {
  const unique = new Map<string, RawRecord>();
  for (const record of records) {
    const key = formatRecord(record);
    const first = unique.get(key);
    if (first === undefined) unique.set(key, record);
    else if (record.comments.length > 0)
      unique.set(key, { ...first, comments: [...first.comments, ...record.comments] });
  }
  return [...unique.values()];
}

/** A rule without effect. A group without rules gets one, so that the next group does not become a part of it. */
const EMPTY_RULE: RawRecord = {
  kind: DISALLOW,
  line: 0,
  field: 'disallow',
  value: '',
  separator: ':',
  comments: [],
};

/**
 * Changes or removes rules. A group that loses all its rules gets an empty one.
 *
 * @param change - returns the new rule, or `undefined` to remove it.
 */
export function mapRules(
  { groups, ...rest }: GroupedRecords,
  change: (rule: RawRecord, group: number) => RawRecord | undefined,
): GroupedRecords {
  const changed = groups.map((group) => {
    const rules = group.rules.map((rule) => change(rule, group.index)).filter((rule) => rule !== undefined);
    const [first] = group.rules;
    const isEmptied = rules.length === 0 && first !== undefined;
    return { ...group, rules: isEmptied ? [{ ...EMPTY_RULE, line: first.line }] : rules };
  });
  return { ...rest, groups: changed };
}

/** Joins groups into one list: for each group agents, rules and other records, without duplicates. */
export function flattenGroups({ groups, ungrouped, comments }: GroupedRecords): RawRecords {
  const records: RawRecord[] = [];
  let written = 0;
  const writeUngrouped = (index: number): void => {
    for (
      ;
      written < ungrouped.length && (ungrouped[written] as readonly [number, RawRecord])[0] <= index;
      written++
    )
      records.push((ungrouped[written] as readonly [number, RawRecord])[1]);
  };
  for (const [position, group] of groups.entries()) {
    writeUngrouped(group.index);
    const rules = compactRules(group, position === groups.length - 1);
    for (const record of group.fixedOrder ?? group.agents) records.push(record);
    for (const record of group.fixedOrder === null ? sortByLine([...rules, ...group.others]) : rules)
      records.push(record);
  }
  writeUngrouped(Number.POSITIVE_INFINITY);
  return { records, comments };
}

function sortByLine(records: readonly RawRecord[]): RawRecord[] {
  return [...records].sort((a, b) => a.line - b.line);
}

function compactRules({ rules }: RecordGroup, isLast: boolean): RawRecord[] {
  const unique = removeDuplicates(rules);
  const effective = unique.filter(({ value }) => value !== '');
  if (effective.length > 0) return effective;
  const [empty] = unique;
  if (empty !== undefined) return [{ ...EMPTY_RULE, line: empty.line, comments: empty.comments }];
  return isLast ? [] : [{ ...EMPTY_RULE, line: Number.POSITIVE_INFINITY }];
}

/** Merged groups can become equal to others. A hostile file can make that a long chain. */
const MAX_ROUNDS = 4;

/**
 * Merges groups that name the same agents, and groups with the same content. Each agent keeps its rules, and its
 * other records in their order.
 */
export function mergeGroups({ groups, ...rest }: GroupedRecords): GroupedRecords {
  let merged = groups;
  for (
    let round = 0, count = Number.POSITIVE_INFINITY;
    merged.length < count && round < MAX_ROUNDS;
    round++
  ) {
    count = merged.length;
    const names = new Map(
      merged.map((group) => [
        group,
        new Set(group.agents.flatMap(({ value }) => parseAgentNames(value.toLowerCase()))),
      ]),
    );
    const groupsPerName = new Map<string, number>();
    for (const own of names.values())
      for (const name of own) groupsPerName.set(name, (groupsPerName.get(name) ?? 0) + 1);
    /** Whether no other group names any of its agents. */
    const isOnlyGroup = (group: RecordGroup): boolean =>
      [...(names.get(group) ?? [])].every((name) => groupsPerName.get(name) === 1);
    const mergedByAgents = mergeByKey(merged, (group) =>
      group.fixedOrder === null && group.others.length === 0 ? getAgentsKey(group) : undefined,
    );
    // New groups are not in the maps: merge by content in the next round.
    merged =
      mergedByAgents.length < count
        ? mergedByAgents
        : mergeByKey(merged, (group) =>
            group.fixedOrder === null && (group.others.length === 0 || isOnlyGroup(group))
              ? getContentKey(group)
              : undefined,
          );
  }
  return { ...rest, groups: merged };
}

function getAgentsKey({ agents }: RecordGroup): string {
  return agents
    .map(({ value }) => value)
    .sort()
    .join('\n');
}

/** Returns a key of the rules, in any order, and of the other records, in their order, with all comments. */
function getContentKey({ rules, others }: RecordGroup): string {
  const format = (records: readonly RawRecord[]): string[] =>
    records.map((record) => [...record.comments, formatRecord(record)].join('\n'));
  const effective = rules.filter(({ value, comments }) => value !== '' || comments.length > 0);
  return [...new Set(format(effective).sort()), '', ...format(others)].join('\n');
}

/** Merges the groups that have the same key. Groups with the key `undefined` stay as they are. */
function mergeByKey(
  groups: readonly RecordGroup[],
  getKey: (group: RecordGroup) => string | undefined,
): RecordGroup[] {
  const indexes = new Map<string, number>();
  const merged: RecordGroup[] = [];
  const parts: RecordGroup[][] = [];
  for (const group of groups) {
    const key = getKey(group);
    const index = key === undefined ? undefined : indexes.get(key);
    if (index !== undefined) {
      (parts[index] as RecordGroup[]).push(group);
      continue;
    }
    if (key !== undefined) indexes.set(key, parts.length);
    parts.push([group]);
  }
  for (const same of parts) {
    const [first] = same as [RecordGroup];
    if (same.length === 1) merged.push(first);
    else {
      merged.push({
        ...first,
        agents: removeDuplicates(same.flatMap(({ agents }) => agents)),
        rules: same.flatMap(({ rules }) => rules),
      });
    }
  }
  return merged;
}
