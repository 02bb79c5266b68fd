// `maycrawl audit links`: the links of a run, to a URL, or from it.
import { resolveUrl } from '@maycrawl/core/indexability';
import { findLinks, type UrlLink } from '../../../audit/links/page-links.ts';
import type { CsvCell } from '../../../audit/report/formats/csv-line.ts';
import type { RunStore } from '../../../audit/run/run-store.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { writeCsvHead, writeCsvRows } from '../../output/csv.ts';
import { CommandError } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { withRun } from './open-run.ts';
import type { AuditLinksOptions } from './options.ts';

const COLUMNS = ['from', 'to', 'types', 'texts', 'followed'] as const;

/**
 * Prints links, one a line, and their number; in JSON one object a line.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the run cannot be read, or does not contain a URL.
 */
export async function auditLinks(
  path: string,
  { to, from, json = false, csv = false }: AuditLinksOptions,
): Promise<number> {
  if (json && csv) throw new CommandError('give either --json or --csv');
  return withRun(path, async (run) => {
    const keys = { to: requireKey(run, to), from: requireKey(run, from) };
    const format = json ? formatJson : describe;
    let count = 0;
    if (csv) await writeCsvHead(COLUMNS);
    for (const link of findLinks(run, keys)) {
      count++;
      if (csv) await writeCsvRows([toCells(link)]);
      else await writeOut(format(link, { to, from }));
    }
    if (json || csv) return 0;
    await writeOut(`${describeCount(count, { to, from })}\n`);
    return 0;
  });
}

/** Returns the key of a URL; `undefined` if no URL is given. @throws {CommandError} if the run does not contain it. */
function requireKey(run: RunStore, url: string | undefined): number | undefined {
  if (url === undefined) return undefined;
  const key = run.findKey(resolveUrl(url, url) ?? url);
  if (key === undefined) throw new CommandError(`the run does not contain ${visible(url)}`);
  return key;
}

/** The URLs that the user gave. */
interface Query {
  readonly to: string | undefined;
  readonly from: string | undefined;
}

function describeCount(count: number, { to, from }: Query): string {
  if (to === undefined && from === undefined) return formatCount(count, 'link');
  if (to === undefined) return `${formatCount(count, 'URL')} named by ${visible(from ?? '')}`;
  return `${formatCount(count, 'page')} with links to ${visible(to)}`;
}

function formatJson({ from, to, types, texts, followed }: UrlLink): string {
  return `${toJson({ from, to, types, texts, followed })}\n`;
}

function toCells({ from, to, types, texts, followed }: UrlLink): CsvCell[] {
  const cells = [types, texts, followed].map((each) => each.join('\n'));
  return [from, to, ...cells];
}

/** Describes a link without the page or the URL that the user gave. */
function describe({ from, to, types, texts, followed }: UrlLink, query: Query): string {
  const urls = [query.from === undefined ? from : null, query.to === undefined ? to : null];
  const path = urls.flatMap((url) => (url === null ? [] : [visible(url)])).join(' → ') || visible(from);
  const who = followed.length === 0 ? 'no crawler follows it' : `followed by ${followed.join(', ')}`;
  const quoted = texts.map((text) => (text === '' ? 'no text' : `"${visible(text)}"`));
  return `${[path, ...(quoted.length === 0 ? [] : [quoted.join(', ')])].join('  ')}  ${types.join(', ')}: ${visible(who)}\n`;
}
