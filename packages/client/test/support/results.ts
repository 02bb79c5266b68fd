import type { Fetcher } from '../../src/origins/fetch-origin.ts';

/** The result of a fetch. */
export type Result = Awaited<ReturnType<Fetcher>>;

const details = (url: string) => ({ headers: null, hops: [{ url, status: 200 }], timings: { total: 1 } });

/** The result of a fetch of a file. */
export function createFile(text: string, url = 'http://a.example/robots.txt') {
  return { kind: 'successful', bytes: new TextEncoder().encode(text), ...details(url) } as const;
}

/** The result of a fetch that fails without a response. */
export function createUnreachable(code: 'network' | 'private-address' = 'network') {
  return {
    kind: 'unreachable',
    code,
    message: code,
    headers: null,
    hops: [],
    timings: { total: 1 },
  } as const;
}

/** A fetcher that returns the same file for each URL. */
export function fetchText(text: string): Fetcher {
  return async (url) => createFile(text, url);
}
