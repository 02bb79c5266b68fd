/**
 * `maycrawl audit URL`: crawls a site, judges every URL, and reports.
 *
 * @module
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveUrl } from '@maycrawl/core/page';
import { type CrawlOptions, crawl } from '../audit/crawl/crawl.ts';
import { classifier } from '../audit/crawl/scope.ts';
import { judgeRun } from '../audit/judge/judge-run.ts';
import { summarise } from '../audit/report/summary.ts';
import { UrlReporter } from '../audit/report/url-report.ts';
import { writeReports } from '../audit/report/write-report.ts';
import { openPostgresRun } from '../audit/run/open-postgres-run.ts';
import { openRun } from '../audit/run/open-run.ts';
import type { RunStore } from '../audit/run/run-store.ts';
import type { RunEnd, RunSettings, ScopeKind } from '../audit/run/settings.ts';
import { settingsOf } from '../audit/run/settings.ts';
import type { SqliteRun } from '../audit/run/sqlite-run.ts';
import { isDatabase, orCommandError, withoutPassword } from './audit-copy.ts';
import { AuditProgress } from './audit-progress.ts';
import { describeSummary, parseFailOn, tellFailures } from './audit-report.ts';
import { CommandError, describeFileError } from './errors.ts';
import { requireCrawler, requireProfile } from './options.ts';
import { readUrls } from './sitemaps.ts';
import { timeoutOf } from './source.ts';
import { writeOut } from './standard-output.ts';
import { tell, toJson, visible } from './terminal.ts';

export interface AuditOptions {
  readonly agent?: readonly string[];
  readonly profile: string;
  readonly scope: string;
  readonly maxPages?: string;
  readonly maxDepth?: string;
  readonly maxAlike: string;
  readonly concurrency: string;
  readonly delay: string;
  readonly crawlDelay?: boolean;
  readonly sitemaps: boolean;
  readonly urls?: string;
  readonly robots?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly header?: readonly string[];
  readonly userAgent: string;
  readonly timeout: string;
  readonly publicOnly?: boolean;
  readonly out?: string;
  /** The name of a run in a database. */
  readonly run?: string;
  readonly resume?: boolean;
  readonly failOn?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

const SCOPES: readonly ScopeKind[] = ['host', 'domain', 'prefix'];
/** Requests to one host at the same time that are thought to be meant. */
const MAX_CONCURRENCY = 256;

/** The file of the run in a folder. */
export const RUN_FILE = 'run.sqlite';

/** Audits. @returns the exit code. @throws {CommandError} if it cannot begin. */
export async function audit(starts: readonly string[], options: AuditOptions): Promise<number> {
  if (options.out !== undefined && isDatabase(options.out))
    return auditWithOthers(options.out, starts, options);
  parseFailOn(options.failOn);
  const place = placeOf(options);
  try {
    const run = await open(place.path, options);
    try {
      return await auditInto(run, starts, options);
    } finally {
      await run.close();
    }
  } finally {
    place.leave();
  }
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
    mkdirSync(out, { recursive: true });
  } catch (cause) {
    throw new CommandError(`cannot make ${visible(out)}: ${describeFileError(cause)}`, { cause });
  }
  return { path: join(out, RUN_FILE), leave: () => {} };
}

function open(path: string, { resume = false }: AuditOptions): Promise<SqliteRun> {
  return orCommandError(() => openRun(path, resume ? 'resume' : 'new'));
}

/** Crawls in a run that others may crawl in, too. It is judged when it is copied into a file. */
async function auditWithOthers(
  database: string,
  starts: readonly string[],
  options: AuditOptions,
): Promise<number> {
  const { run: given, robots } = options;
  const name = given ?? hostNamed(starts);
  const run = await orCommandError(() => openPostgresRun(database, name, 'join'));
  try {
    const known = (await run.get('settings')) as RunSettings | undefined;
    if (known !== undefined && robots !== undefined)
      throw new CommandError(`the run ${visible(name)} was begun already: leave --robots away to join it`);
    const end = await crawlInto(run, known ?? null, starts, options);
    await tellEnd(run, end);
    if (end.why === 'complete')
      tell(
        `maycrawl audit copy ${visible(withoutPassword(database))} ${visible(name)} FILE.sqlite fetches it`,
      );
    return end.why === 'interrupted' ? 2 : 0;
  } finally {
    await run.close();
  }
}

/** Names a run by the host of its first start. */
function hostNamed([start]: readonly string[]): string {
  if (start === undefined) throw new CommandError('name the run that is gone on with: --run NAME');
  return new URL(urlOf(start)).host;
}

async function auditInto(run: SqliteRun, starts: readonly string[], options: AuditOptions): Promise<number> {
  const known = options.resume === true ? await settingsOf(run) : null;
  const end = await crawlInto(run, known, starts, options);
  const progress = new AuditProgress();
  await judgeRun(run, Date.now(), (count) => progress.judged(count));
  progress.end();
  return conclude(run, end, options);
}

