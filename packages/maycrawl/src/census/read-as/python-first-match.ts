// The module `urllib.robotparser` of Python before it followed RFC 9309: the first group whose agent is part of the crawler's name, the
// first rule whose path is a prefix, no wildcards, and empty lines end groups.
import type { Budget } from '@maycrawl/core/proofs';
import { decodeStrict, quote, splitField, splitLines, stripComment, unquote } from './python-text.ts';
import { joinUrl, splitUrl } from './python-url.ts';
import { createDecidingFile, createReadingBudget, type OtherReading, type ReadFile } from './reading.ts';
import { hasPrefix } from './text-search.ts';

interface Rule {
  readonly path: string;
  readonly isAllow: boolean;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
}

export const PYTHON_FIRST_MATCH: OtherReading = {
  name: 'python-3.11',
  description: 'urllib.robotparser of Python 3.11: the first matching rule decides, without wildcards',
  source: 'https://github.com/python/cpython/blob/v3.11.7/Lib/urllib/robotparser.py',
  read,
};

const NO_RULES: readonly Rule[] = [];

function read(
  content: Uint8Array,
  probes: readonly string[],
  budget: Budget = createReadingBudget(content),
): ReadFile | null {
  const text = decodeStrict(content);
  const groups = text === null ? null : readGroups(splitLines(text));
  if (groups === null) return null;
  const named = groups.filter(({ agents }) => !agents.includes('*'));
  const global = groups.find(({ agents }) => agents.includes('*'));
  const findRules = (agent: string): readonly Rule[] => {
    const name = (agent.split('/')[0] as string).toLowerCase();
    const isPart = (each: string): boolean => {
      budget.spend(2);
      return name.includes(each.toLowerCase());
    };
    return (named.find(({ agents }) => agents.some(isPart)) ?? global)?.rules ?? NO_RULES;
  };
  const isAllowed = (rules: readonly Rule[], path: string): boolean =>
    rules.find((rule) => hasPrefix(path, rule.path, budget))?.isAllow ?? true;
  return createDecidingFile({ findRules, toComparedPath, isAllowed }, probes, budget);
}

/** Reads the groups. `null` if the path of a rule causes an exception. */
function readGroups(lines: readonly string[]): Group[] | null {
  const groups: Group[] = [];
  let group: Group = { agents: [], rules: [] };
  let state: 'start' | 'agents' | 'rules' = 'start';
  const finish = (): void => {
    if (state === 'rules') groups.push(group);
    group = { agents: [], rules: [] };
    state = 'start';
  };
  for (const line of lines) {
    if (line === '' && state !== 'start') finish();
    const [field, written] = splitField(stripComment(line)) ?? ['', ''];
    const value = unquote(written);
    if (field === 'user-agent') {
      if (state === 'rules') finish();
      group.agents.push(value);
      state = 'agents';
    } else if (RULE_FIELDS.includes(field) && state !== 'start') {
      state = 'rules';
      if (field !== 'allow' && field !== 'disallow') continue;
      const parts = splitUrl(value);
      if (parts === null) return null;
      // An empty disallow rule allows everything.
      group.rules.push({ path: quote(joinUrl(parts)), isAllow: field === 'allow' || value === '' });
    }
  }
  finish();
  return groups;
}

/** Fields that end a list of user-agent lines. */
const RULE_FIELDS = ['allow', 'disallow', 'crawl-delay', 'request-rate'];

function toComparedPath(path: string): string {
  const parts = splitUrl(unquote(`https://host.example${path}`));
  const rest = parts === null ? path : joinUrl({ ...parts, scheme: '', netloc: '' });
  return quote(rest) || '/';
}
