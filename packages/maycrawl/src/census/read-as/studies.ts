/**
 * Readings of studies: simplified parsers whose results were published or are often written.
 *
 * @module
 */
import { splitLines, strip, stripComment } from './python-text.ts';
import { type Access, createDecidingFile, type OtherReading, type ReadFile } from './reading.ts';

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

/** The readings of studies. */
export const STUDIES: readonly OtherReading[] = [
  {
    name: 'prefixes',
    description: 'the longest path that is a prefix decides; * and $ are ordinary characters',
    source: 'RFC 9309 without section 2.2.3',
    read: (content) => {
      const agents = readRules(content, 'group', (agent) => agent.toLowerCase());
      return createDecidingFile((agent, path) => {
        const { allow, disallow } = agents.select(agent.toLowerCase(), '*');
        return getLongestPrefix(allow, path) >= getLongestPrefix(disallow, path);
      });
    },
  },
  {
    name: 'exact-rules',
    description: 'none if the only rule is "Disallow: /", all if no rule disallows a path, otherwise some',
    source: 'a dictionary of whole rule sets, which does not recognize "Disallow: /*"',
    read: (content) => {
      const agents = readRules(content, 'group', (agent) => agent.toLowerCase());
      return {
        classify: (agent) => classifyExactly(agents.select(agent.toLowerCase(), '*')),
      };
    },
  },
  {
    name: 'data-provenance-2024',
    description: 'rules count for all agents named before them, and names are compared with their case',
    source: DATA_PROVENANCE,
    read: (content) => readAsStudy(content, 'all-before'),
  },
  {
    name: 'data-provenance-2025',
    description: 'after the first group, rules count for the last agent of a list only',
    source: DATA_PROVENANCE,
    read: (content) => readAsStudy(content, 'last-agent'),
  },
];

const FIELDS = ['allow', 'disallow'] as const;

/** The rules of a file, and for each agent the ranges of those that count for it. */
class AssignedRules {
  readonly #rules: { readonly field: string; readonly value: string }[] = [];
  readonly #ranges = new Map<string, { readonly start: number; end: number }[]>();

  addRule(field: string, value: string): void {
    this.#rules.push({ field, value });
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

  /** Returns the rules of the first of some agents that has ranges. */
  select(...agents: readonly string[]): Rules {
    const ranges = agents.map((agent) => this.#ranges.get(agent)).find((each) => each !== undefined) ?? [];
    const rules = ranges.flatMap(({ start, end }) => this.#rules.slice(start, end));
    const [allow, disallow] = FIELDS.map((field) =>
      rules.filter((rule) => rule.field === field).map(({ value }) => value),
    ) as [string[], string[]];
    return { allow, disallow };
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
      rules.addRule(field, value);
    }
  }
  return rules;
}

function getLongestPrefix(prefixes: readonly string[], path: string): number {
  let longest = 0;
  for (const prefix of prefixes) if (path.startsWith(prefix)) longest = Math.max(longest, prefix.length);
  return longest;
}

function classifyExactly({ allow, disallow }: Rules): Access {
  if (disallow.every((path) => path === '')) return 'all';
  return allow.length === 0 && disallow.every((path) => path === '/') ? 'none' : 'some';
}

/** Rules with a question mark are ignored, and equal lists of both kinds cancel each other. */
function readAsStudy(content: Uint8Array, assignment: Assignment): ReadFile {
  const agents = readRules(content, assignment, (agent) => agent);
  return {
    classify: (agent) => {
      const rules = agents.select(agent, '*');
      const [allow, disallow] = [rules.allow, rules.disallow].map((list) =>
        list.filter((path) => !path.includes('?')),
      ) as [string[], string[]];
      const isEmpty = disallow.length === 0 || (disallow.length === 1 && disallow[0] === '');
      if (isEmpty || JSON.stringify(allow) === JSON.stringify(disallow)) return 'all';
      return disallow.includes('/') && allow.length === 0 ? 'none' : 'some';
    },
  };
}
