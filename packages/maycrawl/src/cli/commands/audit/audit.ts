/**
 * `maycrawl audit URL`: crawls a site, judges every URL, and reports.
 *
 * @module
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPostgresUrl } from '@maycrawl/client/database';
import { crawl } from '../../../audit/crawl/crawl.ts';
import { judgeRun } from '../../../audit/judge/judge-run.ts';
import { summarise } from '../../../audit/report/summary.ts';
import { UrlReporter } from '../../../audit/report/url-report.ts';
import { writeReports } from '../../../audit/report/write-report.ts';
import { openPostgresRun } from '../../../audit/run/open-postgres-run.ts';
import { openRun } from '../../../audit/run/open-run.ts';
import type { RunStore } from '../../../audit/run/run-store.ts';
import type { RunEnd, RunSettings } from '../../../audit/run/settings.ts';
import { findSettings, settingsOf } from '../../../audit/run/settings.ts';
import type { SqliteRun } from '../../../audit/run/sqlite-run.ts';
import { CommandError, describeFileError } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { tell, toJson, visible } from '../../output/terminal.ts';
import { withoutPassword } from './copy.ts';
import { orCommandError, orDamaged, RUN_FILE } from './open-run.ts';
import { AuditProgress } from './progress.ts';
import { describeSummary, parseFailOn, tellFailures } from './report.ts';
import {
  type CrawlManner,
  limitsFrom,
  listOf,
  type MannerOptions,
  mannerFrom,
  readGiven,
  requireScope,
  type SettingOptions,
  settingsFrom,
} from './settings.ts';

export interface AuditOptions extends SettingOptions, MannerOptions {
  /** A folder, the file of a run, or the URL of a database. */
  readonly out?: string;
  /** The name of a run in a database. */
  readonly run?: string;
  readonly resume?: boolean;
  readonly failOn?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

/** What a run begins with: nothing is made before all of it is understood. */
interface Beginning {
  /** `null` where a run must be there already. */
  readonly settings: RunSettings | null;
  readonly given: Uint8Array | null;
  readonly manner: CrawlManner;
}

/** Audits. @returns the exit code. @throws {CommandError} if it cannot begin. */
export async function audit(starts: readonly string[], options: AuditOptions): Promise<number> {
  parseFailOn(options.failOn);
  const beginning = {
    settings: starts.length === 0 && mayBeThere(options) ? null : settingsFrom(starts, options),
    given: readGiven(options),
    manner: mannerFrom(options),
  };
  if (options.out !== undefined && isPostgresUrl(options.out))
    return auditWithOthers(options.out, beginning, options);
  const place = placeOf(options);
  try {
    return await orCommandError(async () => {
      const run = await openRun(place.path, options.resume ? 'resume' : 'new');
      try {
        return await orDamaged(place.path, run, async () => {
          const end = await crawlInto(run, beginning, options);
          const progress = new AuditProgress();
          await judgeRun(run, Date.now(), (count) => progress.judged(count));
          progress.end();
          return await conclude(run, end, options);
        });
      } finally {
        await run.close();
      }
    });
  } finally {
    place.leave();
  }
}

/** Whether the run may have been begun, so that it needs no URL. */
function mayBeThere({ resume = false, out, run }: AuditOptions): boolean {
  return resume || (out !== undefined && isPostgresUrl(out) && run !== undefined);
}

/** Whether it is the file of a run, and no folder. */
function isFile(out: string): boolean {
  return /\.(sqlite3?|db)$/i.test(out);
}

