// Readings of studies: simplified parsers whose results were published or are often written.
import type { Budget } from '@maycrawl/core/proofs';
import { splitLines, strip, stripComment } from './python-text.ts';
import {
  type Access,
  createClassifiedFile,
  createDecidingFile,
  createReadingBudget,
  type OtherReading,
  type ReadFile,
} from './reading.ts';
import { hasPrefix } from './text-search.ts';

interface Rules {
  readonly allow: readonly string[];
  readonly disallow: readonly string[];
}

/** How a study assigns rules to the agents above them. */
type Assignment = 'group' | 'all-before' | 'last-agent';

/** Programs that do not know the byte order mark read it as part of the first field. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const DATA_PROVENANCE =
  'https://github.com/Data-Provenance-Initiative/Data-Provenance-Collection/blob/main/src/web_analysis/parse_robots.py';

export const STUDIES: readonly OtherReading[] = [
  {
    name: 'prefixes',
    description: 'the longest path that is a prefix decides; * and $ are ordinary characters',
    source: 'RFC 9309 without section 2.2.3',
    read: (content, probes, budget = createReadingBudget(content)) => {
      const agents = readRules(content, 'group', (agent) => agent.toLowerCase());
      return createDecidingFile(
        {
          findRules: (agent) => agents.findRanges(agent.toLowerCase(), '*'),
          toComparedPath: (path) => path,
          isAllowed: (ranges, path) => agents.isAllowedByPrefix(ranges, path, budget),
        },
        probes,
        budget,
      );
    },
  },
  {
    name: 'exact-rules',
    description: 'none if the only rule is "Disallow: /", all if no rule disallows a path, otherwise some',
    source: 'a dictionary of whole rule sets, which does not recognize "Disallow: /*"',
    read: (content, _probes, budget = createReadingBudget(content)) => {
      const agents = readRules(content, 'group', (agent) => agent.toLowerCase());
      return createClassifiedFile(
        {
          findRules: (agent) => agents.findRanges(agent.toLowerCase(), '*'),
          classify: (ranges) => classifyExactly(agents.select(ranges, budget)),
        },
        budget,
      );
    },
  },
  {
    name: 'data-provenance-2024',
    description: 'rules count for all agents named before them, and names are compared with their case',
    source: DATA_PROVENANCE,
    read: (content, _probes, budget) => readAsStudy(content, 'all-before', budget),
  },
  {
    name: 'data-provenance-2025',
    description: 'after the first group, rules count for the last agent of a list only',
    source: DATA_PROVENANCE,
    read: (content, _probes, budget) => readAsStudy(content, 'last-agent', budget),
  },
];

/** Rules that count for an agent: from a number to before another one. */
interface Range {
  readonly start: number;
  end: number;
}

const NO_RANGES: readonly Range[] = [];

interface Rule {
  readonly isAllow: boolean;
  readonly path: string;
}

/** The rules of a file, and for each agent the ranges of those that count for it. */
class AssignedRules {
  readonly #rules: Rule[] = [];
  readonly #ranges = new Map<string, Range[]>();

  addRule(isAllow: boolean, path: string): void {
    this.#rules.push({ isAllow, path });
  }

  /** Begins a range of an agent. It ends with the file unless {@link close} ends it. */
  open(agent: string): void {
    const ranges = this.#ranges.get(agent) ?? [];
    ranges.push({ start: this.#rules.length, end: Number.POSITIVE_INFINITY });
    this.#ranges.set(agent, ranges);
  }

  /** Ends the last range of an agent. */
  close(agent: string): void {
    const range = this.#ranges.get(agent)?.at(-1);
    if (range !== undefined) range.end = this.#rules.length;
  }

  /** Finds the ranges of the first of some agents that has any. */
  findRanges(...agents: readonly string[]): readonly Range[] {
    return agents.map((agent) => this.#ranges.get(agent)).find((each) => each !== undefined) ?? NO_RANGES;
  }

  /** Returns the paths of the rules in ranges. */
  select(ranges: readonly Range[], budget: Budget): Rules {
    const [allow, disallow]: [string[], string[]] = [[], []];
    for (const { start, end } of ranges)
      for (const { isAllow, path } of this.#rules.slice(start, end)) {
        budget.spend(2 + path.length / 8);
        (isAllow ? allow : disallow).push(path);
      }
    return { allow, disallow };
  }

  /** Whether the longest of the rules in ranges that is a prefix of a path is an allow rule, or there is no such rule. */
  isAllowedByPrefix(ranges: readonly Range[], path: string, budget: Budget): boolean {
    let [longest, isAllowed] = [0, true];
    for (const { start, end } of ranges)
      for (let index = start; index < Math.min(end, this.#rules.length); index++) {
        const rule = this.#rules[index] as Rule;
        if (!hasPrefix(path, rule.path, budget)) continue;
        if (rule.path.length > longest) [longest, isAllowed] = [rule.path.length, rule.isAllow];
        else if (rule.path.length === longest) isAllowed ||= rule.isAllow;
      }
    return isAllowed;
  }
}

/** Reads the rules of each agent. @param toKey - returns the name by which an agent is found. */
function readRules(
  content: Uint8Array,
  assignment: Assignment,
  toKey: (agent: string) => string,
): AssignedRules {
  const rules = new AssignedRules();
  /** The first spelling of each agent, by its name in lower case. */
  const spellings = new Map<string, string>();
  let current = new Set<string>();
  let hasRules = false;
  let isListOpen = false;
  for (const raw of splitLines(decoder.decode(content))) {
    const line = stripComment(raw);
    const colon = line.indexOf(':');
    const field = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = strip(line.slice(colon + 1));
    if (field === 'user-agent') {
      const isNewList = { group: !isListOpen, 'last-agent': hasRules, 'all-before': false }[assignment];
      if (isNewList) {
        for (const agent of current) rules.close(agent);
        current = new Set();
      }
      const key = toKey(value);
      const agent = spellings.get(key.toLowerCase()) ?? key;
      spellings.set(key.toLowerCase(), agent);
      if (!current.has(agent)) rules.open(agent);
      current.add(agent);
      isListOpen = true;
    } else if (field === 'allow' || field === 'disallow') {
      isListOpen = false;
      hasRules = true;
      rules.addRule(field === 'allow', value);
    }
  }
  return rules;
}

function classifyExactly({ allow, disallow }: Rules): Access {
  if (disallow.every((path) => path === '')) return 'all';
  return allow.length === 0 && disallow.every((path) => path === '/') ? 'none' : 'some';
}

/** Rules with a question mark are ignored, and equal lists of both kinds cancel each other. */
function readAsStudy(
  content: Uint8Array,
  assignment: Assignment,
  budget: Budget = createReadingBudget(content),
): ReadFile {
  const agents = readRules(content, assignment, (agent) => agent);
  return createClassifiedFile(
    {
      findRules: (agent) => agents.findRanges(agent, '*'),
      classify: (ranges) => classifyAsStudy(agents.select(ranges, budget)),
    },
    budget,
  );
}

function classifyAsStudy(rules: Rules): Access {
  const [allow, disallow] = [rules.allow, rules.disallow].map((list) =>
    list.filter((path) => !path.includes('?')),
  ) as [string[], string[]];
  const isEmpty = disallow.length === 0 || (disallow.length === 1 && disallow[0] === '');
  if (isEmpty || JSON.stringify(allow) === JSON.stringify(disallow)) return 'all';
  return disallow.includes('/') && allow.length === 0 ? 'none' : 'some';
}
