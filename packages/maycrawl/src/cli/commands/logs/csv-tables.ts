// The summary of logs as tables in CSV: one file for crawlers, days, violations, rules and findings.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type CsvCell, formatCsvHead, formatCsvLine } from '../../../audit/report/formats/csv-line.ts';
import { describeFileError } from '../../../files/file-error.ts';
import { IDENTITIES } from '../../../logs/identity/identity.ts';
import { REQUEST_CLASSES } from '../../../logs/rules/classify.ts';
import type { LogSummary } from '../../../logs/summary/log-summary.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { writeFileAtomically } from '../../output/write-file.ts';

/** A table: the names of its columns, and its rows. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: (summary: LogSummary) => readonly (readonly CsvCell[])[];
}

/** Tables by the names of their files. */
const TABLES: Readonly<Record<string, Table>> = {
  crawlers: {
    columns: [
      ...['crawler', 'operator', 'purposes', 'requests', 'bytes', ...IDENTITIES, ...REQUEST_CLASSES],
      ...['fetches', 'last_fetch'],
    ],
    rows: ({ crawlers }) =>
      crawlers.map(({ crawler, operator, purposes, requests, bytes, identity, classes, robotsTxt }) => [
        ...[crawler, operator, purposes.join(' '), requests, bytes],
        ...IDENTITIES.map((name) => identity[name]),
        ...REQUEST_CLASSES.map((name) => classes[name]),
        ...[robotsTxt.fetches, robotsTxt.last],
      ]),
  },
  days: {
    columns: ['crawler', 'day', 'requests', 'violations'],
    rows: ({ crawlers }) =>
      crawlers.flatMap(({ crawler, days }) =>
        days.map(({ day, requests, violations }) => [crawler, day, requests, violations]),
      ),
  },
  violations: {
    columns: ['crawler', 'time', 'url', 'line', 'rule', 'version', 'read'],
    rows: ({ crawlers }) =>
      crawlers.flatMap(({ crawler, violations }) =>
        violations.map(({ time, url, line, rule, version, read }) => [
          ...[crawler, time, url, line, rule, version, read],
        ]),
      ),
  },
  rules: {
    columns: ['site', 'version', 'line', 'kind', 'rule', 'crawler', 'requests'],
    rows: ({ rules, unusedRules }) => [
      ...rules.flatMap(({ site, version, line, kind, rule, crawlers }) =>
        crawlers.map(({ crawler, requests }) => [site, version, line, kind, rule, crawler, requests]),
      ),
      ...unusedRules.map(({ site, version, line, kind, rule }) => [site, version, line, kind, rule, null, 0]),
    ],
  },
  findings: {
    columns: ['severity', 'code', 'crawler', 'requests', 'text'],
    rows: ({ findings }) =>
      findings.map(({ severity, code, crawler, requests, text }) => [
        severity,
        code,
        crawler,
        requests,
        text,
      ]),
  },
};

/** Writes all tables into a folder, which is created. @throws {CommandError} if they cannot be written. */
export async function writeCsvTables(folder: string, summary: LogSummary): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new CommandError(`cannot write ${visible(folder)}: ${describeFileError(cause)}`, { cause });
  });
  for (const [name, { columns, rows }] of Object.entries(TABLES)) {
    const text = formatCsvHead(columns) + rows(summary).map(formatCsvLine).join('');
    await writeFileAtomically(join(folder, `${name}.csv`), Buffer.from(text));
  }
}
