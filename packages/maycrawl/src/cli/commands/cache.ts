// `maycrawl cache`: the stored responses of sites.

import type { EntryUsage, FullStore, OriginHistory } from '@maycrawl/client';
import { type DatabaseError, MemoryStore } from '@maycrawl/client/store';
import { createOutageReport, formatTime } from '../../reports/policy.ts';
import { formatCount } from '../../text/counts.ts';
import { visible, visibleLines } from '../../text/printable.ts';
import { formatSize } from '../../text/sizes.ts';
import { parseOrigin } from '../input/origin.ts';
import { hasStore, openStore } from '../input/response-store.ts';
import { CommandError } from '../output/errors.ts';
import { printJson, printLine } from '../output/standard-output.ts';
import type { CacheClearOptions, CacheOptions, CachePruneOptions } from './options.ts';

const COLUMNS = ['site', 'response', 'bytes', 'size', 'fetched', 'fresh until', 'outage since', 'used'];

/** Number of origins of one query. */
const PAGE = 500;

/** Lists the stored sites. @returns the exit code, 0. */
export async function listCache(options: CacheOptions): Promise<number> {
  return withStore(options, async (store) => {
    const rows: string[][] = [];
    for await (const origin of listOrigins(store)) {
      const history = await store.get(origin);
      // Deleted meanwhile, or damaged: the next use fetches it again.
      if (history === undefined) continue;
      const usage = await store.getUsage(origin);
      if (options.json) printJson({ origin, ...describe(history), ...describeUsage(usage) });
      else rows.push(toRow(origin, history, usage));
    }
    if (options.json) return 0;
    await print(COLUMNS, rows);
    const { origins, bytes } = await store.stats();
    printLine(`\n${formatCount(origins, 'site')}, ${formatSize(bytes)}`);
    return 0;
  });
}

/** Prints the stored file of a site, or why there is none. @returns the exit code, 0. @throws {CommandError} if nothing is stored. */
export async function showCache(url: string, options: CacheOptions): Promise<number> {
  const origin = parseOrigin(url);
  return withStore(options, async (store) => {
    const history = await store.get(origin);
    if (history === undefined) throw new CommandError(`nothing is stored for ${visible(origin)}`);
    const { response } = history;
    const usage = await store.getUsage(origin);
    if (options.json) {
      const content = response?.kind === 'successful' ? Buffer.from(response.bytes).toString('utf8') : null;
      printJson({ origin, ...describe(history), ...describeUsage(usage), content });
      return 0;
    }
    await print(COLUMNS, [toRow(origin, history, usage)]);
    if (history.outage !== null) printLine(`\n${visible(history.outage.message)}`);
    if (response?.kind === 'successful') {
      printLine(`\n${visibleLines(response.bytes)}`);
    }
    return 0;
  });
}

/** Prints the events of a site. @returns the exit code, 0. @throws {CommandError} if there are none. */
export async function showHistory(url: string, options: CacheOptions): Promise<number> {
  const origin = parseOrigin(url);
  return withStore(options, async (store) => {
    const events = await store.events(origin);
    if (events.length === 0) throw new CommandError(`nothing is stored for ${visible(origin)}`);
    if (options.json) for (const event of events) printJson({ ...event, at: formatTime(event.at) });
    else {
      const rows = events.map(({ at, kind, status, code, bytes, hash }) => [
        formatTime(at) ?? '-',
        kind,
        status ?? '-',
        code ?? '-',
        bytes,
        String(hash ?? '-').slice(0, 12),
      ]);
      await print(['time', 'result', 'status', 'code', 'bytes', 'SHA-256'], rows);
    }
    return 0;
  });
}

/** Removes one site, or all sites. @returns the exit code, 0. */
export async function clearCache(url: string | undefined, options: CacheClearOptions): Promise<number> {
  const origin = url === undefined ? undefined : parseOrigin(url);
  return withStore(options, async (store) => {
    const count = await store.delete(origin);
    printLine(`${formatCount(count, 'site')} removed`);
    return 0;
  });
}

/** Evicts responses beyond the limits and unused ones. @returns the exit code, 0. */
export async function pruneCache(options: CachePruneOptions): Promise<number> {
  try {
    return await prune(options, false);
  } catch (error) {
    const { code } = (error instanceof CommandError ? error.cause : error) as Partial<DatabaseError>;
    if (code !== 'database-full') throw error;
    // If another process uses the file, the first error says what to do.
    return prune(options, true).catch(() => {
      throw error;
    });
  }
}

/** @param isDiskFull - whether the store must be pruned without further space. */
function prune({ database, ...limits }: CachePruneOptions, isDiskFull: boolean): Promise<number> {
  return withStore({ database, isDiskFull }, async (store) => {
    const { removed, removedBytes, origins, bytes } = await store.prune(limits);
    const left = `${formatCount(origins, 'site')}, ${formatSize(bytes)} left`;
    printLine(`${formatCount(removed, 'site')} removed, ${formatSize(removedBytes)}; ${left}`);
    return 0;
  });
}

async function withStore(
  {
    database: name,
    isDiskFull = false,
  }: { readonly database?: string | undefined; readonly isDiskFull?: boolean },
  work: (store: FullStore) => Promise<number>,
): Promise<number> {
  if (name === 'none')
    throw new CommandError('--database none stores nothing: give a file or a postgres:// URL');
  if (name !== undefined && name !== '' && !hasStore(name))
    throw new CommandError(`the database ${visible(name)} does not exist`);
  // Neither creates the default store, nor counts as a use of an entry.
  const store =
    name === undefined && !hasStore(name)
      ? new MemoryStore()
      : await openStore(name, { countsReads: false, isDiskFull });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function* listOrigins(store: FullStore): AsyncGenerator<string> {
  for (let page = await store.list(PAGE); page.length > 0; page = await store.list(PAGE, page.at(-1)))
    yield* page;
}

function describe(history: OriginHistory): object {
  const { response, outage } = history;
  return {
    response: response?.kind ?? null,
    status: response?.status ?? null,
    bytes: response?.bytes.length ?? 0,
    fetchedAt: formatTime(response?.fetchedAt),
    staleAt: formatTime(response?.staleAt),
    hops: response?.hops ?? [],
    timings: response?.timings ?? null,
    outage: outage && {
      ...createOutageReport(history),
      status: outage.status,
      code: outage.code,
      message: outage.message,
      hops: outage.hops,
      timings: outage.timings,
    },
  };
}

function describeUsage(usage: EntryUsage | undefined): object {
  return { size: usage?.bytes ?? 0, usedAt: formatTime(usage?.usedAt) };
}

function toRow(origin: string, { response, outage }: OriginHistory, usage: EntryUsage | undefined): string[] {
  return [
    origin,
    response?.kind ?? 'none',
    String(response?.bytes.length ?? 0),
    String(usage?.bytes ?? 0),
    formatTime(response?.fetchedAt) ?? '-',
    formatTime(response?.staleAt) ?? '-',
    outage === null ? '-' : `${formatTime(outage.since)} (${outage.failures} failures)`,
    formatTime(usage?.usedAt) ?? '-',
  ];
}

/** Prints a table. Other programs can write to the store, so its values are escaped. */
async function print(head: readonly string[], rows: readonly (string | number)[][]): Promise<void> {
  const { printTable } = await import('../output/table.ts');
  printTable(
    head,
    rows.map((row) => row.map((cell) => visible(String(cell)))),
  );
}
