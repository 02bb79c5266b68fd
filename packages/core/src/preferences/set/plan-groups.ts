// Plans the groups at the end of a file: for crawlers that no group of the owner names, and for policy tokens.
import type { EditReason, RawEdit } from './edit.ts';
import type { FileGroups } from './file-groups.ts';
import type { DeclarationPlan } from './plan-declarations.ts';
import type { TokenPlan } from './plan-policy-tokens.ts';

/** @returns the edits, all after the last line. */
export function planGroups(
  file: FileGroups,
  { ungrouped }: Pick<DeclarationPlan, 'ungrouped'>,
  { missing, edits: tokenEdits }: Pick<TokenPlan, 'missing' | 'edits'>,
): RawEdit[] {
  const { source } = file;
  const line = source.last;
  const last = line === 0 ? '' : source.getText(line).trim();
  const edits: RawEdit[] = [];
  const add = (added: readonly string[], reason: EditReason, message: string): void => {
    edits.push({ line, removed: null, added, reason, message, managedBy: null });
  };
  const addGroup = (lines: readonly string[], reason: EditReason, message: string): void =>
    add(edits.length === 0 && last === '' ? lines : ['', ...lines], reason, message);
  const groups = groupByStatements(file, ungrouped);
  if (groups.size > 0 || missing.allowed.length > 0 || missing.disallowed.length > 0)
    if (isLastListOpen(file, tokenEdits))
      add(['Disallow:'], 'open-group', 'the last group has no rule, so that the agents below would join it');
  for (const [statements, agents] of groups) {
    // An empty rule changes no verdict of crawlers that have rules elsewhere.
    const rule = agents.some((agent) => file.parts.has(agent.toLowerCase())) ? 'Disallow:' : 'Allow: /';
    const message = `the owner's part of the file has no group for ${agents.join(', ')}`;
    addGroup([...formatAgents(agents), ...statements.split('\n'), rule], 'missing-group', message);
  }
  for (const [value, rule, verb] of TOKEN_RULES) {
    const agents = missing[value];
    if (agents.length > 0)
      addGroup(
        [...formatAgents(agents), rule],
        'policy-token',
        `the rule for ${agents.join(' and ')} ${verb} the use`,
      );
  }
  return edits;
}

const TOKEN_RULES = [
  ['disallowed', 'Disallow: /', 'refuses'],
  ['allowed', 'Allow: /', 'allows'],
] as const;

/** Whether user-agent lines at the end would belong to the last group, because it has no rule. */
function isLastListOpen({ groups }: FileGroups, edits: readonly RawEdit[]): boolean {
  const group = groups.at(-1);
  if (group === undefined || group.rules.length > 0) return false;
  return !edits.some(({ line, removed }) => removed === null && line === group.parts.at(-1)?.end);
}

function groupByStatements(
  file: FileGroups,
  ungrouped: DeclarationPlan['ungrouped'],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Set<string>>();
  for (const [token, statements] of ungrouped) {
    const key = statements.join('\n');
    const agents = groups.get(key) ?? new Set();
    groups.set(key, agents.add(findWritten(file, token)));
  }
  return new Map([...groups].map(([key, agents]) => [key, [...agents]]));
}

/** Returns the name by which the file first names a token, without a version or comment. */
function findWritten(file: FileGroups, token: string): string {
  const userAgents = file.parts.get(token)?.[0]?.userAgents ?? [];
  const named = userAgents.find((each) => each.productToken === token || each.extendedToken === token);
  return named === undefined ? token : named.text.slice(0, named.extendedToken.length);
}

function formatAgents(agents: readonly string[]): string[] {
  return agents.map((agent) => `User-agent: ${agent}`);
}
