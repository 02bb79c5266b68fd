// The preferences of the URLs of a run, and findings about them: contradictions, statements that cannot be parsed or that no crawler reads, and
// pages that lack the refusal that the other pages of their folder have.
import type { TimeSlices } from '@maycrawl/client/internal';
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
import { findMissingRefusals } from './missing-refusals.ts';

/** Kinds about the use of content. */
export const PREFERENCE_KINDS = {
  'preferences-conflict': {
    severity: 'warning',
    rank: 220,
    one: 'Statements about the use of 1 URL contradict each other',
    many: 'Statements about the use of # URLs contradict each other',
    sentence: 'Statements about its use contradict each other',
    cost: 'maycrawl counts the refusal. Crawlers may read only one of the statements, and it may be the permission.',
    action: 'Declare the same in all formats and places.',
    decision:
      'The crawler may fetch the URL, the status is 2xx, and one statement refuses a use that another one allows: two formats, or one format in two places, such as robots.txt and a header. A header of the TDM Reservation Protocol replaces the file, and a meta element the header, so these contradict nothing. The detail names both.',
    example: 'Content-Signal: ai-train=yes in robots.txt, <meta name="robots" content="noai"> on the page',
    source: 'preferences',
  },
  'preference-syntax': {
    severity: 'warning',
    rank: 230,
    one: 'A statement about the AI use of 1 page cannot be parsed',
    many: 'Statements about the AI use of # pages cannot be parsed',
    sentence: 'A statement about AI use cannot be parsed',
    cost: 'Crawlers ignore the statement, as if it were missing.',
    action: 'Correct the header, the meta element or the RSL document as its format requires.',
    decision:
      'The crawler may fetch the page, the status is 2xx, and a Content-Usage or Content-Signal header or meta element cannot be parsed, or has no label or value that its format defines, a tdm-reservation is neither 0 nor 1, an RSL document in the page is not well-formed, or the page has more statements than are read. The detail is the reason and the statement.',
    example: 'Content-Usage: Train-AI=n',
    source: 'usage',
  },
  'preference-never-read': {
    severity: 'info',
    rank: 100,
    one: 'The crawler never reads what 1 page says about its use',
    many: 'The crawler never reads what # pages say about their use',
    sentence: 'The crawler never reads what it says about its use',
    cost: 'The robots.txt disallows the pages. A permission has no effect, and a refusal changes nothing.',
    action: 'Nothing, if the crawler should not fetch them. Otherwise allow the pages in robots.txt.',
    actionForOne: 'Nothing, if the crawler should not fetch it. Otherwise allow it in robots.txt.',
    decision:
      'The robots.txt disallows the URL to this crawler, another crawler of the audit fetched it, and its headers or elements say something about its use to this crawler. The detail is the statement.',
    example: '<meta name="robots" content="noai"> on /private/, and Disallow: /private/',
    source: 'attachment',
  },
  'use-without-crawl': {
    severity: 'info',
    rank: 110,
    one: 'The use of 1 URL is allowed that the crawler may not fetch',
    many: 'The use of # URLs is allowed that the crawler may not fetch',
    sentence: 'Its use is allowed, but the crawler may not fetch it',
    cost: 'The permission has no effect.',
    action: 'Allow the URLs in robots.txt, or remove the permission for their path.',
    actionForOne: 'Allow it in robots.txt, or remove the permission for its path.',
    decision:
      'The robots.txt disallows the URL to the crawler, and a line of robots.txt or a rule of tdmrep.json with a path that matches the URL allows a use. A permission for the whole site is not reported. The detail is the statement.',
    example: 'Disallow: /shop/ and Content-Usage: /shop/ train-ai=y',
    source: 'attachment',
  },
} as const;

/** Number of rows that are written in one transaction. */
const CHUNK = 1_000;

/**
 * Stores the preferences of all URLs, and the findings about them. Sites that declare nothing take no time.
 *
 * @param slices - a parameter, because pages import the kinds above, and the event loop of Node is not for them.
 */
export async function findPreferences(
  run: RunStore,
  policies: RunPolicies,
  agents: number,
  slices: TimeSlices,
): Promise<void> {
  const reader = new UseReader(run, policies, agents);
  if (!reader.hasDeclarations()) return;
  const findings: Finding[] = [];
  const uses: [key: number, agent: number, use: StoredPreferences][] = [];
  const write = (): void => {
    run.preferences.add(uses.splice(0));
    run.findings.add(findings.splice(0));
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
    if (slices.isUsedUp()) await slices.giveWay();
  }
  write();
  for (const finding of findMissingRefusals(run)) {
    findings.push(finding);
    if (findings.length >= CHUNK) write();
  }
  write();
}

type PreferenceFound = Found<keyof typeof PREFERENCE_KINDS>;

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
