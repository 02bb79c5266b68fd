// `maycrawl preferences`: may crawlers use the content of these URLs, and for what?
import { decideByPolicy, resolveAgent } from '@maycrawl/core';
import type { HtmlFacts } from '@maycrawl/core/indexability';
import {
  describePromises,
  findRefusalPromises,
  type PreferenceReport,
  type PreferenceSources,
  type PurposePreference,
  parseRsl,
  READINGS,
  type RefusalPromises,
  readPreferences,
  selectPageSources,
} from '@maycrawl/core/preferences';
import { OWN_AGENT } from '../../../audit/crawl/robots-guard.ts';
import { openPageTools } from '../../../audit/page/open-page-tools.ts';
import { readHtml } from '../../../html/html-reader.ts';
import { PAGE_LIMITS } from '../../../html/read-page.ts';
import { describeStatement } from '../../../preferences/describe-statement.ts';
import {
  type FetchedSources,
  fetchPageSources,
  readFetchedSources,
  type SourceProblem,
} from '../../../preferences/page-sources.ts';
import { parseTdmRepFile } from '../../../preferences/tdmrep-file.ts';
import { visible } from '../../../text/printable.ts';
import { MAX_TEXT_BYTES, readFileStart, readTextFile } from '../../input/file.ts';
import { requireCrawler, requireProfile } from '../../input/options.ts';
import { readPolicyTokens } from '../../input/policy-tokens.ts';
import { requireRobotsTxtUrl } from '../../input/robots-url.ts';
import { isUnreachable, SourceReader } from '../../input/source.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { getColors, printMessage } from '../../output/terminal.ts';
import type { PreferencesOptions } from '../options.ts';

/** A source that was not read, or not wholly. */
type UnreadSource = Omit<SourceProblem, 'source'> & { readonly source: SourceProblem['source'] | 'rsl' };

/** The sources that the command line gives. They replace those of the site. */
interface GivenSources {
  readonly page: {
    readonly headers: readonly (readonly [name: string, value: string])[];
    /** `null` if the page is not HTML, or only its headers are known. */
    readonly html: HtmlFacts | null;
  } | null;
  readonly tdmrep: string | null;
  readonly rsl: NonNullable<PreferenceSources['rsl']>;
  /** A given file that declares nothing, because it has another form. */
  readonly problems: readonly SourceProblem[];
}

/**
 * Prints what is declared for each URL and crawler.
 *
 * @returns the exit code: 0, or 2 if a source could not be read, or not wholly: it can contain a refusal.
 */
export async function preferences(urls: readonly string[], options: PreferencesOptions): Promise<number> {
  if (urls.length === 0) throw new CommandError('give at least one URL');
  const resolve =
    options.crawlers === undefined
      ? resolveAgent
      : await (await import('../../input/crawlers-file.ts')).readAgentResolver(options.crawlers);
  const crawlers = options.agent.map((name) => requireCrawler(name, resolve));
  const policyTokens = await readPolicyTokens(options);
  const given = await readGiven(options);
  printProblems(given.problems);
  const reader = new SourceReader(options);
  let isComplete = given.problems.length === 0;
  try {
    for (const url of urls) {
      const robotsUrl = requireRobotsTxtUrl(url);
      const source = await reader.read(options.robots ?? robotsUrl);
      if (isUnreachable(source)) {
        isComplete = false;
        printMessage(`${visible(source.name)}: ${visible(source.message ?? 'unreachable')}`);
      }
      const { policy } = source;
      const isCrawled = crawlers.some(
        ({ crawler }) => decideByPolicy(policy, crawler, url).kind === 'allowed',
      );
      const wants = {
        page: isCrawled && given.page === null,
        tdmrep: isCrawled && options.tdmrep === undefined,
      };
      const fetched =
        options.offline === true ? NOTHING_FETCHED : await fetchSources(url, policy, wants, options);
      if (fetched.problems.length > 0) isComplete = false;
      printProblems(fetched.problems);
      const problems = [...given.problems, ...fetched.problems];
      const sources: PreferenceSources = {
        ...{ policy, rsl: given.rsl },
        ...readFetchedSources(url, fetched),
        ...(given.page && selectPageSources({ url, headers: given.page.headers }, given.page.html)),
        ...(given.tdmrep === null ? {} : { tdmrep: given.tdmrep }),
      };
      for (const { name, crawler } of crawlers) {
        const found = readPreferences(sources, crawler, url, { policyTokens });
        const report = {
          ...found,
          agent: name,
          ...findRefusalPromises(Object.values(found.purposes), policyTokens),
        };
        const unread = report.problems.map((each) => describeUnread(each, url, options));
        // They are those of the sources, and the same for all crawlers.
        if (crawler === crawlers[0]?.crawler) printProblems(unread);
        if (unread.length > 0) isComplete = false;
        const all = [...problems, ...unread];
        if (options.json === true) printJson({ ...report, problems: all });
        else printLine(formatReport(report, all).join('\n'));
      }
    }
  } finally {
    await reader.close();
  }
  return isComplete ? 0 : 2;
}

