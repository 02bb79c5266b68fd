// `maycrawl census report`: a report about one or several censuses, as one HTML file.
import { dirname } from 'node:path';
import { makeFolder } from '@maycrawl/client/internal';
import { isFileOf } from '../../../census/census-summary.ts';
import { createCensusHtml } from '../../../census/report/html-report.ts';
import { readReportData } from '../../../census/report/queries/read-report-data.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { VERSION } from '../../options/fetch-options.ts';
import { CommandError } from '../../output/errors.ts';
import { printMessage } from '../../output/terminal.ts';
import { writeFileAtomically } from '../../output/write-file.ts';
import { parseGroups, parseNamedValue, parseTables } from './named-values.ts';
import type { CensusReportOptions } from './options.ts';
import { requireOut } from './output.ts';
import { runLimited } from './query-limits.ts';

/**
 * Writes the report.
 *
 * @returns the exit code: 0, or 2 if the user interrupted the command.
 * @throws {CommandError} if a folder has no complete census, a file cannot be read, or the report cannot be written.
 */
export async function censusReport(
  folders: readonly string[],
  { out, ranks, weights, table, group, break: breaks = [], ...limits }: CensusReportOptions,
): Promise<number> {
  if (folders.length === 0) throw new CommandError('name the folders of one or several censuses');
  requireOut(out);
  // A mistake would destroy what took days.
  if (folders.some((folder) => isFileOf(folder, out)))
    throw new CommandError(`--out: ${visible(out)} is a file of a census`);
  const views = {
    ...{ tables: parseTables(table), groups: parseGroups(group) },
    breaks: breaks.map((text) => {
      const { name, value } = parseNamedValue(text, '--break', 'CRAWL=TEXT');
      return { crawl: name, text: value };
    }),
  };
  return runLimited(limits, async ({ signal, ...database }) => {
    // Before the queries, which can take long.
    makeFolder(dirname(out));
    const data = await readReportData(folders, {
      ...{ maycrawl: VERSION, limits: database, signal, ...views },
      ...(ranks !== undefined && { ranks }),
      ...(weights !== undefined && { weights }),
    });
    await writeFileAtomically(out, Buffer.from(await createCensusHtml(data)));
    const { sites } = data.crawls.at(-1) ?? { sites: 0 };
    const crawls =
      data.crawls.length === 1 ? '' : ` in the last of ${formatCount(data.crawls.length, 'crawl')}`;
    printMessage(
      `wrote ${visible(out)}: ${formatCount(sites, 'site')}${crawls}, ${formatCount(data.agents.length, 'agent')}`,
    );
    return 0;
  });
}
