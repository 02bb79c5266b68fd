// Fetches the lists of addresses that operators publish, and stores them as the lists of a day.
import { makeFolder } from '@maycrawl/client/internal';
import {
  CRAWLER_RECORDS,
  type CrawlerRecord,
  findOperator,
  type OperatorFinder,
  type RangeFormat,
} from '@maycrawl/core/crawlers';
import { checkOptions } from '@maycrawl/core/internal';
import {
  DocumentError,
  type DocumentRequestOptions,
  DocumentRequests,
} from '../../documents/document-requests.ts';
import { formatPrefix } from './address.ts';
import {
  type ListedPrefix,
  MAX_PREFIXES,
  MAX_RANGE_BYTES,
  parseRangeFile,
  RangeFileError,
} from './range-file.ts';
import { type ListFile, listRangeFiles, readListFile, toDigest, writeListFile } from './range-folder.ts';

const MAX_REDIRECTS = 5;
/** Lists that are requested at the same time. */
const CONCURRENCY = 8;

/** Where lists are from, and where they go. */
export interface UpdateRangesOptions extends DocumentRequestOptions {
  readonly folder: string;
  /** The crawlers whose lists are fetched. @defaultValue those of the catalogue */
  readonly crawlers?: readonly CrawlerRecord[] | undefined;
  /** @defaultValue that of the catalogue */
  readonly findOperator?: OperatorFinder | undefined;
  /** Milliseconds since 1970. @defaultValue the time of the system */
  readonly now?: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Is called for each crawler. */
  readonly onResult?: (result: UpdateResult) => void;
}

/** What was done for one crawler. */
export type UpdateResult =
  | {
      readonly crawler: string;
      readonly day: string;
      readonly prefixes: number;
      /** Whether the prefixes differ from those of the last stored list, or there is none. */
      readonly isChanged: boolean;
    }
  /** Why there is no new list. The stored ones stay. The text may have parts that a server sent. */
  | { readonly crawler: string; readonly error: string };

interface FetchedList {
  readonly url: string;
  readonly sha256: string;
  readonly creationTime: number | null;
  readonly prefixes: readonly ListedPrefix[];
}

/**
 * Fetches the lists of all crawlers that have one, and writes them as those of today (UTC). Each URL is requested once. A crawler with several
 * lists gets one with all of them, or none if one of them cannot be read. Lists of earlier days stay.
 *
 * @returns a result for each crawler, in the order of their names.
 * @throws {RangeFileError} if the folder cannot be read.
 * @throws {Error} of the system if it cannot be written, and the signal's reason if it is aborted.
 */
export async function updateRanges(options: UpdateRangesOptions): Promise<UpdateResult[]> {
  checkOptions<UpdateRangesOptions>(
    'updateRanges',
    options,
    {
      ...{ folder: 'string', crawlers: 'array', findOperator: 'function', now: 'function', signal: 'object' },
      ...{ onResult: 'function', userAgent: 'string', timeout: 'number', allowPrivateAddresses: 'boolean' },
    },
    ['folder', 'userAgent'],
  );
  const { folder, crawlers = CRAWLER_RECORDS, findOperator: find = findOperator, signal, onResult } = options;
  const { userAgent, timeout, allowPrivateAddresses, now = Date.now } = options;
  const day = new Date(now()).toISOString().slice(0, 10);
  makeFolder(folder);
  const stored = new Map((await listRangeFiles(folder)).map((file) => [file.crawler, file]));
  const owners = listOwners(crawlers, find);
  const requests = new DocumentRequests({ userAgent, timeout, allowPrivateAddresses });
  try {
    const lists = await fetchLists(requests, owners, signal);
    const results: UpdateResult[] = [];
    for (const { crawler, urls } of owners) {
      const own = combine(urls.map(([url]) => lists.get(url) as FetchedList | UnusableList));
      const result =
        'error' in own
          ? { crawler, error: own.error }
          : await storeList({ folder, crawler, day, lists: own.lists, last: stored.get(crawler) });
      onResult?.(result);
      results.push(result);
    }
    return results;
  } finally {
    await requests.close();
  }
}

type Source = readonly [url: string, format: RangeFormat];

/** A crawler, and its lists. */
interface Owner {
  readonly crawler: string;
  readonly urls: readonly Source[];
}

interface UnusableList {
  readonly error: string;
}

