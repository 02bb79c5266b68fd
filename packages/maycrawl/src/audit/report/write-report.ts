// Writes reports of a run into files.
import { extname, join } from 'node:path';
import type { RunStore } from '../run/run-store.ts';
import type { SegmentPattern } from '../run/settings.ts';
import { type FailOn, type FailureGroup, findFailures } from './fail-on.ts';
import { CSV_HEAD, formatCsvRow } from './formats/csv.ts';
import { formatFailures } from './formats/junit.ts';
import { htmlReport } from './html/html-report.ts';
import { isSpecialFile, ReportFile } from './report-file.ts';
import { type UrlReport, UrlReporter } from './url-report.ts';

/** Paths of reports. */
export interface ReportTargets {
  /** A file that ends in `.html`, or a folder for `report.html`. */
  readonly html?: string | undefined;
  readonly csv?: string | undefined;
  readonly ndjson?: string | undefined;
  /** A workbook of Excel. */
  readonly xlsx?: string | undefined;
  readonly junit?: string | undefined;
}

export interface ReportOptions {
  /** The name of the run, for titles. */
  readonly name: string;
  /** Whether CSV, NDJSON and the workbook contain URLs out of the scope of the audit, which have no verdicts. @defaultValue false */
  readonly hasOutside?: boolean;
  /** Segments instead of those in the settings of the run. */
  readonly segments?: readonly SegmentPattern[] | undefined;
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
  run: RunStore,
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
    const outputs: readonly RecordFile[] = [
      ...(csv === undefined ? [] : [{ path: csv, head: CSV_HEAD, format: formatCsvRow }]),
      ...(ndjson === undefined ? [] : [{ path: ndjson, head: '', format: formatNdjsonLine }]),
    ];
    await writeRecords(run, outputs, options.hasOutside ?? false);
    files.push(...outputs.map(({ path }) => path));
  }
  if (targets.xlsx !== undefined) {
    // Few reports are workbooks, and the module loads one for ZIP files.
    const { createRunWorkbook } = await import('./xlsx/run-workbook.ts');
    await writePieces(targets.xlsx, createRunWorkbook(run, options));
    files.push(targets.xlsx);
  }
  const failures = findFailures(run, options.failOn ?? []);
  if (targets.junit !== undefined) {
    await writePieces(targets.junit, [formatFailures(options.name, failures)]);
    files.push(targets.junit);
  }
  return { files, failures };
}

/** A file with a line for each record. */
interface RecordFile {
  readonly path: string;
  readonly head: string;
  readonly format: (report: UrlReport) => string;
}

/** Formats a record as a line. */
function formatNdjsonLine(report: UrlReport): string {
  return `${JSON.stringify(report)}\n`;
}

/** Writes the files together, so that each record is created once: pipes, whose readers may read one after the other, in turn. */
async function writeRecords(
  run: RunStore,
  outputs: readonly RecordFile[],
  hasOutside: boolean,
): Promise<void> {
  const reporter = new UrlReporter(run, 'with-links');
  const areSpecial = await Promise.all(outputs.map(({ path }) => isSpecialFile(path)));
  const groups = areSpecial.includes(true) ? outputs.map((output) => [output]) : [outputs];
  for (const group of groups)
    await writeFiles(group, async (files) => {
      for (const [index, { head }] of group.entries()) await files[index]?.add(head);
      for (const report of reporter.all(hasOutside))
        for (const [index, { format }] of group.entries()) {
          const written = files[index]?.add(format(report));
          if (written !== undefined) await written;
        }
    });
}

async function writePieces(
  path: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string>,
): Promise<void> {
  await writeFiles([{ path }], async ([file]) => {
    for await (const piece of pieces) await file?.add(piece);
  });
}

/** Opens files, writes them, and gives them their names, or removes what was written after an error. */
async function writeFiles(
  outputs: readonly { readonly path: string }[],
  write: (files: readonly ReportFile[]) => Promise<void>,
): Promise<void> {
  const files: ReportFile[] = [];
  try {
    for (const { path } of outputs) files.push(await ReportFile.open(path));
    await write(files);
    for (const file of files) await file.finish();
  } catch (error) {
    for (const file of files) await file.discard();
    throw error;
  }
}
