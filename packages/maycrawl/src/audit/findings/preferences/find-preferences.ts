// The preferences of the URLs of a run, and findings about them: contradictions, statements that cannot be parsed or that no crawler reads, and
// pages that lack the refusal that the other pages of their folder have.
import { timeSlices } from '@maycrawl/client/internal';
import {
  MAIN_PURPOSES,
  PAGE_SOURCES,
  type PreferenceReport,
  type PreferenceStatement,
  READINGS,
} from '@maycrawl/core/preferences';
import { describeStatement } from '../../../preferences/describe-statement.ts';
import type { RunPolicies } from '../../judge/run-policies.ts';
import { type Declaration, UseReader } from '../../judge/use-reader.ts';
import type { Finding, Found } from '../../run/records/finding.ts';
import {
  findDisagreements,
  type StoredPreferences,
  toStoredPreferences,
} from '../../run/records/preferences.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { FindingWriter } from '../finding-writer.ts';
import { findMissingRefusals } from './missing-refusals.ts';
import type { PreferenceCode } from './preference-kinds.ts';

/** Number of rows that are written in one transaction. */
const CHUNK = 1_000;

/** Stores the preferences of all URLs, and the findings about them. Sites that declare nothing take no time. */
export async function findPreferences(
  run: RunStore,
  writer: FindingWriter,
  policies: RunPolicies,
  agents: number,
): Promise<void> {
  const reader = new UseReader(run, policies, agents);
  if (!reader.hasDeclarations()) return;
  const findings: Finding[] = [];
  const uses: [key: number, agent: number, use: StoredPreferences][] = [];
  const write = (): void => {
    run.preferences.add(uses.splice(0));
    writer.add(findings.splice(0));
  };
  for (const row of run.preferences.rows()) {
    const { key, agent, allowed, declaration: id } = row;
    const declaration = id === null ? null : reader.getDeclaration(id);
    const report = reader.read(row, declaration);
    if (report === null) continue;
    const use = allowed === 1 ? toStoredPreferences(report) : null;
    if (use !== null) uses.push([key, agent, use]);
    for (const found of findIn(report, declaration, allowed === 1)) findings.push({ ...found, agent, key });
    if (uses.length + findings.length >= CHUNK) write();
    if (timeSlices.isUsedUp()) await timeSlices.giveWay();
  }
  write();
  for (const finding of findMissingRefusals(run)) {
    findings.push(finding);
    if (findings.length >= CHUNK) write();
  }
  write();
}

type PreferenceFound = Found<PreferenceCode>;

function findIn(
  report: PreferenceReport,
  declaration: Declaration | null,
  isAllowed: boolean,
): PreferenceFound[] {
  return isAllowed
    ? [...findSyntaxProblem(declaration), ...findConflict(report)]
    : [...findUnread(report), ...findUselessPermission(report)];
}

function findSyntaxProblem(declaration: Declaration | null): PreferenceFound[] {
  const [problem] = declaration?.problems ?? [];
  if (problem === undefined) return [];
  const { source, name, text, reason } = problem;
  const detail = `${reason} (${source}, ${name}${text === '' ? '' : `: ${text}`})`;
  return [{ code: 'preference-syntax', detail, targets: [] }];
}

/** Conflicts about wider and narrower purposes repeat those about the main ones. */
function findConflict({ conflicts }: PreferenceReport): PreferenceFound[] {
  const disagreements = findDisagreements(conflicts);
  const conflict =
    disagreements.find(({ purpose }) => (MAIN_PURPOSES as readonly string[]).includes(purpose)) ??
    disagreements[0];
  return conflict === undefined
    ? []
    : [{ code: 'preferences-conflict', detail: conflict.message, targets: [] }];
}

/** A statement of a page that the crawler may not fetch. Another crawler of the run has fetched it. */
function findUnread({ purposes }: PreferenceReport): PreferenceFound[] {
  const statement = findStatement(purposes, ({ source }) => PAGE_SOURCES.includes(source));
  return statement === undefined
    ? []
    : [{ code: 'preference-never-read', detail: describeStatement(statement), targets: [] }];
}

/** A permission for the path of a URL that the crawler may not fetch. One for the whole site is not about this URL. */
function findUselessPermission({ purposes }: PreferenceReport): PreferenceFound[] {
  const statement = findStatement(
    purposes,
    ({ value, path, source, format }) =>
      value === 'allowed' &&
      format !== 'policy-token' &&
      (source === 'robots.txt' || source === 'tdmrep.json') &&
      path !== null &&
      !WHOLE_SITE.includes(path),
  );
  return statement === undefined
    ? []
    : [{ code: 'use-without-crawl', detail: describeStatement(statement), targets: [] }];
}

/** Paths that all URLs have. */
const WHOLE_SITE: readonly string[] = ['', '/', '*', '/*'];

function findStatement(
  purposes: PreferenceReport['purposes'],
  isMeant: (statement: PreferenceStatement) => boolean,
): PreferenceStatement | undefined {
  for (const { statements } of Object.values(purposes)) {
    const found = statements.find((each) => each.countsUnder.includes(READINGS[0].name) && isMeant(each));
    if (found !== undefined) return found;
  }
  return undefined;
}
