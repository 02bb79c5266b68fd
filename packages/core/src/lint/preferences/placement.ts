// Findings about declarations outside of the groups that their authors mean: above the first group, between user-agent lines, below a gap
// at the end. Readers by group and readers for the whole site (`grouped` and `global` of READINGS) differ about the crawlers that such a
// line reaches. Where both then agree, a fix moves it to the group for `*`.
import type { RobotsTxt } from '../../model/robots-txt.ts';
import type { ManagedBlock } from '../../preferences/robots-txt/managed-blocks.ts';
import type { PreferenceLine } from '../../preferences/robots-txt/preference-lines.ts';
import { createFinding, type Finding, type Fix } from '../finding.ts';
import { type CrawlerGroups, type DeclaringGroup, formatAgents, isGlobal } from './groups.ts';
import { appendStatements, listStatements, readWrittenLines } from './written-lines.ts';

/** A file whose declarations are placed. */
interface PlacedFile {
  readonly robots: RobotsTxt;
  readonly groups: readonly DeclaringGroup[];
  /** What all groups of a crawler have together. */
  readonly combined: ReadonlyMap<string, CrawlerGroups>;
  readonly blocks: readonly ManagedBlock[];
  /** Lines that other fixes replace. */
  readonly spelled: ReadonlyMap<number, string | null>;
}

/**
 * Reports declarations above the first user-agent line.
 *
 * @param lines - all declarations of the file.
 */
export function lintAboveGroups(file: PlacedFile, lines: Iterable<PreferenceLine>): Finding[] {
  const first = file.groups[0]?.userAgents[0]?.line ?? Number.POSITIVE_INFINITY;
  const above = [...lines].filter(({ record }) => record.line < first);
  if (above.length === 0) return [];
  const stating = new Set(above.filter(statesSomething));
  const fix = createGlobalFix(file, [...stating], true);
  const exceptions = {
    'content-usage': listExceptions(file.groups, 'content-usage'),
    'content-signal': listExceptions(file.groups, 'content-signal'),
  };
  return above.map((line) => {
    const { record, format } = line;
    const except = exceptions[format];
    const data = { field: record.field, ...(except !== '' && { except }) };
    const finding = createFinding('preference-before-group', record, data);
    return withFix(finding, stating.has(line) ? fix : undefined);
  });
}

/** Lists the crawlers whose own groups have a declaration. Lines for the whole site do not reach them. */
function listExceptions(groups: readonly DeclaringGroup[], wanted: PreferenceLine['format']): string {
  const declaring = groups.filter(
    (group) => !isGlobal(group) && group.declared.some(({ format }) => format === wanted),
  );
  return formatAgents(declaring.flatMap(({ userAgents }) => userAgents));
}

/** Reports Content-Usage lines between the user-agent lines of one group. */
export function lintBetweenAgents(
  groups: readonly DeclaringGroup[],
  lines: ReadonlyMap<number, PreferenceLine>,
): Finding[] {
  const findings: Finding[] = [];
  for (const { userAgents, others } of groups) {
    const last = userAgents.at(-1)?.line ?? 0;
    let agent = 0;
    for (const { line } of others) {
      const between = lines.get(line);
      if (line > last) break;
      if (between?.format !== 'content-usage') continue;
      while ((userAgents[agent + 1]?.line ?? Number.POSITIVE_INFINITY) < line) agent++;
      const data = { field: between.record.field, agent: userAgents[agent]?.text ?? '' };
      findings.push(createFinding('preference-between-user-agents', between.record, data));
    }
  }
  return findings;
}

/** Lines that a fix states elsewhere. */
const MAX_LINES = 20;

/**
 * Reports declarations at the end of a file, below a gap, in which the last group is the only one with declarations: their author
 * probably regards the blank line as the end of the group. The fix repeats them in the group for `*`, if they refuse uses other than search
 * and nothing else: a permission, and a refusal of search, must not become one for all crawlers without their author.
 *
 * @param lines - all declarations of the file.
 */
export function lintLastGroup(file: PlacedFile, lines: Iterable<PreferenceLine>): Finding[] {
  const { groups } = file;
  const last = groups.at(-1);
  const [first] = last?.declared ?? [];
  if (last === undefined || first === undefined || isGlobal(last)) return [];
  if (groups.some((group) => group !== last && group.declared.length > 0)) return [];
  const { line } = first.record;
  const start = (last.rules.at(-1) ?? last.userAgents.at(-1))?.line ?? line;
  const between = last.others.filter((other) => other.line > start && other.line < line);
  // Other records without blank lines, comments and sitemaps between them are no gap.
  if (line - start - 1 <= between.length) return [];
  const data = { field: first.record.field, agents: formatAgents(last.userAgents) };
  // Lines above the groups have a fix of their own, which states them at the same place.
  const isFirst = [...lines][0]?.record.line === line;
  const fix =
    isFirst && last.declared.every(refusesUsesOnly)
      ? createGlobalFix(file, last.declared.filter(statesSomething), false)
      : undefined;
  return [withFix(createFinding('preference-after-last-group', first.record, data), fix)];
}

/** Whether a line has a statement. Another finding reports one that has none. */
function statesSomething({ declaration }: PreferenceLine): boolean {
  return declaration.claims.some(({ statement: { value } }) => value !== 'unknown');
}

/** Whether a line at most refuses uses other than search, and allows search. */
function refusesUsesOnly({ declaration }: PreferenceLine): boolean {
  return declaration.claims.every(
    ({ statement: { purpose, value } }) =>
      value === 'unknown' || value === (purpose === 'search' ? 'allowed' : 'disallowed'),
  );
}

/**
 * Creates a fix that states lines in the first group for `*`, directly below its user-agent lines: no other place leaves the groups of all
 * readers as they are.
 *
 * @param moves - whether the lines are deleted where they are. Their comments stay.
 * @returns `undefined` if there is no such group, the crawlers of the group have declarations, or a vendor manages one of the lines.
 */
function createGlobalFix(
  { robots, groups, combined, blocks, spelled }: PlacedFile,
  lines: readonly PreferenceLine[],
  moves: boolean,
): Fix | undefined {
  const all = groups.filter(isGlobal);
  const agents = all[0]?.userAgents ?? [];
  const place = agents.at(-1)?.line;
  const statements = listStatements(lines);
  if (place === undefined || statements === undefined || lines.length > MAX_LINES) return undefined;
  if (all.some(({ declared }) => declared.length > 0)) return undefined;
  // The group can also name other crawlers, which read their declarations of all groups together.
  if (agents.some(({ extendedToken: token }) => combined.get(token)?.hasDeclarations)) return undefined;
  const numbers = lines.map(({ record }) => record.line);
  const isManaged = (line: number): boolean =>
    blocks.some(({ first, last }) => first <= line && line <= last);
  if ([place, ...numbers].some(isManaged)) return undefined;
  const written = readWrittenLines(robots, new Set([place, ...numbers]), spelled);
  const target = written.get(place);
  if (target === undefined) return undefined;
  const fix = { line: place, replacement: appendStatements(target, statements) };
  if (!moves) return fix;
  const others = numbers.map((line) => ({ line, replacement: written.get(line)?.comment || null }));
  return { ...fix, others };
}

function withFix(finding: Finding, fix: Fix | undefined): Finding {
  return fix === undefined ? finding : { ...finding, fix };
}