/** @param known - the settings of a run that is gone on with. */
async function crawlInto(
  run: RunStore,
  known: RunSettings | null,
  starts: readonly string[],
  options: AuditOptions,
): Promise<RunEnd> {
  const settings = known === null ? settingsFrom(starts, options) : { ...known, ...limitsFrom(options) };
  if (known !== null && starts.length > 0 && starts.map(urlOf).join() !== known.starts.join())
    throw new CommandError(
      `the run began at ${visible(known.starts.join(' '))}: leave the URL away to go on`,
    );
  const given = known === null ? readGiven(options) : await run.get('given');
  const robots = typeof given === 'string' ? Buffer.from(given, 'base64') : null;
  const { controller, done } = stopping();
  const progress = new AuditProgress();
  const crawling = crawlOptions(run, settings, robots, options, controller.signal, progress);
  await run.set('settings', settings);
  if (known === null && robots !== null) await run.set('given', robots.toString('base64'));
  try {
    const list = options.urls === undefined || known !== null ? {} : { list: listOf(options) };
    const end = await crawl({ ...crawling, ...list });
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
    const reporter = await UrlReporter.of(run, 'with-links');
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
};

/** How far it goes, which can be another when a run is gone on with. */
function limitsFrom({
  maxPages,
  maxDepth,
}: AuditOptions): Partial<Pick<RunSettings, 'maxPages' | 'maxDepth'>> {
  return {
    ...(maxPages !== undefined && { maxPages: count('--max-pages', maxPages, 1) }),
    ...(maxDepth !== undefined && { maxDepth: count('--max-depth', maxDepth, 0) }),
  };
}

/** The URL that is meant. @throws {CommandError} if none can be. */
function urlOf(start: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(start) ? start : `https://${start}`;
  const url = resolveUrl(text, text);
  if (url === null) throw new CommandError(`not an http or https URL: ${visible(start)}`);
  return url;
}

/** @throws {CommandError} for what cannot be meant. */
function settingsFrom(starts: readonly string[], options: AuditOptions): RunSettings {
  if (starts.length === 0) throw new CommandError('give a URL to begin with, such as https://example.com/');
  const urls = starts.map(urlOf);
  const scope = SCOPES.find((each) => each === options.scope);
  if (scope === undefined)
    throw new CommandError(`--scope is one of ${SCOPES.join(', ')}, not ${visible(options.scope)}`);
  const agents = [...new Set((options.agent ?? ['Googlebot']).map((name) => requireCrawler(name).name))];
  const maxAlike = count('--max-alike', options.maxAlike, 0);
  const settings: RunSettings = {
    ...{ starts: urls, agents, scope, include: options.include ?? [], exclude: options.exclude ?? [] },
    ...{ maxPages: null, maxDepth: null, ...limitsFrom(options) },
    maxAlike: maxAlike === 0 ? null : maxAlike,
    ...{ sitemaps: options.sitemaps, isRobotsGiven: options.robots !== undefined },
    ...{ profile: requireProfile(options.profile).name, startedAt: Date.now() },
  };
  try {
    classifier(settings);
  } catch (cause) {
    if (cause instanceof RangeError) throw new CommandError(visible(cause.message), { cause });
    throw cause;
  }
  return settings;
}

function crawlOptions(
  run: RunStore,
  settings: RunSettings,
  robots: Uint8Array | null,
  options: AuditOptions,
  signal: AbortSignal,
  progress: AuditProgress,
): CrawlOptions {
  return {
    ...{ run, settings, robots, signal, userAgent: options.userAgent, now: Date.now },
    headers: (options.header ?? []).map(headerOf),
    concurrency: count('--concurrency', options.concurrency, 1, MAX_CONCURRENCY),
    spacing: 1000 * amount('--delay', options.delay),
    obeysCrawlDelay: options.crawlDelay === true,
    timeout: timeoutOf(options.timeout),
    publicOnly: options.publicOnly === true,
    onProgress: ({ counts }) => progress.show(counts),
  };
}

/** @throws {CommandError} if the file cannot be read. */
function readGiven({ robots }: AuditOptions): string | undefined {
  if (robots === undefined) return undefined;
  try {
    return readFileSync(robots === '-' ? 0 : robots).toString('base64');
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(robots)}: ${describeFileError(cause)}`, { cause });
  }
}

function listOf({
  urls = '',
  userAgent,
  timeout,
  publicOnly = false,
}: AuditOptions): AsyncIterable<readonly string[]> {
  return readUrls(urls, { userAgent, timeout, publicOnly, offline: false });
}

/** @throws {CommandError} if it is no header. */
function headerOf(text: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~]*)$/.exec(text) ?? [];
  if (name === '') throw new CommandError(`--header is "Name: value", not ${visible(text)}`);
  return [name.toLowerCase(), value];
}

function count(option: string, text: string, least: number, most: number = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  throw new CommandError(`${option} is a whole number ${bounds}, not ${visible(text)}`);
}

function amount(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number <= 3600) return number;
  throw new CommandError(`${option} is a number of seconds up to 3600, not ${visible(text)}`);
}

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
