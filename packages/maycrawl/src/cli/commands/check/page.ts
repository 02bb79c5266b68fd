// `maycrawl check --page`: may these crawlers fetch and index a page, and its resources?
import { isInvalidAgentError } from '@maycrawl/core';
import { checkPage, type PageJson, type PageReport } from '../../../audit.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { describeRobotsStatement } from '../../../text/responses.ts';
import { requireCrawler, requireProfile } from '../../input/options.ts';
import { CommandError, createFetchError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import type { CheckOptions } from '../options.ts';

/** Blocked resources and other items that are printed of a list; `--json` has all. */
const MAX_SHOWN = 20;

/**
 * Checks pages, one after another, and prints what crawlers may do with them.
 *
 * @returns the exit code: 0 if all may be indexed, 1 if one may not, 2 if the result for one is unknown.
 */
export async function checkPages(urls: readonly string[], options: CheckOptions): Promise<number> {
  const { agent, userAgent, timeout, allowPrivate, json } = options;
  const { name: profile } = requireProfile(options.profile);
  for (const name of agent) requireCrawler(name);
  if (options.robots !== undefined || options.urls !== undefined || options.offline === true)
    throw new CommandError(
      '--page requests the page and its robots.txt: omit --robots, --urls and --offline',
    );
  if (urls.length === 0) throw new CommandError('--page needs a URL');
  const results: PageJson<'CrawlerResult'>['result'][] = [];
  for (const url of urls) {
    const report = await checkPage(url, {
      ...{ agents: agent, profile, userAgent },
      ...(timeout !== undefined && { timeout }),
      ...(allowPrivate !== undefined && { allowPrivateAddresses: allowPrivate }),
    }).catch((error: unknown) => {
      if (error instanceof RangeError || isInvalidAgentError(error))
        throw new CommandError(visible(error.message));
      throw createFetchError(url, error);
    });
    results.push(...report.agents.map(({ result }) => result));
    if (json === true) printJson(report);
    else printLine(formatPage(report).map(visible).join('\n'));
  }
  if (results.some((result) => result === 'unknown' || result === 'unreachable')) return 2;
  return results.every((result) => result === 'indexable') ? 0 : 1;
}

/** Formats a report as lines. */
export function formatPage(report: PageReport): string[] {
  const { agents, hops, page, resources } = report;
  return [
    report.url,
    ...agents.map(({ text }) => `  ${text}`),
    '',
    ...hops.flatMap(formatHop),
    ...(page === null ? [] : formatSummary(page)),
    ...(resources === null ? [] : formatResources(resources)),
  ];
}

function formatHop({
  url,
  status,
  location,
  type,
  bytes,
  milliseconds,
  failure,
  verdicts,
}: PageJson<'PageHop'>): string[] {
  const size = bytes === null ? '' : `, ${formatCount(bytes, 'byte')}`;
  const response =
    failure?.message ??
    (status === null
      ? 'not requested'
      : `status ${status}, ${type ?? 'no media type'}${size}, ${milliseconds} ms`);
  const target = location === null ? '' : `, redirects to ${location}`;
  return [
    `${url}: ${response}${target}`,
    ...verdicts.map(({ agent, allowed, line, rule, message }) => {
      const verdict = allowed === null ? 'no verdict' : allowed ? 'allowed' : 'disallowed';
      const cause = line > 0 ? `, line ${line}: ${allowed ? 'Allow' : 'Disallow'}: ${rule ?? ''}` : '';
      return `  ${agent}: ${verdict}${cause}${message === null ? '' : ` (${message})`}`;
    }),
  ];
}

function formatSummary({ title, robots, canonical, alternates, use }: PageJson<'Page'>): string[] {
  const statements = robots
    .filter(({ noindexFor }) => noindexFor.length > 0)
    .map(
      (each) =>
        `${describeRobotsStatement(each.from, each.agent, each.text)}, for ${each.noindexFor.join(', ')}`,
    );
  const ignored = canonical.statements.filter((each) => each.ignored !== null);
  return [
    '',
    `title: ${title ?? 'none'}`,
    `noindex: ${statements.length === 0 ? 'none' : statements.slice(0, MAX_SHOWN).join('; ')}`,
    `canonical: ${canonical.kind === 'absent' ? 'none' : `${canonical.kind}, ${canonical.urls.join(' ')}`}`,
    ...ignored.slice(0, MAX_SHOWN).map(({ href, ignored: why }) => `  ignored (${why}): ${href}`),
    ...alternates.slice(0, MAX_SHOWN).map(({ hreflang, url }) => `hreflang ${hreflang}: ${url}`),
    ...use
      .slice(0, MAX_SHOWN)
      .map(
        ({ from, name, text, problem }) =>
          `use: ${from} ${name}: ${text}${problem === null ? '' : `, which says nothing: ${problem}`}`,
      ),
  ];
}

function formatResources({ total, hosts }: PageJson<'Resources'>): string[] {
  const blocked = hosts.flatMap(({ resources }) =>
    resources.filter(({ blockedFor }) => blockedFor.length > 0),
  );
  return [
    `resources: ${formatCount(total)}, ${formatCount(blocked.length)} blocked for a crawler`,
    ...blocked
      .slice(0, MAX_SHOWN)
      .flatMap(({ kind, url, blockedFor }) => [
        `  ${kind} ${url}`,
        ...blockedFor.map(({ agent, line, rule, message }) =>
          line > 0
            ? `    ${agent}: line ${line}, Disallow: ${rule ?? ''}`
            : `    ${agent}: ${message ?? 'disallowed'}`,
        ),
      ]),
    ...hosts.flatMap(({ origin, problem }) => (problem === null ? [] : [`  ${origin}: ${problem}`])),
  ];
}
