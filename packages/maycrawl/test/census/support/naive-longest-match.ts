/** Python's reading of RFC 9309 as its module has it: groups are merged when they are read, and searched for each path. */
import {
  decodeWithEscapes,
  requote,
  splitField,
  splitLines,
  stripComment,
} from '../../../src/census/read-as/python-text.ts';

interface Rule {
  readonly parts: readonly string[];
  readonly isWhole: boolean;
  readonly isAllow: boolean;
}

interface Group {
  readonly agents: readonly string[];
  readonly rules: readonly Rule[];
}

/** Returns the verdict of an agent on a path. */
export function isAllowedNaively(content: Uint8Array, agent: string, path: string): boolean {
  const groups = new Map<string, Group>();
  for (const group of readGroups(splitLines(decodeWithEscapes(content))))
    for (const each of group.agents) {
      const earlier = groups.get(each.toLowerCase());
      groups.set(each.toLowerCase(), earlier === undefined ? group : mergeGroups(earlier, group));
    }
  const url = normalizeUrl(path);
  if (url === '/robots.txt') return true;
  const lengths = (findGroup(groups, agent)?.rules ?? []).map((rule) => ({
    length: getMatchLength(rule, url),
    isAllow: rule.isAllow,
  }));
  const best = Math.max(0, ...lengths.map(({ length }) => length));
  return best === 0 || lengths.some(({ length, isAllow }) => length === best && isAllow);
}

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
    } else if (['allow', 'disallow', 'crawl-delay', 'request-rate'].includes(field)) {
      isListOpen = false;
      const rule = field === 'allow' || field === 'disallow' ? parseRule(field, value) : null;
      if (rule !== null) groups.at(-1)?.rules.push(rule);
    }
  }
  return groups;
}

function parseRule(field: string, value: string): Rule | null {
  const path = normalizePattern(value.replace(/\*{2,}/g, '*').replace(/\$[$*]+/g, '$'));
  const pattern = path.replace(/\$$/, '');
  if (pattern.includes('$')) return null;
  return {
    parts: pattern.split('*'),
    isWhole: path.endsWith('$'),
    isAllow: field === 'allow' || value === '',
  };
}

function normalizePattern(text: string): string {
  const mark = text.indexOf('?');
  if (mark < 0) return text.replace(/[^*$]+/g, requote);
  return `${text.slice(0, mark).replace(/[^*$]+/g, requote)}?${text.slice(mark + 1).replace(/[^=&*$]+/g, requote)}`;
}

function normalizeUrl(written: string): string {
  const text = written.startsWith('//') ? `//${written}` : written;
  const mark = text.indexOf('?');
  if (mark < 0) return requote(text) || '/';
  return `${requote(text.slice(0, mark))}?${text.slice(mark + 1).replace(/[^=&]+/g, requote)}`;
}

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
  const found = isWhole && !url.endsWith(last) ? -1 : url.lastIndexOf(last);
  return found < at ? 0 : found + last.length + 1;
}
