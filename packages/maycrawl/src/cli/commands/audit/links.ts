/**
 * `maycrawl audit links`: all links to a URL, or from it.
 *
 * @module
 */
import { resolveUrl } from '@maycrawl/core/indexability';
import { findLinks, type UrlLink } from '../../../audit/links/page-links.ts';
import { formatCsvHead, formatCsvLine } from '../../../audit/report/formats/csv-line.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { withRun } from './open-run.ts';

export interface AuditLinksOptions {
  readonly to?: string;
  readonly from?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const COLUMNS = ['from', 'to', 'types', 'texts', 'followed'] as const;

/**
 * Prints links, one a line, and their number; in JSON one object a line.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the run cannot be read, or does not contain the URL.
 */
export async function auditLinks(
  path: string,
  { to, from, json = false, csv = false }: AuditLinksOptions,
): Promise<number> {
  const wanted = to ?? from;
  if (wanted === undefined || (to !== undefined && from !== undefined))
    throw new CommandError('give either --to or --from with a URL of the run');
  if (json && csv) throw new CommandError('give either --json or --csv');
  return withRun(path, async (run) => {
    const url = resolveUrl(wanted, wanted);
    const key = url === null ? undefined : await run.findKey(url);
    if (key === undefined) throw new CommandError(`the run does not contain ${visible(wanted)}`);
    const format = json ? formatJson : csv ? formatCsv : to === undefined ? describeTarget : describeSource;
    let count = 0;
    let isRecorded = true;
    if (csv) await writeOut(formatCsvHead(COLUMNS));
    for await (const link of findLinks(run, to === undefined ? 'from' : 'to', key)) {
      count++;
      if (link.texts === null) isRecorded = false;
      await writeOut(format(link));
    }
    if (json || csv) return 0;
    await writeOut(
      to === undefined
        ? `${formatCount(count, 'URL')} named by ${visible(wanted)}\n`
        : `${formatCount(count, 'page')} with links to ${visible(wanted)}\n`,
    );
    if (!isRecorded)
      await writeOut(
        'Some texts are unknown: an earlier release, which did not record them, fetched the pages.\n',
      );
    return 0;
  });
}

function formatJson({ from, to, types, texts, followed }: UrlLink): string {
  return `${toJson({ from, to, types, texts, followed })}\n`;
}

function formatCsv({ from, to, types, texts, followed }: UrlLink): string {
  const cells = [types, texts, followed].map((each) => each?.join('\n') ?? null);
  return formatCsvLine([from, to, ...cells]);
}

function describeSource(link: UrlLink): string {
  return describe(link.from, link);
}

function describeTarget(link: UrlLink): string {
  return describe(link.to, link);
}

function describe(url: string, { types, texts, followed }: UrlLink): string {
  const who = followed.length === 0 ? 'no crawler follows it' : `followed by ${followed.join(', ')}`;
  const quoted = (texts ?? []).map((text) => (text === '' ? 'no text' : `"${visible(text)}"`));
  return `${[visible(url), ...(quoted.length === 0 ? [] : [quoted.join(', ')])].join('  ')}  ${types.join(', ')}: ${visible(who)}\n`;
}
