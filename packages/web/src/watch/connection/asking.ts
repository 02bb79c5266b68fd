/**
 * Asking the service, and what the page does with its answers.
 *
 * @module
 */
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { ApiQuery, ApiReply, CallApi } from '../../shared/api.ts';
import type { Live, News } from './live.ts';

/** What all views share. */
export interface Service {
  readonly ask: CallApi;
  readonly live: Live;
}

/** Where views find it. */
export const ServiceContext: preact.Context<Service | null> = createContext<Service | null>(null);

export function useService(): Service {
  const service = useContext(ServiceContext);
  if (service === null) throw new Error('there is no service here');
  return service;
}

/** News come in showers; the service is asked again no more often than this, in milliseconds. */
const PAUSE = 2_000;
/** And no more than a part of the time: what takes long is asked for less often. */
const SHARE = 10;

/**
 * An answer that stays up to date.
 *
 * @param concerns - whether news are a reason to ask again.
 * @returns what came last, `null` at first; and how to ask again.
 */
export function useAnswer<Answer>(
  path: string,
  query: ApiQuery,
  concerns: (news: News) => boolean,
): readonly [ApiReply<Answer> | null, () => void] {
  const { ask, live } = useService();
  const [reply, setReply] = useState<ApiReply<Answer> | null>(null);
  const key = JSON.stringify([path, query]);
  const current = useRef(key);
  const latest = useRef(concerns);
  latest.current = concerns;
  const took = useRef(0);
  const load = useCallback(async () => {
    const start = performance.now();
    const came = await ask<Answer>(path, query);
    if (current.current !== key) return;
    took.current = performance.now() - start;
    // What is known stays where it only cannot be asked again now.
    const counts = came.kind === 'answer' || came.status === 404 || came.status === 401;
    setReply((known) => (known?.kind !== 'answer' || counts ? came : known));
  }, [ask, key]);
  useEffect(() => {
    current.current = key;
    void load();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = live.listen((news) => {
      if (timer !== undefined || !latest.current(news)) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          void load();
        },
        Math.max(PAUSE, SHARE * took.current),
      );
    });
    return () => {
      // What comes later is no answer to the question then.
      current.current = '';
      clearTimeout(timer);
      stop();
    };
  }, [load, live]);
  return [reply, load];
}
