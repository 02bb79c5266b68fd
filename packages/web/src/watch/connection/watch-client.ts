// Requests to `/v1/watch/…`, and responses that stay up to date.
import type { WatchResponse, WatchRoute } from 'maycrawl/api';
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Result, requestJson } from '../../shared/requests/service.ts';
import type { LiveMessage, LiveStream } from './live-stream.ts';

export type Query = Readonly<Record<string, string | number>>;

export type WatchRequest = <Route extends WatchRoute>(
  route: Route,
  query: Query,
  body?: object,
) => Promise<Result<WatchResponse<Route>>>;

/** What all views share. */
export interface WatchClient {
  readonly request: WatchRequest;
  readonly live: LiveStream;
}

/** Gives views the client. */
export const WatchClientContext: preact.Context<WatchClient | null> = createContext<WatchClient | null>(null);

/** The client of the view. @throws {Error} outside of {@link WatchClientContext}. */
export function useWatchClient(): WatchClient {
  const client = useContext(WatchClientContext);
  if (client === null) throw new Error('there is no WatchClientContext');
  return client;
}

/** Bytes of a response, which may contain a URL list of 8 MB as JSON. */
const MAX_RESPONSE = 32 * 1024 * 1024;

/** Creates a request function. @param onTokenRequired - called for each response with status 401. */
export function createRequest(onTokenRequired: (message: string) => void): WatchRequest {
  return async <Route extends WatchRoute>(route: Route, query: Query, body?: object) => {
    const [method = '', path = ''] = route.split(' ');
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    );
    const url = `v1/watch/${path}${parameters.size > 0 ? `?${parameters}` : ''}`;
    const result = await requestJson(url, { method, body, maxBytes: MAX_RESPONSE });
    if (result.kind === 'problem' && result.status === 401) onTokenRequired(result.message);
    // The page and the service are of the same release.
    return result as Result<WatchResponse<Route>>;
  };
}

/** Messages arrive in bursts: milliseconds between two requests for the same response, at least. */
const MIN_PAUSE = 2_000;
/** And a multiple of the time that the last request took. */
const PAUSE_FACTOR = 10;

/**
 * Requests a route, and requests it again when it may have changed.
 *
 * @param isAffectedBy - whether a message of the live stream is a reason to do so.
 * @returns the last result, `null` before the first; and a function that requests it now.
 */
export function useResponse<Route extends WatchRoute>(
  route: Route,
  query: Query,
  isAffectedBy: (message: LiveMessage) => boolean,
): readonly [Result<WatchResponse<Route>> | null, () => void] {
  const { request, live } = useWatchClient();
  const [result, setResult] = useState<Result<WatchResponse<Route>> | null>(null);
  const key = JSON.stringify([route, query]);
  const current = useRef(key);
  const latest = useRef(isAffectedBy);
  latest.current = isAffectedBy;
  const duration = useRef(0);
  const load = useCallback(async () => {
    const start = performance.now();
    const next = await request(route, query);
    if (current.current !== key) return;
    duration.current = performance.now() - start;
    // A response stays when only the next request fails.
    const replaces = next.kind === 'success' || next.status === 404 || next.status === 401;
    setResult((last) => (last?.kind !== 'success' || replaces ? next : last));
  }, [request, key]);
  useEffect(() => {
    current.current = key;
    void load();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = live.subscribe((message) => {
      if (timer !== undefined || !latest.current(message)) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          void load();
        },
        Math.max(MIN_PAUSE, PAUSE_FACTOR * duration.current),
      );
    });
    return () => {
      // A response that arrives later belongs to another query.
      current.current = '';
      clearTimeout(timer);
      unsubscribe();
    };
  }, [load, live]);
  return [result, load];
}