function listOwners(crawlers: readonly CrawlerRecord[], find: OperatorFinder): Owner[] {
  const owners = crawlers.flatMap(({ token, name = token }) => {
    const methods = find(token)?.verification ?? [];
    const urls = methods.flatMap((each): Source[] => ('ranges' in each ? [[each.ranges, each.format]] : []));
    return urls.length === 0 ? [] : [{ crawler: name, urls }];
  });
  return owners.sort((a, b) => (a.crawler.toLowerCase() < b.crawler.toLowerCase() ? -1 : 1));
}

/** Fetches each URL once. */
async function fetchLists(
  requests: DocumentRequests,
  owners: readonly Owner[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, FetchedList | UnusableList>> {
  const sources = [...new Map(owners.flatMap(({ urls }) => urls))];
  const lists = new Map<string, FetchedList | UnusableList>();
  for (let start = 0; start < sources.length; start += CONCURRENCY) {
    const fetched = sources.slice(start, start + CONCURRENCY).map(async ([url, format]) => {
      lists.set(url, await fetchList(requests, url, format, signal));
    });
    await Promise.all(fetched);
  }
  return lists;
}

async function fetchList(
  requests: DocumentRequests,
  url: string,
  format: RangeFormat,
  signal: AbortSignal | undefined,
): Promise<FetchedList | UnusableList> {
  try {
    const bytes = await requests.get(url, { maxBytes: MAX_RANGE_BYTES, maxRedirects: MAX_REDIRECTS, signal });
    const sha256 = toDigest(bytes);
    return { url, sha256, ...parseRangeFile(bytes, format) };
  } catch (error) {
    if (error instanceof DocumentError || error instanceof RangeFileError)
      return { error: `${url}: ${error.message}` };
    throw error;
  }
}

/** All lists of a crawler, or why one of them cannot be used: without it, genuine requests would seem to be spoofed. */
function combine(
  lists: readonly (FetchedList | UnusableList)[],
): { readonly lists: readonly FetchedList[] } | UnusableList {
  const usable: FetchedList[] = [];
  let prefixes = 0;
  for (const list of lists) {
    if ('error' in list) return list;
    usable.push(list);
    prefixes += list.prefixes.length;
  }
  if (prefixes > MAX_PREFIXES) return { error: `the lists have more than ${MAX_PREFIXES} prefixes` };
  return { lists: usable };
}

async function storeList({
  folder,
  crawler,
  day,
  lists,
  last,
}: {
  readonly folder: string;
  readonly crawler: string;
  readonly day: string;
  readonly lists: readonly FetchedList[];
  /** The last list that is stored. */
  readonly last: ListFile | undefined;
}): Promise<UpdateResult> {
  const prefixes = lists.flatMap((list) => list.prefixes);
  const isChanged = (await readPrefixes(last)) !== toText(prefixes);
  await writeListFile(folder, { crawler, day, content: formatList(lists) });
  return { crawler, day, prefixes: prefixes.length, isChanged };
}

/** Returns the prefixes of a stored list; `undefined` if it cannot be read. */
async function readPrefixes(file: ListFile | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return toText(parseRangeFile((await readListFile(file)).bytes, file.format).prefixes);
  } catch (error) {
    if (error instanceof RangeFileError) return undefined;
    throw error;
  }
}

function toText(prefixes: readonly ListedPrefix[]): string {
  return prefixes.map(formatPrefix).sort().join();
}

/** Formats a list (draft-illyes-webbotauth-jafar-00) with its sources. */
function formatList(lists: readonly FetchedList[]): string {
  const times = lists.flatMap(({ creationTime }) => (creationTime === null ? [] : [creationTime]));
  const list = {
    formatVersion: '1.0',
    synctoken: lists.map(({ sha256 }) => sha256.slice(0, 16)).join('-'),
    ...(times.length > 0 && { creationTime: new Date(Math.min(...times)).toISOString() }),
    sources: lists.map(({ url, sha256 }) => ({ url, sha256 })),
    prefixes: lists.flatMap(({ prefixes }) =>
      prefixes.map((prefix) => ({
        [prefix.family === 4 ? 'ipv4Prefix' : 'ipv6Prefix']: formatPrefix(prefix),
        ...(prefix.service !== null && { service: prefix.service }),
      })),
    ),
  };
  return `${JSON.stringify(list, null, 1)}\n`;
}
