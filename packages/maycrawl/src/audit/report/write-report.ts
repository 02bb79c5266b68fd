/**
 * Writes reports of a run into files.
 *
 * @module
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { SqliteRun } from '../run/sqlite/sqlite-run.ts';
import { type FailOn, type FailureGroup, findFailures } from './fail-on.ts';
import { CSV_HEAD, formatCsvRow } from './formats/csv.ts';
import { formatFailures } from './formats/junit.ts';
import { htmlReport } from './html/html-report.ts';
import { type UrlReport, UrlReporter } from './url-report.ts';

/** Characters of one write. */
const PIECE = 65_536;

/** Paths of reports. */
export interface ReportTargets {
  /** A file that ends in `.html`, or a folder for `report.html`. */
  readonly html?: string;
  readonly csv?: string;
  readonly ndjson?: string;
  readonly junit?: string;
}

/** Options of reports. */
export interface ReportOptions {
  /** The name of the run, for titles. */
  readonly name: string;
  /** The test cases of JUnit. */
  readonly failOn?: readonly FailOn[];
  /** The folder of the built page. */
  readonly pageFolder?: string;
}

/** The reports that were written. */
export interface WrittenReports {
  /** Paths. */
  readonly files: readonly string[];
  /** For the kinds of `failOn`. */
  readonly failures: readonly FailureGroup[];
}

/**
 * Writes reports of a run that has verdicts. A file is complete, or unchanged if it cannot be written.
 *
 * @throws {Error} with a `path` if a file cannot be written.
 */
export async function writeReports(
  run: SqliteRun,
  targets: ReportTargets,
  options: ReportOptions,
): Promise<WrittenReports> {
  const files: string[] = [];
  if (targets.html !== undefined) {
    const path =
      extname(targets.html).toLowerCase() === '.html' ? targets.html : join(targets.html, 'report.html');
    await writePieces(path, htmlReport(run, options));
    files.push(path);
  }
  const { csv, ndjson } = targets;
  if (csv !== undefined || ndjson !== undefined) {
    const reporter = await UrlReporter.create(run, 'with-links');
    if (csv !== undefined) await writePieces(csv, formatCsv(reporter));
    if (ndjson !== undefined) await writePieces(ndjson, formatNdjson(reporter));
    files.push(...[csv, ndjson].filter((path) => path !== undefined));
  }
  const failures = await findFailures(run, options.failOn ?? []);
  if (targets.junit !== undefined) {
    await writePieces(targets.junit, [formatFailures(options.name, failures)]);
    files.push(targets.junit);
  }
  return { files, failures };
}

async function* formatCsv(reporter: UrlReporter): AsyncGenerator<string> {
  yield CSV_HEAD;
  for await (const report of reporter.all()) yield formatCsvRow(report);
}

async function* formatNdjson(reporter: UrlReporter): AsyncGenerator<string> {
  for await (const report of reporter.all()) yield formatNdjsonLine(report);
}

/** Formats a record as a line. */
function formatNdjsonLine(report: UrlReport): string {
  return `${JSON.stringify(report)}\n`;
}

async function writePieces(path: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const isSpecial = await stat(path).then(
      (before) => !before.isFile(),
      () => false,
    );
    const target = isSpecial ? path : join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
    try {
      await pour(target, pieces);
      if (!isSpecial) await rename(target, path);
    } catch (error) {
      if (!isSpecial) await rm(target, { force: true });
      throw error;
    }
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}

async function pour(path: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const stream = createWriteStream(path);
  await once(stream, 'open');
  const failed = once(stream, 'error').then(([error]) => {
    throw error;
  });
  // It is awaited with each write.
  failed.catch(() => {});
  let text = '';
  const flush = async (): Promise<void> => {
    const isFull = !stream.write(text);
    text = '';
    if (isFull) await Promise.race([once(stream, 'drain'), failed]);
  };
  for await (const piece of pieces) {
    text += piece;
    if (text.length >= PIECE) await flush();
  }
  stream.end(text);
  await Promise.race([once(stream, 'finish'), failed]);
}
