/**
 * The groups of a file as `minify` writes them: duplicates go, and groups become one where every agent is told the same as before.
 *
 * @module
 */
import { ALLOW, DISALLOW, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import type { WrittenLine, WrittenLines } from './written-lines.ts';

/** A group as it will be written. */
interface Block {
  /** Its place among the groups of the file. */
  readonly place: number;
  readonly agents: readonly WrittenLine[];
  readonly rules: readonly WrittenLine[];
  /** Records that are no part of the protocol. */
  readonly others: readonly WrittenLine[];
  /**
   * Its lines but the rules in their order, if that matters: a crawl-delay line stands between user-agent lines, and crawlers
   * that obey it take that as the end of the list. Such a block is merged with no other.
   */
  readonly fixed: readonly WrittenLine[] | null;
}

/** A file in groups. */
export interface Blocks {
  readonly blocks: readonly Block[];
  /** Lines that stand in no group, each with the number of groups that began before it. */
  readonly outside: readonly (readonly [place: number, line: WrittenLine])[];
  readonly comments: readonly string[];
}

const isRule = ({ kind }: WrittenLine): boolean => kind === ALLOW || kind === DISALLOW;
const isDelay = ({ field }: WrittenLine): boolean => field.toLowerCase() === 'crawl-delay';

/** Puts lines into groups. Rules before the first group, which nobody obeys, are left out. */
export function toBlocks({ lines, comments }: WrittenLines): Blocks {
  const groups: WrittenLine[][] = [];
  const outside: [number, WrittenLine][] = [];
  let isClosed = true;
  for (const line of lines) {
    if (line.kind === USER_AGENT) {
      if (isClosed) groups.push([]);
      isClosed = false;
    }
    const group = groups.at(-1);
    if (line.kind === SITEMAP || (group === undefined && !isRule(line))) outside.push([groups.length, line]);
    else group?.push(line);
    if (isRule(line) && group !== undefined) isClosed = true;
  }
  return { blocks: groups.map(toBlock), outside, comments };
}

function toBlock(lines: readonly WrittenLine[], place: number): Block {
  const lastAgent = lines.findLastIndex(({ kind }) => kind === USER_AGENT);
  const isFixed = lines.some((line, index) => index < lastAgent && isDelay(line));
  const agents = uniqueLines(lines.filter(({ kind }) => kind === USER_AGENT));
  const others = lines.filter((line) => line.kind !== USER_AGENT && !isRule(line));
  return {
    place,
    agents,
    rules: lines.filter(isRule),
    others,
    fixed: isFixed ? lines.filter((line) => !isRule(line)) : null,
  };
}

/** The lines without those that say what an earlier one says. */
function uniqueLines(lines: readonly WrittenLine[]): WrittenLine[] {
  const unique = new Map<string, WrittenLine>();
  for (const line of lines) {
    const key = textOf(line);
    const known = unique.get(key);
    if (known === undefined) unique.set(key, line);
    else if (line.comments.length > 0)
      unique.set(key, { ...known, comments: [...known.comments, ...line.comments] });
  }
  return [...unique.values()];
}

const textOf = ({ field, value }: WrittenLine): string => `${field}:${value}`;

/** A rule that decides nothing. A group without any other has one, so that the next group does not become a part of it. */
const NO_RULE: WrittenLine = { kind: DISALLOW, line: 0, field: 'disallow', value: '', comments: [] };

/** Changes the rules of all blocks. `change` returns `undefined` for a rule that goes; a group that had rules keeps an empty one. */
export function changeRules(
  { blocks, ...rest }: Blocks,
  change: (rule: WrittenLine, place: number) => WrittenLine | undefined,
): Blocks {
  const changed = blocks.map((block) => {
    const rules = block.rules.map((rule) => change(rule, block.place)).filter((rule) => rule !== undefined);
    const [first] = block.rules;
    const isEmptied = rules.length === 0 && first !== undefined;
    return { ...block, rules: isEmptied ? [{ ...NO_RULE, line: first.line }] : rules };
  });
  return { ...rest, blocks: changed };
}

/** Writes blocks as lines: of each the agents, rules and other records, without duplicates. */
export function toLines({ blocks, outside, comments }: Blocks): WrittenLines {
  const lines: WrittenLine[] = [];
  let written = 0;
  const writeOutside = (place: number): void => {
    for (
      ;
      written < outside.length && (outside[written] as readonly [number, WrittenLine])[0] <= place;
      written++
    )
      lines.push((outside[written] as readonly [number, WrittenLine])[1]);
  };
  for (const [index, block] of blocks.entries()) {
    writeOutside(block.place);
    const rules = compactRules(block, index === blocks.length - 1);
    for (const line of block.fixed ?? block.agents) lines.push(line);
    for (const line of block.fixed === null ? inOrder([...rules, ...block.others]) : rules) lines.push(line);
  }
  writeOutside(Number.POSITIVE_INFINITY);
  return { lines, comments };
}

/** Lines in the order of the file. */
function inOrder(lines: readonly WrittenLine[]): WrittenLine[] {
  return [...lines].sort((a, b) => a.line - b.line);
}

function compactRules({ rules }: Block, isLast: boolean): WrittenLine[] {
  const unique = uniqueLines(rules);
  const meant = unique.filter(({ value }) => value !== '');
  if (meant.length > 0) return meant;
  const [empty] = unique;
  if (empty !== undefined) return [{ ...NO_RULE, line: empty.line, comments: empty.comments }];
  return isLast ? [] : [{ ...NO_RULE, line: Number.POSITIVE_INFINITY }];
}

/** Blocks that become one can make others alike. A hostile file makes that a long chain. */
const MAX_ROUNDS = 4;

/**
 * Makes one block of several: of those that name the same agents, and of those that say the same. Each agent is told the same
 * rules, and the same other records in the same order.
 *
 * @param agentsNamedBy - keys of the agents that a user-agent value names.
 */
export function mergeBlocks(
  { blocks, ...rest }: Blocks,
  agentsNamedBy: (value: string) => readonly string[],
): Blocks {
  let merged = blocks;
  for (
    let round = 0, count = Number.POSITIVE_INFINITY;
    merged.length < count && round < MAX_ROUNDS;
    round++
  ) {
    count = merged.length;
    const keys = new Map(
      merged.map((block) => [block, new Set(block.agents.flatMap(({ value }) => agentsNamedBy(value)))]),
    );
    const named = new Map<string, number>();
    for (const own of keys.values()) for (const key of own) named.set(key, (named.get(key) ?? 0) + 1);
    /** Whether no other block names any of its agents. */
    const isAlone = (block: Block): boolean =>
      [...(keys.get(block) ?? [])].every((key) => named.get(key) === 1);
    const oncePerNames = mergeBy(merged, (block) =>
      block.fixed === null && block.others.length === 0 ? namesOf(block) : undefined,
    );
    // Blocks that are new are in none of the tables.
    merged =
      oncePerNames.length < count
        ? oncePerNames
        : mergeBy(merged, (block) =>
            block.fixed === null && (block.others.length === 0 || isAlone(block))
              ? contentOf(block)
              : undefined,
          );
  }
  return { ...rest, blocks: merged };
}

function namesOf({ agents }: Block): string {
  return agents
    .map(({ value }) => value)
    .sort()
    .join('\n');
}

/** What a block says: its rules in any order, and its other records in theirs, with their comments. */
function contentOf({ rules, others }: Block): string {
  const texts = (lines: readonly WrittenLine[]): string[] =>
    lines.map((line) => [...line.comments, textOf(line)].join('\n'));
  const meant = rules.filter(({ value, comments }) => value !== '' || comments.length > 0);
  return [...new Set(texts(meant).sort()), '', ...texts(others)].join('\n');
}

/** Makes one of all blocks with the same key; of those without a key nothing. */
function mergeBy(blocks: readonly Block[], keyOf: (block: Block) => string | undefined): Block[] {
  const byKey = new Map<string, number>();
  const merged: Block[] = [];
  const parts: Block[][] = [];
  for (const block of blocks) {
    const key = keyOf(block);
    const known = key === undefined ? undefined : byKey.get(key);
    if (known !== undefined) {
      (parts[known] as Block[]).push(block);
      continue;
    }
    if (key !== undefined) byKey.set(key, parts.length);
    parts.push([block]);
  }
  for (const same of parts) {
    const [first] = same as [Block];
    if (same.length === 1) merged.push(first);
    else {
      merged.push({
        ...first,
        agents: uniqueLines(same.flatMap(({ agents }) => agents)),
        rules: same.flatMap(({ rules }) => rules),
      });
    }
  }
  return merged;
}
