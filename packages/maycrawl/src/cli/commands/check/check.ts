/**
 * `maycrawl check`: may these crawlers fetch these URLs, and why?
 *
 * @module
 */

import { type DecisionReason, explainVerdict, getRobotsTxtUrl, type Verdict } from '@maycrawl/core';
import {
  type Answer,
  createAnswerReport,
  createJudgeFor,
  type NamedCrawler,
  type Source,
} from '../../../batch/judge.ts';
import { visible } from '../../../text/printable.ts';
import { requireCrawler, requireProfile } from '../../input/options.ts';
import { describeSource, type ReadingOptions, SourceReader } from '../../input/source.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { getColors, printMessage } from '../../output/terminal.ts';
import { showLines } from './excerpt.ts';

export interface CheckOptions extends Omit<ReadingOptions, 'profile'> {
  /** A list of URLs, a sitemap, a feed, or an index of sitemaps: a path, `-` or a URL. */
  readonly urls?: string;
  readonly robots?: string;
  readonly agent: readonly string[];
  readonly profile: string;
  readonly normalize: boolean;
  readonly json?: boolean;
}

/** How many sites are asked at the same time. */
const MAX_FETCHES = 16;

/**
 * Answers for every URL and crawler, on standard output.
 *
 * @returns the exit code: 0 if all are allowed, 1 if any is disallowed, 2 if any has no answer.
 */
export async function check(urls: readonly string[], options: CheckOptions): Promise<number> {
  const profile = requireProfile(options.profile);
  if (urls.length > 0 === (options.urls !== undefined))
    throw new CommandError('give either URLs or --urls FILE, a list of them');
  const crawlers = options.agent.map(requireCrawler);
  const reader = new SourceReader({ ...options, profile });
  try {
    if (options.urls !== undefined) return await checkList(options.urls, crawlers, reader, options);
    return await checkUrls(urls, crawlers, reader, options);
  } finally {
    await reader.close();
  }
}

/** Answers for some URLs. */
async function checkUrls(
  urls: readonly string[],
  crawlers: readonly NamedCrawler[],
  reader: SourceReader,
  options: CheckOptions,
): Promise<number> {
  const read = await readSources(urls, reader, options.robots);
  const judges = crawlers.map((crawler) => ({ crawler, judge: createJudgeFor(crawler, options.normalize) }));
  const answers: Answer[] = [];
  const failures = new Map<string, CommandError>();
  for (const [index, url] of urls.entries()) {
    const source = read[index] as Source | CommandError;
    if (source instanceof CommandError) failures.set(url, source);
    else
      for (const { crawler, judge } of judges)
        answers.push({ url, crawler, source, verdict: judge(source, url) });
  }
  const [failure] = failures.values();
  if (answers.length === 0 && failure !== undefined && !options.json) throw failure;
  if (options.json) printAnswersAsJson(answers, failures);
  else if (answers.length === 1) printExplanation(answers[0] as Answer);
  else await printAnswers(answers);
  for (const { message } of new Set(failures.values())) printMessage(message);
  for (const { url, verdict } of answers) {
    if (verdict.kind === 'out-of-scope') printMessage(`${visible(url)}: ${explainVerdict(verdict)}`);
  }
  if (failures.size > 0 || answers.some(({ verdict }) => verdict.kind === 'out-of-scope')) return 2;
  return answers.some(({ verdict }) => verdict.kind === 'disallowed') ? 1 : 0;
}

/** Answers for a list of URLs. */
async function checkList(
  list: string,
  crawlers: readonly NamedCrawler[],
  reader: SourceReader,
  options: CheckOptions,
): Promise<number> {
  const { robots, json = false } = options;
  if (robots === undefined) throw new CommandError('--urls needs --robots, the file that decides');
  if (robots === '-' && list === '-')
    throw new CommandError('standard input is either the robots.txt or the list of URLs');
  const source = await reader.read(robots);
  // Threads take a while to load, and most calls need none.
  const { checkUrlList } = await import('./url-list.ts');
  return checkUrlList(list, source, crawlers, { ...options, json });
}

/**
 * The robots.txt for each URL: the one that was named, or that of the URL's own origin, each read once; or why it cannot be read.
 */
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

/** @throws {CommandError} if the URL has no robots.txt of its own. */
function requireRobotsTxtUrl(url: string): string {
  try {
    return getRobotsTxtUrl(url);
  } catch {
    const advice = url.startsWith('/')
      ? 'a path needs --robots FILE'
      : 'give an absolute http, https or ftp URL, such as https://example.com/page';
    throw new CommandError(`"${visible(url)}" has no robots.txt: ${advice}`);
  }
}

function printAnswersAsJson(answers: readonly Answer[], failures: ReadonlyMap<string, CommandError>): void {
  for (const answer of answers) printJson(createAnswerReport(answer));
  for (const [url, { message }] of failures)
    printJson({ url, allowed: null, error: { code: 'no-robots-txt', message } });
}

/** What the table says where no rule decided. */
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

function verdictWord(verdict: Verdict): string {
  const { green, red, yellow } = getColors(process.stdout);
  if (verdict.kind === 'allowed') return green('allowed');
  return verdict.kind === 'disallowed' ? red('disallowed') : yellow('no answer');
}

async function printAnswers(answers: readonly Answer[]): Promise<void> {
  // Measuring characters takes a while to load, and one answer needs none of it.
  const { printTable } = await import('../../output/table.ts');
  const rows = answers.map(({ url, crawler, verdict }) => {
    const found = verdict.kind === 'out-of-scope' ? null : verdict;
    const rule = found?.rule
      ? `${found.rule.field}: ${found.rule.text}`
      : WITHOUT_RULE[found?.reason ?? 'rule'];
    return [
      visible(url),
      visible(crawler.name),
      verdictWord(verdict),
      String(found?.line || '-'),
      visible(rule),
    ];
  });
  printTable(['URL', 'crawler', 'verdict', 'line', 'rule'], rows);
}

function printExplanation({ url, crawler, source, verdict }: Answer): void {
  if (verdict.kind === 'out-of-scope') return;
  const { bold, dim } = getColors(process.stdout);
  const { name, robots } = source;
  const where = describeSource(source);
  const lines = [
    `${bold(visible(url))}  ${visible(crawler.name)}  ${bold(verdictWord(verdict))}`,
    dim(`robots.txt: ${visible(name)} (${visible(where)}; profile ${robots.profile.name})`),
    '',
    visible(explainVerdict(verdict)),
  ];
  if (verdict.normalized) {
    lines.push(`The crawler requests it as ${visible(verdict.path)}, and that is what was matched.`);
  }
  lines.push(...showLines(robots, verdict));
  printLine(lines.join('\n'));
}
