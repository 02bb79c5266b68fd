// `maycrawl logs ranges`: the stored lists of the addresses of crawlers.
import { createOperatorFinder } from '@maycrawl/core/crawlers';
import { describeFileError } from '../../../files/file-error.ts';
import { RangeFileError } from '../../../logs/identity/range-file.ts';
import { type RangeStore, readRangeStore, type StoredList } from '../../../logs/identity/range-store.ts';
import {
  type UpdateRangesOptions,
  type UpdateResult,
  updateRanges,
} from '../../../logs/identity/update-ranges.ts';
import { formatCount } from '../../../text/counts.ts';
import { formatSpan } from '../../../text/durations.ts';
import { visible } from '../../../text/printable.ts';
import { readCatalogue } from '../../input/crawlers-file.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson } from '../../output/standard-output.ts';
import { printTable } from '../../output/table.ts';
import { printMessage } from '../../output/terminal.ts';
import type { RangesListOptions, RangesUpdateOptions } from './options.ts';

/** The lists of one crawler. */
interface CrawlerLists {
  readonly crawler: string;
  readonly lists: number;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Of the last list. */
  readonly prefixes: number;
  readonly creationTime: string | null;
}

/**
 * Fetches lists.
 *
 * @returns the exit code: 0, or 2 if a list cannot be read.
 * @throws {CommandError} if the folder or a file of crawlers cannot be used.
 */
export async function updateLogRanges(
  [folder = '']: readonly string[],
  { crawlers: file, userAgent, timeout, allowPrivate, json }: RangesUpdateOptions,
): Promise<number> {
  requireFolder(folder);
  const catalogue = file === undefined ? undefined : await readCatalogue(file);
  const options: UpdateRangesOptions = {
    ...{ folder, userAgent, timeout, allowPrivateAddresses: allowPrivate },
    ...(catalogue && { crawlers: catalogue.crawlers, findOperator: createOperatorFinder(catalogue) }),
  };
  const results = await withRangeErrors(folder, () => updateRanges(options));
  const isComplete = results.every((result) => !('error' in result));
  if (json) printJson(results, 2);
  else printTable(['crawler', 'day', 'prefixes', ''], results.map(formatResult));
  if (!isComplete) printMessage('some lists cannot be read; those of earlier days stay in the folder');
  return isComplete ? 0 : 2;
}

function formatResult(result: UpdateResult): string[] {
  if ('error' in result) return [visible(result.crawler), '-', '-', visible(result.error)];
  const { crawler, day, prefixes, isChanged } = result;
  return [visible(crawler), day, formatCount(prefixes), isChanged ? 'changed' : 'as before'];
}

/**
 * Prints the lists of a folder.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the folder or one of its lists cannot be read.
 */
export async function listLogRanges(
  [folder = '']: readonly string[],
  { json }: RangesListOptions,
): Promise<number> {
  requireFolder(folder);
  const rows = toRows(await withRangeErrors(folder, () => readRangeStore(folder)));
  if (json) printJson(rows, 2);
  else if (rows.length === 0) printMessage(`${visible(folder)} has no lists`);
  else printTable(['crawler', 'lists', 'first day', 'last day', 'prefixes', 'age'], rows.map(formatRow));
  return 0;
}

function toRows({ lists }: RangeStore): CrawlerLists[] {
  const byCrawler = new Map<string, StoredList[]>();
  for (const list of lists) {
    const own = byCrawler.get(list.crawler);
    if (own === undefined) byCrawler.set(list.crawler, [list]);
    else own.push(list);
  }
  const rows = [...byCrawler].map(([crawler, own]) => {
    const [first, last] = [own[0] as StoredList, own.at(-1) as StoredList];
    return {
      ...{ crawler, lists: own.length, firstDay: first.day, lastDay: last.day, prefixes: last.ranges.size },
      creationTime: last.creationTime === null ? null : new Date(last.creationTime).toISOString(),
    };
  });
  return rows.sort((a, b) => (a.crawler.toLowerCase() < b.crawler.toLowerCase() ? -1 : 1));
}

function formatRow({ crawler, lists, firstDay, lastDay, prefixes }: CrawlerLists): string[] {
  const age = Date.now() - Date.parse(lastDay);
  const span = age < DAY ? 'today' : formatSpan(age);
  return [visible(crawler), formatCount(lists), firstDay, lastDay, formatCount(prefixes), span];
}

const DAY = 86_400_000;

function requireFolder(folder: string): void {
  if (folder === '') throw new CommandError('the name of the folder is empty');
}

/** Runs what fails with errors for the user. @throws {CommandError} instead of them. */
export async function withRangeErrors<T>(folder: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof RangeFileError)
      throw new CommandError(`${visible(folder)}: ${visible(cause.message)}`, { cause });
    if (cause instanceof Error && 'syscall' in cause)
      throw new CommandError(`${visible(folder)}: ${describeFileError(cause)}`, { cause });
    throw cause;
  }
}
