/**
 * `maycrawl cache`: what is kept of sites.
 *
 * @module
 */

import type { OriginHistory } from '../store/history.ts';
import { MemoryStore } from '../store/memory.ts';
import type { RobotsStore } from '../store/store.ts';
import { isThere, openStore } from './answer-store.ts';
import { CommandError } from './errors.ts';
import { parseOrigin } from './origin.ts';
import { toJson, visible } from './terminal.ts';

export interface CacheOptions {
  readonly store?: string;
  readonly json?: boolean;
}

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
      if (options.json) process.stdout.write(`${toJson({ origin, ...describe(history) })}\n`);
      else rows.push(rowOf(origin, history));
    }
    if (!options.json)
      await print(['site', 'kept', 'bytes', 'fetched', 'fresh until', 'failing since'], rows);
    return 0;
  });
}

/** Shows what is kept of a site: the file as it is, or why there is none. @returns 0, or 2 if nothing is. */
export async function showCache(url: string, options: CacheOptions): Promise<number> {
  const origin = parseOrigin(url);
  return withStore(options, async (store) => {
    const history = await store.get(origin);
    if (history === undefined) throw new CommandError(`nothing is kept of ${visible(origin)}`);
    const { answer } = history;
    if (options.json) {
      const content = answer?.kind === 'found' ? Buffer.from(answer.bytes).toString('utf8') : null;
      process.stdout.write(`${toJson({ origin, ...describe(history), content })}\n`);
      return 0;
    }
    await print(
      ['site', 'kept', 'bytes', 'fetched', 'fresh until', 'failing since'],
      [rowOf(origin, history)],
    );
    if (history.outage !== null) process.stdout.write(`\n${visible(history.outage.reason)}\n`);
    if (answer?.kind === 'found') {
      const lines = Buffer.from(answer.bytes)
        .toString('utf8')
        .split(/\r\n|\r|\n/);
      process.stdout.write(`\n${lines.map(visible).join('\n')}\n`);
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
    if (options.json)
      for (const event of events) process.stdout.write(`${toJson({ ...event, at: timeOf(event.at) })}\n`);
    else {
      const rows = events.map(({ at, kind, status, code, bytes, hash }) => [
        ...[timeOf(at), kind, String(status ?? '-'), code ?? '-', String(bytes), hash?.slice(0, 12) ?? '-'],
      ]);
      await print(['when', 'outcome', 'status', 'why', 'bytes', 'SHA-256'], rows);
    }
    return 0;
  });
}

/** Forgets a site, or all. @returns the exit code, 0. */
export async function clearCache(url: string | undefined, options: CacheOptions): Promise<number> {
  const origin = url === undefined ? undefined : parseOrigin(url);
  return withStore(options, async (store) => {
    const count = await store.delete(origin);
    process.stdout.write(`${count} ${count === 1 ? 'site' : 'sites'} forgotten\n`);
    return 0;
  });
}

async function withStore(
  { store: name }: CacheOptions,
  work: (store: RobotsStore) => Promise<number>,
): Promise<number> {
  if (name === 'none') throw new CommandError('--store none keeps nothing; name a file or a database');
  if (name !== undefined && name !== '' && !isThere(name))
    throw new CommandError(`there is no store ${visible(name)}`);
  // To look into the default one is no reason to make it.
  const store = name === undefined && !isThere(name) ? new MemoryStore() : await openStore(name);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function* originsOf(store: RobotsStore): AsyncGenerator<string> {
  for (let page = await store.list(PAGE); page.length > 0; page = await store.list(PAGE, page.at(-1)))
    yield* page;
}

function describe({ answer, outage }: OriginHistory): object {
  return {
    kept: answer?.kind ?? null,
    status: answer?.status ?? null,
    bytes: answer?.bytes.length ?? 0,
    fetched: answer && timeOf(answer.fetchedAt),
    freshUntil: answer && timeOf(answer.freshUntil),
    hops: answer?.hops ?? [],
    timings: answer?.timings ?? null,
    outage: outage && {
      ...{ since: timeOf(outage.since), failures: outage.failures, status: outage.status },
      ...{ code: outage.code, reason: outage.reason, hops: outage.hops, timings: outage.timings },
    },
  };
}

function rowOf(origin: string, { answer, outage }: OriginHistory): string[] {
  return [
    visible(origin),
    answer?.kind ?? 'nothing',
    String(answer?.bytes.length ?? 0),
    answer === null ? '-' : timeOf(answer.fetchedAt),
    answer === null ? '-' : timeOf(answer.freshUntil),
    outage === null ? '-' : `${timeOf(outage.since)} (${outage.failures} times)`,
  ];
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

async function print(head: readonly string[], rows: readonly string[][]): Promise<void> {
  const { printTable } = await import('./table.ts');
  printTable(head, rows);
}
