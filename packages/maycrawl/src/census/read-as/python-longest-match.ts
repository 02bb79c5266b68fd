/**
 * The module `urllib.robotparser` of Python since it follows RFC 9309 (in 2026; Python 3.15, and later versions of 3.13 and 3.14). It
 * differs from the RFC: an agent can be a part of the crawler's name, and the length of a match is that of the matched text.
 *
 * @module
 */
import { decodeWithEscapes, requote, splitField, splitLines, stripComment } from './python-text.ts';
import { createDecidingFile, type OtherReading, type ReadFile } from './reading.ts';

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

function read(content: Uint8Array): ReadFile {
  const groups = new Map<string, Group>();
  for (const group of readGroups(splitLines(decodeWithEscapes(content))))
    for (const agent of group.agents) {
      const name = agent.toLowerCase();
      const earlier = groups.get(name);
      groups.set(name, earlier === undefined ? group : mergeGroups(earlier, group));
    }
  return createDecidingFile((agent, path) => {
    const url = normalizeUrl(path);
    if (url === '/robots.txt') return true;
    const rules = findGroup(groups, agent)?.rules ?? [];
    let best = 0;
    let isAllowed = true;
    for (const rule of rules) {
      const length = getMatchLength(rule, url);
      if (length > best) [best, isAllowed] = [length, rule.isAllow];
      else if (length === best && length > 0) isAllowed ||= rule.isAllow;
    }
    return isAllowed;
  });
}

/** A group of this name, otherwise the first one with an agent that is part of the name, otherwise that for `*`. */
function findGroup(groups: ReadonlyMap<string, Group>, agent: string): Group | undefined {
  const name = (agent.split('/')[0] as string).toLowerCase();
  const isPart = (each: string): boolean => each !== '*' && name.includes(each.toLowerCase());
  return (
    groups.get(agent.toLowerCase()) ??
    [...groups.values()].find(({ agents }) => agents.some(isPart)) ??
    groups.get('*')
  );
}

function mergeGroups(first: Group, second: Group): Group {
  return {
    agents: first.agents.filter((agent) => second.agents.includes(agent)),
    rules: [...first.rules, ...second.rules],
  };
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
function getMatchLength({ parts, isWhole }: Rule, url: string): number {
  const [first, ...rest] = parts as [string, ...string[]];
  if (!url.startsWith(first)) return 0;
  const last = rest.pop();
  if (last === undefined) return isWhole && url !== first ? 0 : first.length + 1;
  let at = first.length;
  for (const part of rest) {
    const found = url.indexOf(part, at);
    if (found < 0) return 0;
    at = found + part.length;
  }
  // The last wildcard is greedy.
  const found = isWhole && !url.endsWith(last) ? -1 : url.lastIndexOf(last);
  return found < at ? 0 : found + last.length + 1;
}
