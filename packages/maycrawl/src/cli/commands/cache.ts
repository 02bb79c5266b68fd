/**
 * `maycrawl cache`: what is kept of sites.
 *
 * @module
 */

import type { EntryUsage, FullStore, OriginHistory } from '@maycrawl/client';
import { MemoryStore } from '@maycrawl/client/store';
import { createOutageReport, formatTime } from '../../reports/policy.ts';
import { formatCount } from '../../text/counts.ts';
import { visible } from '../../text/printable.ts';
import { parseOrigin } from '../input/origin.ts';
import { hasStore, openStore } from '../input/response-store.ts';
import { CommandError } from '../output/errors.ts';
import { printJson, printLine } from '../output/standard-output.ts';

export interface CacheOptions {
  readonly database?: string;
  readonly json?: boolean;
}

export interface CachePruneOptions {
  readonly database?: string;
  readonly maxBytes?: number;
  readonly maxOrigins?: number;
  /** Milliseconds. */
  readonly maxAge?: number;
}

/** The columns of a list. */
const COLUMNS = ['site', 'response', 'bytes', 'size', 'fetched', 'fresh until', 'outage since', 'used'];

/** How many origins are read from the store at a time. */
const PAGE = 500;

/** Lists the sites of which something is kept. @returns the exit code, 0. */
export async function listCache(options: CacheOptions): Promise<number> {
  return withStore(options, async (store) => {
    const rows: string[][] = [];
    for await (const origin of originsOf(store)) {
      const history = await store.get(origin);
      // Deleted meanwhile, or damaged: then it is asked for again.
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

/** Shows what is kept of a site: the file as it is, or why there is none. @returns 0, or 2 if nothing is. */
export async function showCache(url: string, options: CacheOptions): Promise<number> {
  const origin = parseOrigin(url);
  return withStore(options, async (store) => {
    const history = await store.get(origin);
    if (history === undefined) throw new CommandError(`nothing is kept of ${visible(origin)}`);
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
      const lines = Buffer.from(response.bytes)
        .toString('utf8')
        .split(/\r\n|\r|\n/);
      printLine(`\n${lines.map(visible).join('\n')}`);
    }
    return 0;
  });
}

/** Shows what happened to a site. @returns 0, or 2 if nothing is known of it. */
export async function showHistory(url: string, options: CacheOptions): Promise<number> {
  const origin = parseOrigin(url);
  return withStore(options, async (store) => {
    const events = await store.events(origin);
    if (events.length === 0) throw new CommandError(`nothing is kept of ${visible(origin)}`);
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

/** Forgets a site, or all. @returns the exit code, 0. */
export async function clearCache(url: string | undefined, options: CacheOptions): Promise<number> {
  const origin = url === undefined ? undefined : parseOrigin(url);
  return withStore(options, async (store) => {
    const count = await store.delete(origin);
    printLine(`${formatCount(count, 'site')} forgotten`);
    return 0;
  });
}

/** Evicts what exceeds the limits, and what was not used for long. @returns the exit code, 0. */
export async function pruneCache({ database, ...limits }: CachePruneOptions): Promise<number> {
  return withStore({ database }, async (store) => {
    const { removed, removedBytes, origins, bytes } = await store.prune(limits);
    const left = `${formatCount(origins, 'site')}, ${formatSize(bytes)} left`;
    printLine(`${formatCount(removed, 'site')} removed, ${formatSize(removedBytes)}; ${left}`);
    return 0;
  });
}

function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

async function withStore(
  { database: name }: { readonly database?: string | undefined },
  work: (store: FullStore) => Promise<number>,
): Promise<number> {
  if (name === 'none')
    throw new CommandError('--database none stores nothing: name a file or a postgres:// URL');
  if (name !== undefined && name !== '' && !hasStore(name))
    throw new CommandError(`there is no database ${visible(name)}`);
  // To look into the default one is no reason to make it, and to look at an entry is not to use it.
  const store =
    name === undefined && !hasStore(name) ? new MemoryStore() : await openStore(name, { countsReads: false });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function* originsOf(store: FullStore): AsyncGenerator<string> {
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
    freshUntil: formatTime(response?.freshUntil),
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
    formatTime(response?.freshUntil) ?? '-',
    outage === null ? '-' : `${formatTime(outage.since)} (${outage.failures} failures)`,
    formatTime(usage?.usedAt) ?? '-',
  ];
}

/** Prints rows of values from the store, which other programs can write too. */
async function print(head: readonly string[], rows: readonly (string | number)[][]): Promise<void> {
  const { printTable } = await import('../output/table.ts');
  printTable(
    head,
    rows.map((row) => row.map((cell) => visible(String(cell)))),
  );
}
