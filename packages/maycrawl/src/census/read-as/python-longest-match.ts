// The module `urllib.robotparser` of Python since it follows RFC 9309 (in 2026; Python 3.15, and later versions of 3.13 and 3.14). It
// differs from the RFC: an agent can be a part of the crawler's name, and the length of a match is that of the matched text.
import type { Budget } from '@maycrawl/core/proofs';
import { decodeWithEscapes, requote, splitField, splitLines, stripComment } from './python-text.ts';
import { createDecidingFile, createReadingBudget, type OtherReading, type ReadFile } from './reading.ts';
import { findLastPart, findPart, hasPrefix, hasSuffix } from './text-search.ts';

interface Rule {
  /** The literal texts between wildcards. */
  readonly parts: readonly string[];
  /** Whether the pattern ends with `$`. */
  readonly isWhole: boolean;
  readonly isAllow: boolean;
}

interface Group {
  readonly agents: readonly string[];
  readonly rules: readonly Rule[];
}

export const PYTHON_LONGEST_MATCH: OtherReading = {
  name: 'python-3.15',
  description: 'urllib.robotparser of Python 3.15: the longest match decides',
  source: 'https://github.com/python/cpython/pull/138908',
  read,
};

const NO_GROUPS: readonly Group[] = [];

function read(
  content: Uint8Array,
  probes: readonly string[],
  budget: Budget = createReadingBudget(content),
): ReadFile {
  const groups = new MergedGroups(readGroups(splitLines(decodeWithEscapes(content))), budget);
  const isAllowed = (merged: readonly Group[], url: string): boolean => {
    if (url === '/robots.txt') return true;
    let best = 0;
    let isAllowed = true;
    for (const { rules } of merged)
      for (const rule of rules) {
        const length = getMatchLength(rule, url, budget);
        if (length > best) [best, isAllowed] = [length, rule.isAllow];
        else if (length === best && length > 0) isAllowed ||= rule.isAllow;
      }
    return isAllowed;
  };
  const findRules = (agent: string): readonly Group[] => groups.find(agent);
  return createDecidingFile({ findRules, toComparedPath: normalizeUrl, isAllowed }, probes, budget);
}

/** Groups with the same agent are one group. Its agents are those that all of them have. */
class MergedGroups {
  readonly #groups: readonly Group[];
  readonly #budget: Budget;
  /** The groups that have a name, by the name in lower case. */
  readonly #byName = new Map<string, Group[]>();

  constructor(groups: readonly Group[], budget: Budget) {
    this.#groups = groups;
    this.#budget = budget;
    for (const group of groups)
      for (const agent of group.agents) {
        const merged = this.#byName.get(agent.toLowerCase());
        if (merged === undefined) this.#byName.set(agent.toLowerCase(), [group]);
        // A name may be in the list of a group twice.
        else if (merged.at(-1) !== group) merged.push(group);
      }
  }

  /** Finds the groups of this name, otherwise the first ones with an agent that is part of the name, otherwise those for `*`. */
  find(agent: string): readonly Group[] {
    const name = (agent.split('/')[0] as string).toLowerCase();
    return (
      this.#byName.get(agent.toLowerCase()) ?? this.#findByPart(name) ?? this.#byName.get('*') ?? NO_GROUPS
    );
  }

  #findByPart(name: string): readonly Group[] | undefined {
    const parts = new Map(this.#groups.map((group) => [group, this.#findParts(group, name)]));
    for (const merged of this.#byName.values()) {
      let common: ReadonlySet<string> | undefined;
      for (const group of merged) {
        const found = parts.get(group) as ReadonlySet<string>;
        this.#budget.spend(2 + (common?.size ?? 0));
        common = common === undefined ? found : new Set([...common].filter((part) => found.has(part)));
        if (common.size === 0) break;
      }
      if (common !== undefined && common.size > 0) return merged;
    }
    return undefined;
  }

  #findParts({ agents }: Group, name: string): ReadonlySet<string> {
    this.#budget.spend(20 + 2 * agents.length);
    return new Set(agents.filter((agent) => agent !== '*' && name.includes(agent.toLowerCase())));
  }
}

function readGroups(lines: readonly string[]): Group[] {
  const groups: { agents: string[]; rules: Rule[] }[] = [];
  let isListOpen = false;
  for (const line of lines) {
    const [field, value] = splitField(stripComment(line)) ?? ['', ''];
    if (field === 'user-agent') {
      if (!isListOpen) groups.push({ agents: [], rules: [] });
      isListOpen = true;
      groups.at(-1)?.agents.push(value);
    } else if (RULE_FIELDS.includes(field)) {
      isListOpen = false;
      const isAllow = field === 'allow' || value === '';
      const rule = field === 'allow' || field === 'disallow' ? parseRule(value, isAllow) : null;
      if (rule !== null) groups.at(-1)?.rules.push(rule);
    }
  }
  return groups;
}

/** Fields that end a list of user-agent lines. */
const RULE_FIELDS = ['allow', 'disallow', 'crawl-delay', 'request-rate'];

/** Parses the pattern of a rule. `null` if it has a `$` before its end. */
function parseRule(value: string, isAllow: boolean): Rule | null {
  const path = normalizePattern(value.replace(/\*{2,}/g, '*').replace(/\$[$*]+/g, '$'));
  const isWhole = path.endsWith('$');
  const pattern = path.replace(/\$$/, '');
  return pattern.includes('$') ? null : { parts: pattern.split('*'), isWhole, isAllow };
}

/** Normalizes each run of characters that are not in `kept`; in the query `=` and `&` also separate runs. */
function normalizePattern(text: string): string {
  const mark = text.indexOf('?');
  if (mark < 0) return requoteRuns(text, /[^*$]+/g);
  const query = requoteRuns(text.slice(mark + 1), /[^=&*$]+/g);
  return `${requoteRuns(text.slice(0, mark), /[^*$]+/g)}?${query}`;
}

/** Python puts two slashes before a path that begins with two, so that it does not look like a host. */
function normalizeUrl(written: string): string {
  const text = written.startsWith('//') ? `//${written}` : written;
  const mark = text.indexOf('?');
  if (mark < 0) return requote(text) || '/';
  return `${requote(text.slice(0, mark))}?${requoteRuns(text.slice(mark + 1), /[^=&]+/g)}`;
}

function requoteRuns(text: string, runs: RegExp): string {
  return text.replace(runs, requote);
}

/** Returns the length of the matched text and 1; 0 if the rule does not match. */
function getMatchLength({ parts, isWhole }: Rule, url: string, budget: Budget): number {
  const [first] = parts as readonly [string];
  if (!hasPrefix(url, first, budget)) return 0;
  const end = parts.length - 1;
  if (end === 0) return isWhole && url !== first ? 0 : first.length + 1;
  let at = first.length;
  for (let index = 1; index < end; index++) {
    const part = parts[index] as string;
    const found = findPart(url, part, at, budget);
    if (found < 0) return 0;
    at = found + part.length;
  }
  // The last wildcard is greedy.
  const last = parts[end] as string;
  if (isWhole) return hasSuffix(url, last, budget) && url.length - last.length >= at ? url.length + 1 : 0;
  const found = findLastPart(url, last, at, budget);
  return found < 0 ? 0 : found + last.length + 1;
}
