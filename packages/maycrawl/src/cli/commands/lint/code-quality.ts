// Findings as a Code Quality report, which GitLab shows in merge requests (GitLab documentation, "Code Quality report format").
import { createHash } from 'node:crypto';
import { toJson, visible } from '../../../text/printable.ts';
import { getLineFingerprints } from './fingerprints.ts';
import { getRepositoryPath } from './locations.ts';
import type { Report } from './report.ts';

/** Severities as GitLab names them. */
const SEVERITIES = { error: 'major', warning: 'minor', info: 'info' } as const;

/** Formats the findings of all files. */
export function formatCodeQuality(reports: readonly Report[]): string {
  const issues = reports.flatMap(({ name, robots, findings }) => {
    const path = getRepositoryPath(name) ?? name;
    const lines = getLineFingerprints(robots.bytes);
    return findings.map(({ code, severity, message, line, column }) => ({
      description: visible(message),
      check_name: code,
      // Unique in the report: a line can have several findings of one code.
      fingerprint: hash(path, code, lines[line - 1] as string, String(column)),
      severity: SEVERITIES[severity],
      location: { path, lines: { begin: line } },
    }));
  });
  return `${toJson(issues, 2)}\n`;
}

function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);
}
