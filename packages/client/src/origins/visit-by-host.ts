// Groups URLs by host and site: several hosts are visited at the same time, the sites of one host one after another. URLs are read
// only as the consumer takes results.
import { quoteValue } from '@maycrawl/core/internal';
import { getOrigin, toUrlText, type UrlInput } from '@maycrawl/core/url';
import { sleepUnlessAborted } from '../event-loop/abort.ts';
import { timeSlices } from '../event-loop/time-slice.ts';

/** The maximum number of URLs that are read ahead of the results. */
const MAX_PENDING = 10_000;

/** How the URLs of a list are visited. */
export interface VisitOptions {
  /** The number of hosts that are visited at the same time. */
  readonly concurrency: number;
  /** Milliseconds between two sites of the same host. */
  readonly spacing: number;
  /** Its abort ends the visits. */
  readonly signal?: AbortSignal | undefined;
}

/** URLs of one site, in the order of the input. */
interface Batch {
  readonly hostname: string;
  readonly origin: string;
  readonly urls: string[];
}

/** Waiting URLs, by host and site. */
class SiteBatches {
  readonly #hosts: Map<string, { readonly sites: Map<string, string[]>; isBusy: boolean }> = new Map();
  /** Hosts with waiting URLs that are not being visited. */
  readonly #ready: Set<string> = new Set();

  add(origin: string, url: string): void {
    const { hostname } = new URL(origin);
    const host = this.#hosts.get(hostname) ?? { sites: new Map<string, string[]>(), isBusy: false };
    this.#hosts.set(hostname, host);
    const urls = host.sites.get(origin);
    if (urls === undefined) host.sites.set(origin, [url]);
    else urls.push(url);
    if (!host.isBusy) this.#ready.add(hostname);
  }

  /** Takes the URLs of one site. Its host is busy until it is released. */
  take(): Batch | undefined {
    const [hostname = ''] = this.#ready;
    const host = this.#hosts.get(hostname);
    const [site] = host?.sites ?? [];
    if (host === undefined || site === undefined) return undefined;
    const [origin, urls] = site;
    this.#ready.delete(hostname);
    host.sites.delete(origin);
    host.isBusy = true;
    return { hostname, origin, urls };
  }

  release(hostname: string): void {
    const host = this.#hosts.get(hostname);
    if (host === undefined) return;
    host.isBusy = false;
    if (host.sites.size > 0) this.#ready.add(hostname);
    else this.#hosts.delete(hostname);
  }
}

/**
 * Visits the sites of URLs.
 *
 * @param visit - converts the URLs of one site to results. It may throw only if the signal has aborted.
 * @param refuse - converts a URL without an origin, and the error, to a result.
 * @throws the error of `urls`, and the signal's reason if it aborts.
 */
export function visitByHost<T>(
  urls: Iterable<UrlInput> | AsyncIterable<UrlInput>,
  visit: (origin: string, urls: readonly string[]) => Promise<T[]>,
  refuse: (url: string, error: unknown) => T,
  options: VisitOptions,
): AsyncGenerator<T, void, undefined> {
  // The characters of a string are no URLs.
  if (typeof urls !== 'object' || urls === null || !(Symbol.asyncIterator in urls || Symbol.iterator in urls))
    throw new TypeError(`URLs must be an iterable, such as an array, not ${quoteValue(urls)}`);
  return visitAll(urls, visit, refuse, options);
}

async function* visitAll<T>(
  urls: Iterable<UrlInput> | AsyncIterable<UrlInput>,
  visit: (origin: string, urls: readonly string[]) => Promise<T[]>,
  refuse: (url: string, error: unknown) => T,
  { concurrency, spacing, signal }: VisitOptions,
): AsyncGenerator<T, void, undefined> {
  const batches = new SiteBatches();
  const results: T[] = [];
  const input = Symbol.asyncIterator in urls ? urls[Symbol.asyncIterator]() : urls[Symbol.iterator]();
  let isOver = false;
  let active = 0;
  let pending = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  const fail = (error: unknown): void => {
    failure ??= { error };
    wake();
  };

  const read = async (): Promise<void> => {
    while (!isOver && pending < MAX_PENDING) {
      const next = await input.next();
      if (next.done) isOver = true;
      else {
        pending++;
        try {
          const url = toUrlText(next.value);
          batches.add(getOrigin(url), url);
        } catch (error) {
          results.push(refuse(describeUrl(next.value), error));
        }
      }
      wake();
      if (timeSlices.isUsedUp()) await timeSlices.giveWay();
    }
  };
  const work = async ({ hostname, origin, urls: own }: Batch): Promise<void> => {
    try {
      for (const result of await visit(origin, own)) results.push(result);
      active--;
      wake();
      if (spacing > 0) await sleepUnlessAborted(spacing, stopping);
    } finally {
      batches.release(hostname);
      wake();
    }
  };

  const stop = new AbortController();
  const stopping = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  let reading: Promise<void> | undefined;
  const abort = (): void => fail(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (failure !== undefined) throw failure.error;
      if (results.length > 0) {
        const ready = results.splice(0);
        pending -= ready.length;
        yield* ready;
        continue;
      }
      if (!isOver && reading === undefined && pending < MAX_PENDING)
        reading = read().then(
          () => {
            reading = undefined;
            wake();
          },
          (error: unknown) => {
            // A failed input has ended.
            isOver = true;
            fail(error);
          },
        );
      while (active < concurrency) {
        const batch = batches.take();
        if (batch === undefined) break;
        active++;
        work(batch).catch(fail);
      }
      if (isOver && pending === 0) return;
      await woken;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    const isRead = isOver;
    isOver = true;
    stop.abort();
    // The consumer takes no more results. An open input may own resources such as a file.
    const closed = isRead ? undefined : input.return?.();
    // A generator closes when its pending value has arrived, which may never happen.
    if (reading === undefined) await closed;
    else if (closed !== undefined) Promise.resolve(closed).catch(() => {});
  }
}

/** Returns what a result of an invalid URL has in its place. */
function describeUrl(value: unknown): string {
  const url = typeof value === 'object' && value !== null && 'href' in value ? value.href : value;
  return typeof url === 'string' ? url : quoteValue(url);
}
