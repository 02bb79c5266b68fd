// Findings as SARIF 2.1.0, which code hosts and editors read. It has what GitHub's code scanning requires, and keeps to its limits.
import { FINDING_SEVERITIES, type Finding, type FindingCode } from '@maycrawl/core/lint';
import type { ArtifactLocation, Log, ReportingDescriptor, Result } from 'sarif';
import { SEVERITIES } from '../../../reports/severities.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson } from '../../../text/printable.ts';
import { getRulePage, RULE_HELP, toPlainText } from '../../../text/rule-help.ts';
import { VERSION } from '../../options/fetch-options.ts';
import { getLineFingerprints } from './fingerprints.ts';
import { getArtifactLocation } from './locations.ts';
import type { Report } from './report.ts';

/**
 * GitHub rejects a run with more results. It shows the first 5,000 by severity ("SARIF results exceed limit" in GitHub's documentation of
 * code scanning).
 */
const MAX_RESULTS = 25_000;

/** Severities as levels of SARIF, and as GitHub names those of rules. */
const LEVELS = {
  error: { level: 'error', problem: 'error' },
  warning: { level: 'warning', problem: 'warning' },
  info: { level: 'note', problem: 'recommendation' },
} as const;

const CODES = (Object.keys(FINDING_SEVERITIES) as FindingCode[]).sort();

/**
 * Formats the findings of all files as one run. Beyond the limit of GitHub it omits the least severe ones, and has a notification of that.
 *
 * @param rulesUrl - the folder with the pages of the rules on the web; without it the rules have no `helpUri`.
 */
export function formatSarif(reports: readonly Report[], rulesUrl: string | undefined): string {
  const results = reports.flatMap(toResults);
  const omitted = results.length - MAX_RESULTS;
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'maycrawl',
            semanticVersion: VERSION,
            rules: CODES.map((code) => toRule(code, rulesUrl)),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: omitted > 0 ? takeMostSevere(results) : results,
        ...(omitted > 0 && { invocations: [describeOmission(omitted)] }),
      },
    ],
  };
  return `${toJson(log, 2)}\n`;
}

function toRule(code: FindingCode, rulesUrl: string | undefined): ReportingDescriptor {
  const { summary, text } = RULE_HELP[code];
  const { level, problem } = LEVELS[FINDING_SEVERITIES[code]];
  return {
    id: code,
    name: code.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    shortDescription: { text: `${summary}.` },
    // GitHub shows at most 1,000 characters; the pages are shorter.
    fullDescription: { text: toPlainText(text.split('\n\n')[0] as string) },
    help: { text: toPlainText(text), markdown: text },
    ...(rulesUrl !== undefined && { helpUri: getRulePage(rulesUrl, code) }),
    defaultConfiguration: { level },
    properties: { tags: ['robots.txt'], precision: 'very-high', 'problem.severity': problem },
  };
}

function toResults({ name, findings, robots }: Report): Result[] {
  if (findings.length === 0) return [];
  const artifactLocation = getArtifactLocation(name);
  const fingerprints = getLineFingerprints(robots.bytes);
  return findings.map(
    ({ code, severity, message, line, column, length, suggestion }: Finding): Result => ({
      ruleId: code,
      ruleIndex: CODES.indexOf(code),
      level: LEVELS[severity].level,
      message: { text: message },
      locations: [
        {
          physicalLocation: {
            artifactLocation,
            region: { startLine: line, startColumn: column, endLine: line, endColumn: column + length },
          },
        },
      ],
      partialFingerprints: { primaryLocationLineHash: fingerprints[line - 1] as string },
      ...(suggestion !== undefined && { fixes: [createFix(artifactLocation, line, suggestion)] }),
    }),
  );
}

/** Describes the replacement of a line. Tools show it, and apply it only if a person chooses it. */
function createFix(
  artifactLocation: ArtifactLocation,
  startLine: number,
  text: string,
): NonNullable<Result['fixes']>[number] {
  const replacement = { deletedRegion: { startLine }, insertedContent: { text } };
  return {
    description: { text: `Write "${text}".` },
    artifactChanges: [{ artifactLocation, replacements: [replacement] }],
  };
}

function takeMostSevere(results: readonly Result[]): Result[] {
  const bySeverity = SEVERITIES.flatMap((severity) =>
    results.filter(({ level }) => level === LEVELS[severity].level),
  );
  return bySeverity.slice(0, MAX_RESULTS);
}

function describeOmission(omitted: number): NonNullable<Log['runs'][number]['invocations']>[number] {
  const text = `${formatCount(omitted, 'finding')} omitted: code hosts accept ${formatCount(MAX_RESULTS)} of a run.`;
  return {
    executionSuccessful: true,
    toolExecutionNotifications: [{ level: 'warning', message: { text } }],
  };
}