/** Where the run is kept; without --out it is gone afterwards. */
function placeOf({ out, resume = false }: AuditOptions): {
  readonly path: string;
  readonly leave: () => void;
} {
  if (out === undefined) {
    if (resume) throw new CommandError('--resume goes on with a run: name it by --out');
    const folder = mkdtempSync(join(tmpdir(), 'maycrawl-audit-'));
    return { path: join(folder, RUN_FILE), leave: () => rmSync(folder, { recursive: true, force: true }) };
  }
  if (isFile(out)) return { path: out, leave: () => {} };
  try {
    mkdirSync(out, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new CommandError(`cannot make ${visible(out)}: ${describeFileError(cause)}`, { cause });
  }
  return { path: join(out, RUN_FILE), leave: () => {} };
}

/** Crawls in a run that others may crawl in, too. It is judged when it is copied into a file. */
async function auditWithOthers(
  database: string,
  beginning: Beginning,
  options: AuditOptions,
): Promise<number> {
  const name = options.run ?? new URL(beginning.settings?.starts[0] ?? '').host;
  const run = await orCommandError(() => openPostgresRun(database, name, 'join'));
  try {
    const end = await orCommandError(() => crawlInto(run, beginning, options));
    await tellEnd(run, end);
    const place = `${visible(withoutPassword(database))} ${visible(name)}`;
    if (end.why === 'complete') tell(`maycrawl audit copy ${place} FILE.sqlite fetches it`);
    return end.why === 'interrupted' ? 2 : 0;
  } finally {
    await run.close();
  }
}

/** Crawls in a run, which is begun if it was not. */
async function crawlInto(
  run: RunStore,
  { settings: wanted, given, manner }: Beginning,
  options: AuditOptions,
): Promise<RunEnd> {
  const known = await findSettings(run);
  const settings = known === undefined ? wanted : { ...known, ...limitsFrom(options) };
  if (settings === null) throw new CommandError('no audit was begun there: give a URL to begin with');
  requireScope(settings);
  if (known !== undefined && wanted !== null && wanted.starts.join() !== known.starts.join())
    throw new CommandError(
      `the run began at ${visible(known.starts.join(' '))}: leave the URL away to go on`,
    );
  if (known !== undefined && given !== null)
    throw new CommandError('the run was begun already: leave --robots away to go on');
  // Before the settings, which say that there is one.
  if (given !== null) await run.set('given', Buffer.from(given).toString('base64'));
  await run.set('settings', settings);
  const kept = await run.get('given');
  const robots = typeof kept === 'string' ? Buffer.from(kept, 'base64') : null;
  const list = settings.list === null ? {} : { list: listOf(settings.list, options) };
  const { controller, done } = stopping();
  const progress = new AuditProgress();
  const { signal } = controller;
  try {
    const end = await crawl({
      ...{ ...manner, ...list, run, settings, robots, signal, now: Date.now },
      onProgress: ({ counts }) => progress.show(counts),
    });
    await run.set('end', end);
    return end;
  } finally {
    progress.end();
    done();
  }
}

async function tellEnd(run: RunStore, { waiting, why }: RunEnd): Promise<void> {
  const { asked, blocked } = await run.counts();
  tell(`${asked} URLs asked for, ${blocked} blocked, ${waiting} left waiting: ${WORDS[why]}`);
}

/** Says what was found, where it was asked for. */
async function conclude(run: SqliteRun, end: RunEnd, options: AuditOptions): Promise<number> {
  const { out, json = false, junit } = options;
  const failOn = parseFailOn(options.failOn);
  await tellEnd(run, end);
  if (end.why !== 'complete' && out !== undefined)
    tell(
      `go on with: maycrawl audit --resume --out ${visible(out)}${end.why === 'max-pages' ? ' --max-pages MORE' : ''}`,
    );
  const isFolder = out !== undefined && !isFile(out);
  const targets = {
    ...(isFolder && { html: out, csv: join(out, 'urls.csv'), ndjson: join(out, 'urls.ndjson') }),
    ...(junit !== undefined && { junit }),
  };
  const { starts } = await settingsOf(run);
  const { files, failures } = await writeReports(run, targets, { name: starts.join(' '), failOn });
  if (json) {
    const reporter = await UrlReporter.create(run, 'with-links');
    for await (const report of reporter.all()) await writeOut(`${toJson(report)}\n`);
  } else await writeOut(describeSummary(await summarise(run)));
  for (const file of files) tell(`written: ${file}`);
  tellFailures(failures);
  if (end.why === 'interrupted') return 2;
  return failures.some(({ count }) => count > 0) ? 1 : 0;
}

const WORDS: Readonly<Record<RunEnd['why'], string>> = {
  complete: 'all that there is to find',
  'max-pages': 'as many as --max-pages allows',
  interrupted: 'interrupted',
  'no-answers': 'the site answers no longer',
  'sitemap-time': 'not all sitemaps were read, which took too long',
};

/** Stops at the first signal; the second one ends the process. */
function stopping(): { readonly controller: AbortController; readonly done: () => void } {
  const controller = new AbortController();
  const stop = (): void => {
    done();
    tell('stopping; what was found is kept');
    controller.abort(new Error('stopped'));
  };
  const done = (): void => {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return { controller, done };
}
