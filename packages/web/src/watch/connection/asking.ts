/**
 * Asking the service, and what the page does with its answers.
 *
 * @module
 */
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { dropToken, headersWithToken, problemOf } from '../../shared/service.ts';
import { readAll } from '../../tester/state/share-link.ts';
import type { Live, News } from './live.ts';

/** What came of a question. */
export type Reply<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'problem'; readonly message: string; readonly status: number | null };

export type Query = Readonly<Record<string, string | number>>;

/** Asks, or changes something if there is a body or a method. */
export type Ask = <Answer>(path: string, query: Query, change?: Change) => Promise<Reply<Answer>>;

interface Change {
  readonly method: 'POST' | 'DELETE';
  readonly body?: object;
}

/** What all views share. */
export interface Service {
  readonly ask: Ask;
  readonly live: Live;
}

/** Where views find it. */
export const ServiceContext: preact.Context<Service | null> = createContext<Service | null>(null);

export function useService(): Service {
  const service = useContext(ServiceContext);
  if (service === null) throw new Error('there is no service here');
  return service;
}

/** An answer holds a URL list of at most 8 MB, as JSON. */
const MAX_ANSWER = 32 * 1024 * 1024;

/** Makes what asks. @param onTokenNeeded - is called when the service wants one. */
export function makeAsk(onTokenNeeded: () => void): Ask {
  return async <Answer>(path: string, query: Query, change?: Change): Promise<Reply<Answer>> => {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    );
    const body = change?.body === undefined ? undefined : JSON.stringify(change.body);
    try {
      const response = await fetch(`v1/watch/${path}${parameters.size > 0 ? `?${parameters}` : ''}`, {
        method: change?.method ?? 'GET',
        headers: headersWithToken({
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        }),
        ...(body !== undefined && { body }),
      });
      const bytes = response.body === null ? new Uint8Array() : await readAll(response.body, MAX_ANSWER);
      if (response.status === 401) {
        dropToken();
        onTokenNeeded();
        return { kind: 'problem', message: 'The service wants a token.', status: 401 };
      }
      const json: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
      const { ok, status } = response;
      if (!ok) return { kind: 'problem', message: problemOf(json, status), status };
      return { kind: 'answer', answer: json as Answer };
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      return { kind: 'problem', message: `The service did not answer: ${what}`, status: null };
    }
  };
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
  query: Query,
  concerns: (news: News) => boolean,
): readonly [Reply<Answer> | null, () => void] {
  const { ask, live } = useService();
  const [reply, setReply] = useState<Reply<Answer> | null>(null);
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
