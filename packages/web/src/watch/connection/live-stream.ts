// The server-sent events of `/v1/watch/live`. EventSource cannot send a token, so the stream is parsed here.
import type { WatchJson } from 'maycrawl/api';
import { addToken } from '../../shared/requests/service.ts';

/** A message of the stream. Without origins it may concern every site. */
export interface LiveMessage {
  readonly kind: 'hello' | 'event' | 'checked' | 'many';
  readonly origins: readonly string[];
  /** Of an event. */
  readonly severity: string | null;
}

export type LiveState = 'connecting' | 'live' | 'disconnected';

/** Milliseconds without any data after which the connection counts as lost. */
const MAX_SILENCE = 45_000;
/** Milliseconds until the first attempt to reconnect, which double up to a limit. */
const [FIRST_PAUSE, MAX_PAUSE] = [1_000, 30_000];
/** Characters of a message that is not complete. */
const MAX_BUFFER = 1_000_000;

/** One connection for all views of the page. */
export class LiveStream {
  readonly #listeners: Set<(message: LiveMessage) => void> = new Set();
  readonly #onState: (state: LiveState) => void;
  #controller: AbortController | null = null;
  #lastId: string | null = null;

  constructor(onState: (state: LiveState) => void) {
    this.#onState = onState;
  }

  /** Calls a function for every message. @returns a function that ends this. */
  subscribe(listener: (message: LiveMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Connects, or connects anew. */
  start(): void {
    this.stop();
    const controller = new AbortController();
    this.#controller = controller;
    void this.#run(controller.signal);
  }

  stop(): void {
    this.#controller?.abort();
    this.#controller = null;
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let pause = FIRST_PAUSE; !signal.aborted; ) {
      this.#onState('connecting');
      const wasLive = await this.#readStream(signal).catch(() => false);
      if (signal.aborted) return;
      this.#onState('disconnected');
      pause = wasLive ? FIRST_PAUSE : Math.min(pause * 2, MAX_PAUSE);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Reads the stream to its end. @returns whether a message arrived. */
  async #readStream(stopped: AbortSignal): Promise<boolean> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), MAX_SILENCE);
    const headers = addToken({
      accept: 'text/event-stream',
      ...(this.#lastId !== null && { 'last-event-id': this.#lastId }),
    });
    let wasLive = false;
    try {
      const signal = AbortSignal.any([stopped, silence.signal]);
      const { ok, body } = await fetch('v1/watch/live', { headers, signal });
      if (!ok || body === null) return false;
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      let buffer = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done || buffer.length > MAX_BUFFER) return wasLive;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), MAX_SILENCE);
        const messages = (buffer + value).split('\n\n');
        buffer = messages.pop() ?? '';
        for (const message of messages) this.#dispatch(message);
        if (messages.length > 0 && !wasLive) this.#onState('live');
        wasLive ||= messages.length > 0;
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  #dispatch(text: string): void {
    const fields = new Map(
      text.split('\n').map((line) => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)];
      }),
    );
    this.#lastId = fields.get('id') ?? this.#lastId;
    const kind = fields.get('event');
    if (kind !== 'hello' && kind !== 'event' && kind !== 'checked' && kind !== 'many') return;
    const { origin, origins, severity } = parseData(fields.get('data') ?? '');
    const message: LiveMessage = {
      kind,
      origins: Array.isArray(origins) ? origins.map(String) : typeof origin === 'string' ? [origin] : [],
      severity: typeof severity === 'string' ? severity : null,
    };
    for (const listener of this.#listeners) listener(message);
  }
}

type LiveData = Partial<WatchJson<'LiveEvent'> & WatchJson<'LiveChecks'>>;

function parseData(text: string): LiveData {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? (data as LiveData) : {};
  } catch {
    return {};
  }
}

/** Whether a message may concern a site. */
export function concernsSite(origin: string): (message: LiveMessage) => boolean {
  return ({ kind, origins }) => kind === 'hello' || kind === 'many' || origins.includes(origin);
}
