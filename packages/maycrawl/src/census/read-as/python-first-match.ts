/**
 * The module `urllib.robotparser` of Python before it followed RFC 9309: the first group whose agent is part of the crawler's name, the
 * first rule whose path is a prefix, no wildcards, and empty lines end groups.
 *
 * @module
 */
import { decodeStrict, quote, splitField, splitLines, stripComment, unquote } from './python-text.ts';
import { joinUrl, splitUrl } from './python-url.ts';
import { createDecidingFile, type OtherReading, type ReadFile } from './reading.ts';

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

function read(content: Uint8Array): ReadFile | null {
  const text = decodeStrict(content);
  const groups = text === null ? null : readGroups(splitLines(text));
  if (groups === null) return null;
  const named = groups.filter(({ agents }) => !agents.includes('*'));
  const global = groups.find(({ agents }) => agents.includes('*'));
  return createDecidingFile((agent, path) => {
    const name = (agent.split('/')[0] as string).toLowerCase();
    const own = named.find(({ agents }) => agents.some((each) => name.includes(each.toLowerCase())));
    const rules = (own ?? global)?.rules ?? [];
    const compared = toComparedPath(path);
    return rules.find((rule) => compared.startsWith(rule.path))?.isAllow ?? true;
  });
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