/** Describes a part of a source that was not read. */
function describeUnread(
  { source, name, line, reason }: PreferenceReport['problems'][number],
  url: string,
  { html, tdmrep, rsl }: PreferencesOptions,
): UnreadSource {
  const message = line === null ? reason : `line ${line}: ${reason}`;
  if (source === 'rsl') return { source, url: name ?? rsl ?? url, message };
  if (source === 'tdmrep.json') return { source, url: tdmrep ?? url, message };
  return { source: 'page', url: html ?? url, message: name === null ? message : `${name}: ${message}` };
}

function printProblems(problems: readonly UnreadSource[]): void {
  for (const { url, message } of problems) printMessage(`${visible(url)}: ${visible(message)}`);
}

const NOTHING_FETCHED: FetchedSources = { page: null, tdmrep: null, problems: [] };

async function fetchSources(
  url: string,
  policy: NonNullable<PreferenceSources['policy']>,
  wants: { readonly page: boolean; readonly tdmrep: boolean },
  { profile, userAgent, timeout = 30_000, allowPrivate }: PreferencesOptions,
): Promise<FetchedSources> {
  if (!wants.page && !wants.tdmrep) return NOTHING_FETCHED;
  const tools = openPageTools({
    ...{ userAgent, timeout, allowPrivateAddresses: allowPrivate, url },
    profile: requireProfile(profile),
  });
  try {
    const isAllowed = (target: string): boolean =>
      decideByPolicy(policy, [OWN_AGENT], target).kind === 'allowed';
    const { fetch, fetchFile } = tools;
    return await fetchPageSources({ url, isAllowed, wants, fetch, fetchFile });
  } finally {
    await tools.close();
  }
}

async function readGiven({ header, html, tdmrep, rsl }: PreferencesOptions): Promise<GivenSources> {
  const hasPage = header !== undefined || html !== undefined;
  const text = html === undefined ? null : await readHtmlFile(html);
  const file = tdmrep === undefined ? null : parseTdmRepFile(await readTextFile(tdmrep, MAX_TEXT_BYTES));
  return {
    page: hasPage
      ? {
          headers: header?.map(requireHeader) ?? [],
          html: text === null ? null : readHtml(text, PAGE_LIMITS.items),
        }
      : null,
    tdmrep: file?.text ?? null,
    rsl: rsl === undefined ? [] : [{ url: null, text: await readRsl(rsl) }],
    problems:
      tdmrep !== undefined && typeof file?.problem === 'string'
        ? [{ source: 'tdmrep.json', url: tdmrep, message: file.problem }]
        : [],
  };
}

async function readHtmlFile(path: string): Promise<string> {
  return Buffer.from(await readFileStart(path, PAGE_LIMITS.bytes)).toString();
}

async function readRsl(path: string): Promise<string> {
  const text = await readTextFile(path, MAX_TEXT_BYTES);
  if (parseRsl(text) !== null) return text;
  throw new CommandError(`--rsl ${visible(path)}: give an RSL document: XML with an element "rsl"`);
}

/** @throws {CommandError} unless a text is a header. */
function requireHeader(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):([^\r\n\0]*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value.trim()];
  throw new CommandError(`--header "${visible(text)}": give NAME: VALUE`);
}

/** Formats a report as lines. */
function formatReport(
  {
    agent,
    url,
    crawl,
    purposes,
    licenses,
    conflicts,
    promises,
    unpromised,
  }: PreferenceReport & RefusalPromises,
  problems: readonly UnreadSource[],
): string[] {
  const { bold, dim } = getColors(process.stdout);
  const width = Math.max(...Object.keys(purposes).map((purpose) => purpose.length));
  return [
    `${bold(visible(url))}  ${visible(agent)}  ${crawl === 'out-of-scope' ? 'robots.txt does not apply' : `crawling ${crawl}`}`,
    ...Object.entries(purposes).map(
      ([purpose, preference]) =>
        `  ${purpose.padEnd(width)}  ${preference.value.padEnd(14)}  ${dim(visible(describeReason(preference)))}`,
    ),
    ...licenses.map(({ url: license }) => `  licence: ${visible(license)}`),
    ...(promises.length + unpromised.length === 0
      ? []
      : [
          `  a refusal is a request: ${visible(agent)} may still fetch the URL. ${describePromises(promises, unpromised).map(visible).join(' ')}`,
        ]),
    ...conflicts.map(({ message }) => `  conflict: ${visible(message)}`),
    ...problems.map(({ url: target, message }) => `  not read: ${visible(target)} (${visible(message)})`),
  ];
}

function describeReason({ value, statements: [first] }: PurposePreference): string {
  if (value === 'not-applicable') return 'the crawler may not fetch the URL';
  if (value !== 'unknown') return first === undefined ? '' : describeStatement(first);
  const isCounted = first?.countsUnder.includes(READINGS[0].name) === true;
  return isCounted ? `neither allowed nor refused: ${describeStatement(first)}` : 'nothing is declared';
}
