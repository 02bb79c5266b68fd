// `maycrawl audit URL`: crawls a site, judges every URL, and reports.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPostgresUrl, makePrivateFolder } from '@maycrawl/client/internal';
import { crawlRun, requireRenderer } from '../../../audit/crawl-run.ts';
import { evaluateRun } from '../../../audit/evaluate-run.ts';
import type { AuditPlan } from '../../../audit/plan.ts';
import { describeUnresponsive, summarizeRun } from '../../../audit/report/summary.ts';
import { createRunPoint, SUMMARY_FILE, writeRunPoint } from '../../../audit/report/trend/run-point.ts';
import { UrlReporter } from '../../../audit/report/url-report.ts';
import { writeReports } from '../../../audit/report/write-report.ts';
import { openRun } from '../../../audit/run/open-run.ts';
import type { Counts } from '../../../audit/run/records/url.ts';
import type { RunStore } from '../../../audit/run/run-store.ts';
import { getSettings, type RunEnd } from '../../../audit/run/settings.ts';
import { describeFileError } from '../../../files/file-error.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { CommandError, withCommandErrors } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { growYoungGeneration, PAGES_OF_LARGE_AUDIT } from '../../v8-flags.ts';
import { RUN_ERRORS, RUN_FILE, withDamageReport } from './open-run.ts';
import type { AuditCommandOptions } from './options.ts';
import { AuditProgress } from './progress.ts';
import { describeSummary, printFailures, requireFailOn } from './report.ts';
import { readPlan } from './settings.ts';

/** Audits a site. @returns the exit code. @throws {CommandError} if the audit cannot start. */
export async function auditCommand(starts: readonly string[], options: AuditCommandOptions): Promise<number> {
  requireFailOn(options);
  requireFolder(options.out);
  if (starts.length === 0 && options.resume !== true)
    throw new CommandError('give a URL to start from, such as https://example.com/');
  const plan = await readPlan(starts, options);
  await withCommandErrors(RUN_ERRORS, () => requireRenderer(plan));
  const place = openPlace(options);
  try {
    return await withCommandErrors(RUN_ERRORS, async () => {
      const run = await openRun(place.path, options.resume ? 'resume' : 'new');
      try {
        return await withDamageReport(place.path, run, async () => {
          const end = await crawl(run, plan);
          const progress = new AuditProgress();
          await evaluateRun(run, Date.now(), (count) => progress.showJudged(count));
          progress.end();
          return await conclude(run, end, options);
        });
      } finally {
        run.close();
      }
    });
  } finally {
    place.leave();
  }
}

/** @throws {CommandError} if --out is the database of the run. */
function requireFolder(out: string | undefined): void {
  if (out === undefined) return;
  if (isPostgresUrl(out)) throw new CommandError('--out is a folder for reports, not a postgres:// URL');
  if (/\.(sqlite3?|db)$/i.test(out))
    throw new CommandError(`--out is a folder for reports; use --database ${visible(out)}`);
}

/** Creates the place of the run. Without --database and --out the run is deleted at the end. */
function openPlace({ out, database, resume = false }: AuditCommandOptions): {
  readonly path: string;
  readonly leave: () => void;
} {
  if (out !== undefined) createFolder(out);
  if (database !== undefined) return { path: database, leave: () => {} };
  if (out !== undefined) return { path: join(out, RUN_FILE), leave: () => {} };
  if (resume) throw new CommandError('--resume requires the run: give --database or --out');
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-audit-'));
  return { path: join(folder, RUN_FILE), leave: () => rmSync(folder, { recursive: true, force: true }) };
}

function createFolder(path: string): void {
  try {
    makePrivateFolder(path);
  } catch (cause) {
    throw new CommandError(`cannot create ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
}

/** Crawls until the end or an interrupt, and shows the progress. */
async function crawl(run: RunStore, plan: AuditPlan): Promise<RunEnd> {
  const { controller, done } = listenForSignals();
  const progress = new AuditProgress();
  try {
    let isLarge = false;
    const onProgress = (counts: Counts): void => {
      if (!isLarge && counts.fetched >= PAGES_OF_LARGE_AUDIT) isLarge = growYoungGeneration();
      progress.show(counts);
    };
    const onRendered = (count: number, total: number): void => progress.showRendered(count, total);
    return await crawlRun(run, plan, { signal: controller.signal, onProgress, onRendered });
  } finally {
    progress.end();
    done();
  }
}

function printEnd(run: RunStore, end: RunEnd): void {
  const { fetched, blocked } = run.counts();
  printMessage(
    `${formatCount(fetched, 'URL')} fetched, ${formatCount(blocked)} blocked, ${formatCount(end.waiting)} waiting: ${describe(end)}`,
  );
}

/** Writes the reports, and prints the summary. */
async function conclude(run: RunStore, end: RunEnd, options: AuditCommandOptions): Promise<number> {
  const { out, database, json = false, xlsx, junit, outside = false } = options;
  const failOn = requireFailOn(options);
  printEnd(run, end);
  const place = database === undefined ? out && `--out ${visible(out)}` : `--database ${visible(database)}`;
  if (end.reason !== 'complete' && place !== undefined)
    printMessage(
      `continue with: maycrawl audit --resume ${place}${end.reason === 'max-pages' ? ' --max-pages MORE' : ''}`,
    );
  const targets = {
    ...(out !== undefined && { html: out, csv: join(out, 'urls.csv'), ndjson: join(out, 'urls.ndjson') }),
    ...{ xlsx, junit },
  };
  const reportOptions = { name: getSettings(run).starts.join(' '), failOn, hasOutside: outside };
  const { files, failures } = await writeReports(run, targets, reportOptions);
  if (json) {
    const reporter = new UrlReporter(run, 'with-links');
    for (const report of reporter.all(outside)) await writeOut(`${toJson(report)}\n`);
  } else await writeOut(await describeSummary(summarizeRun(run)));
  if (out !== undefined) await writeRunPoint(join(out, SUMMARY_FILE), createRunPoint(run));
  for (const file of files) printMessage(`wrote ${file}`);
  printFailures(failures);
  if (end.reason === 'interrupted') return 2;
  return failures.some(({ count }) => count > 0) ? 1 : 0;
}

function describe(end: RunEnd): string {
  switch (end.reason) {
    case 'complete':
    case 'interrupted':
      return end.reason;
    case 'max-pages':
      return 'stopped by --max-pages';
    case 'no-responses':
      return `${describeUnresponsive(end)} stopped responding`;
    case 'sitemap-time':
      return 'reading the sitemaps took too long';
  }
}

/** Stops at the first signal; the second one ends the process. */
function listenForSignals(): { readonly controller: AbortController; readonly done: () => void } {
  const controller = new AbortController();
  const stop = (): void => {
    done();
    printMessage('stopping: finished pages are saved; continue with --resume');
    controller.abort(new Error('stopped'));
  };
  const done = (): void => {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return { controller, done };
}
