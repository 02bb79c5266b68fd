// The access of an agent to a site as a small number, so that a table of millions of sites has a byte for each agent.
import { GROUP_KINDS, type GroupKind } from '../../judge/judged-agents.ts';
import { quoteText } from '../../sql/sql-text.ts';
import { BLOCKED, SITE_ACCESSES, type SiteAccess } from '../site-access.ts';

/** The place of "no group" behind the kinds. */
const NO_GROUP = GROUP_KINDS.length;
const GROUPS = NO_GROUP + 1;

/** Returns the code of an access. @param group - `null` without a file. */
export function toCode(access: SiteAccess, group: GroupKind | null): number {
  return SITE_ACCESSES.indexOf(access) * GROUPS + (group === null ? NO_GROUP : GROUP_KINDS.indexOf(group));
}

export function getAccess(code: number): SiteAccess {
  return SITE_ACCESSES[Math.floor(code / GROUPS)] as SiteAccess;
}

/** Returns the kind of the groups of a code; `null` without a file. */
export function getGroup(code: number): GroupKind | null {
  return GROUP_KINDS[code % GROUPS] ?? null;
}

/** The codes of accesses, as a list of SQL. */
function listCodes(accesses: readonly SiteAccess[]): string {
  const codes = accesses.flatMap((access) => [...GROUP_KINDS, null].map((group) => toCode(access, group)));
  return `(${codes.join(', ')})`;
}

/** The codes that count as blocked, as a list of SQL. */
export const BLOCKED_CODES: string = listCodes(BLOCKED);

/** The codes of sites of which nothing is known, as a list of SQL. */
export const UNKNOWN_CODES: string = listCodes(['unreachable', 'unknown']);

/** Returns an expression of SQL for the place of an access: that of a code without its group. */
export function toAccessPlace(code: string): string {
  return `(${code} // ${GROUPS})`;
}

/** Returns an expression of SQL for the code of the columns `class` and `group` of an agent. */
export function toCodeExpression(agent: string): string {
  const list = (texts: readonly string[]): string => `[${texts.map(quoteText).join(', ')}]`;
  return `((list_position(${list(SITE_ACCESSES)}, ${agent}.class) - 1) * ${GROUPS} + list_position(${list(GROUP_KINDS)}, ${agent}."group") - 1)`;
}
