// `maycrawl check`: may these crawlers fetch these URLs, and why?

import { type DecisionReason, explainVerdict, type Verdict } from '@maycrawl/core';
import {
  createUrlJudge,
  createVerdictReport,
  type JudgedUrl,
  type NamedCrawler,
  type Source,
} from '../../../batch/judge.ts';
import { visible } from '../../../text/printable.ts';
import { requireCrawler } from '../../input/options.ts';
import { requireRobotsTxtUrl } from '../../input/robots-url.ts';
import { describeSource, SourceReader } from '../../input/source.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { getColors, printMessage } from '../../output/terminal.ts';
import type { CheckOptions } from '../options.ts';
import { createPreferencesField, formatDeclared } from './declared.ts';
import { formatExcerpt } from './excerpt.ts';

const MAX_FETCHES = 16;

/**
 * Prints the verdict for every URL and crawler.
 *
 * @returns the exit code: 0 if all are allowed, 1 if any is disallowed, 2 if any has no verdict.
 */
export async function check(urls: readonly string[], options: CheckOptions): Promise<number> {
  if (urls.length > 0 === (options.urls !== undefined))
    throw new CommandError('give either URLs or --urls FILE');
  const crawlers = options.agent.map((name) => requireCrawler(name));
  const reader = new SourceReader(options);
  try {
    if (options.urls !== undefined) return await checkList(options.urls, crawlers, reader, options);
    return await checkUrls(urls, crawlers, reader, options);
  } finally {
    await reader.close();
  }
}

async function checkUrls(
  urls: readonly string[],
  crawlers: readonly NamedCrawler[],
  reader: SourceReader,
  options: CheckOptions,
): Promise<number> {
  const read = await readSources(urls, reader, options.robots);
  const judges = crawlers.map((crawler) => ({ crawler, judge: createUrlJudge(crawler, options.normalize) }));
  const results: JudgedUrl[] = [];
  const failures = new Map<string, CommandError>();
  for (const [index, url] of urls.entries()) {
    const source = read[index] as Source | CommandError;
    if (source instanceof CommandError) failures.set(url, source);
    else
      for (const { crawler, judge } of judges)
        results.push({ url, crawler, source, verdict: judge(source, url) });
  }
  const [failure] = failures.values();
  if (results.length === 0 && failure !== undefined && !options.json) throw failure;
  if (options.json) printResultsAsJson(results, failures);
  else if (results.length === 1) printExplanation(results[0] as JudgedUrl);
  else await printResults(results);
  for (const { message } of new Set(failures.values())) printMessage(message);
  for (const { url, verdict } of results) {
    if (verdict.kind === 'out-of-scope') printMessage(`${visible(url)}: ${explainVerdict(verdict)}`);
  }
  if (failures.size > 0 || results.some(({ verdict }) => verdict.kind === 'out-of-scope')) return 2;
  return results.some(({ verdict }) => verdict.kind === 'disallowed') ? 1 : 0;
}

async function checkList(
  list: string,
  crawlers: readonly NamedCrawler[],
  reader: SourceReader,
  options: CheckOptions,
): Promise<number> {
  const { robots, json = false } = options;
  if (robots === undefined) throw new CommandError('--urls requires --robots');
  if (robots === '-' && list === '-')
    throw new CommandError('standard input cannot be both the robots.txt and the list of URLs');
  const source = await reader.read(robots);
  // Loaded late: threads take a while to load.
  const { checkUrlList } = await import('./url-list.ts');
  return checkUrlList(list, source, crawlers, { ...options, json });
}

/** Reads the robots.txt for each URL once: the given one, or that of the origin. Returns errors in place of files that cannot be read. */
async function readSources(
  urls: readonly string[],
  reader: SourceReader,
  robots: string | undefined,
): Promise<(Source | CommandError)[]> {
  const names = urls.map((url) => robots ?? requireRobotsTxtUrl(url));
  const distinct = [...new Set(names)];
  const read = new Map<string, Source | CommandError>();
  const waiting = distinct.values();
  const readOneAfterAnother = async (): Promise<void> => {
    for (const name of waiting) read.set(name, await reader.read(name).catch(requireCommandError));
  };
  await Promise.all(Array.from({ length: MAX_FETCHES }, readOneAfterAnother));
  return names.map((name) => read.get(name) as Source | CommandError);
}

/** Returns an error that the command reports. @throws any other one. */
function requireCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  throw error;
}

function printResultsAsJson(
  results: readonly JudgedUrl[],
  failures: ReadonlyMap<string, CommandError>,
): void {
  for (const result of results)
    printJson({ ...createVerdictReport(result), ...createPreferencesField(result) });
  for (const [url, { message }] of failures)
    printJson({ url, allowed: null, error: { code: 'no-robots-txt', message } });
}

/** Texts of the table if no rule decides. */
const WITHOUT_RULE: Readonly<Record<DecisionReason, string>> = {
  rule: '',
  'no-rule-matched': '(no rule matches)',
  'no-group': '(no group applies)',
  'robots-txt': '(always allowed)',
  'crawler-exempt': '(ignores robots.txt)',
  unavailable: '(no robots.txt)',
  unreachable: '(robots.txt unreachable)',
  'outage-expired': '(robots.txt unreachable, outage policy allows)',
};

function formatVerdict(verdict: Verdict): string {
  const { green, red, yellow } = getColors(process.stdout);
  if (verdict.kind === 'allowed') return green('allowed');
  return verdict.kind === 'disallowed' ? red('disallowed') : yellow('no verdict');
}

async function printResults(results: readonly JudgedUrl[]): Promise<void> {
  // Loaded late: one verdict needs no table.
  const { printTable } = await import('../../output/table.ts');
  const rows = results.map(({ url, crawler, verdict }) => {
    const found = verdict.kind === 'out-of-scope' ? null : verdict;
    const rule = found?.rule
      ? `${found.rule.field}: ${found.rule.text}`
      : WITHOUT_RULE[found?.reason ?? 'rule'];
    return [
      visible(url),
      visible(crawler.name),
      formatVerdict(verdict),
      String(found?.line || '-'),
      visible(rule),
    ];
  });
  printTable(['URL', 'crawler', 'verdict', 'line', 'rule'], rows);
}

function printExplanation(result: JudgedUrl): void {
  const { url, crawler, source, verdict } = result;
  if (verdict.kind === 'out-of-scope') return;
  const { bold, dim } = getColors(process.stdout);
  const { name, robots } = source;
  const state = describeSource(source);
  const lines = [
    `${bold(visible(url))}  ${visible(crawler.name)}  ${bold(formatVerdict(verdict))}`,
    dim(`robots.txt: ${visible(name)} (${visible(state)}; profile ${robots.profile.name})`),
    '',
    visible(explainVerdict(verdict)),
  ];
  if (verdict.normalized) {
    lines.push(`Rules are matched with ${visible(verdict.path)}, the URL that the crawler requests.`);
  }
  const declared = formatDeclared(result);
  if (declared !== null) lines.push(visible(declared));
  lines.push(...formatExcerpt(robots, verdict));
  printLine(lines.join('\n'));
}
