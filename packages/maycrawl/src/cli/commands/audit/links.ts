// `maycrawl audit links`: the links of a run, to a URL, from it, or to URLs with some statuses.
import { RESOURCE_KINDS, resolveUrl } from '@maycrawl/core/indexability';
import { findLinks } from '../../../audit/links/page-links.ts';
import { isStatusPattern } from '../../../audit/links/target-statuses.ts';
import type { UrlLink } from '../../../audit/links/url-link.ts';
import type { CsvCell } from '../../../audit/report/formats/csv-line.ts';
import type { RunStore } from '../../../audit/run/run-store.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { writeCsvHead, writeCsvRows } from '../../output/csv.ts';
import { CommandError } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { withRun } from './open-run.ts';
import type { AuditLinksOptions } from './options.ts';

const COLUMNS = ['from', 'to', 'types', 'texts', 'followed', 'status', 'failure'] as const;

/**
 * Prints links, one a line, and their number; in JSON one object a line.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the run cannot be read, or does not contain a URL.
 */
export async function auditLinks(
  path: string,
  { to, from, toStatus, json = false, csv = false }: AuditLinksOptions,
): Promise<number> {
  if (json && csv) throw new CommandError('give either --json or --csv');
  const query: Query = { to, from, statuses: requireStatuses(toStatus) };
  return withRun(path, async (run) => {
    const selection = { ...query, to: requireKey(run, to), from: requireKey(run, from) };
    const format = json ? formatJson : describe;
    const targets = new Set<string>();
    let count = 0;
    if (csv) await writeCsvHead(COLUMNS);
    for (const link of findLinks(run, selection)) {
      count++;
      if (query.statuses !== undefined && !json && !csv) targets.add(link.to);
      if (csv) await writeCsvRows([toCells(link)]);
      else await writeOut(format(link, query));
    }
    if (json || csv) return 0;
    await writeOut(`${describeCount(count, query, targets.size)}\n`);
    return 0;
  });
}

/** Splits lists of statuses. @throws {CommandError} for one that no response can have. */
function requireStatuses(lists: readonly string[] | undefined): readonly string[] | undefined {
  const statuses = lists?.flatMap((list) => list.split(',')).map((text) => text.trim());
  const wrong = statuses?.find((status) => !isStatusPattern(status));
  if (wrong !== undefined)
    throw new CommandError(`--to-status must be 404, 4xx or none, for example, not "${visible(wrong)}"`);
  return statuses;
}

/** Returns the key of a URL; `undefined` if no URL is given. @throws {CommandError} if the run does not contain it. */
function requireKey(run: RunStore, url: string | undefined): number | undefined {
  if (url === undefined) return undefined;
  const key = run.findKey(resolveUrl(url, url) ?? url);
  if (key === undefined) throw new CommandError(`the run does not contain ${visible(url)}`);
  return key;
}

/** What the user gave. */
interface Query {
  readonly to: string | undefined;
  readonly from: string | undefined;
  readonly statuses: readonly string[] | undefined;
}

/** @param targets - the number of different URLs to which the links lead, if statuses are given. */
function describeCount(count: number, { to, from, statuses }: Query, targets: number): string {
  if (statuses !== undefined)
    return `${formatCount(count, 'link')} to ${formatCount(targets, 'URL')} with status ${statuses.join(', ')}`;
  if (to === undefined && from === undefined) return formatCount(count, 'link');
  if (to === undefined) return `${formatCount(count, 'URL')} named by ${visible(from ?? '')}`;
  return `${formatCount(count, 'page')} with links to ${visible(to)}`;
}

function formatJson({ from, to, types, texts, followed, status, failure }: UrlLink): string {
  return `${toJson({ from, to, types, texts, followed, status, failure })}\n`;
}

function toCells({ from, to, types, texts, followed, status, failure }: UrlLink): CsvCell[] {
  const cells = [types, texts, followed].map((each) => each.join('\n'));
  return [from, to, ...cells, status, failure];
}

/** Describes a link without the page or the URL that the user gave, and with the response of its target if statuses are given. */
function describe(link: UrlLink, query: Query): string {
  const { from, to, texts } = link;
  const response = query.statuses === undefined ? '' : ` (${link.status ?? visible(link.failure ?? '')})`;
  const urls = [query.from === undefined ? from : null, query.to === undefined ? to : null];
  const path = urls.flatMap((url) => (url === null ? [] : [visible(url)])).join(' → ') || visible(from);
  const quoted = texts.map((text) => (text === '' ? 'no text' : `"${visible(text)}"`));
  const parts = [
    `${path}${response}`,
    ...(quoted.length === 0 ? [] : [quoted.join(', ')]),
    describeTypes(link),
  ];
  return `${parts.join('  ')}\n`;
}

/** Describes the types of a link, and who follows it: no crawler follows a script, a stylesheet or an image. */
function describeTypes({ types, followed }: UrlLink): string {
  const names = types.join(', ');
  if (types.every((type) => RESOURCE_KINDS.some((kind) => kind === type))) return names;
  return `${names}: ${followed.length === 0 ? 'no crawler follows it' : `followed by ${visible(followed.join(', '))}`}`;
}
