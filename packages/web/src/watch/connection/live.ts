/**
 * What happens, as it happens. The browser's own EventSource cannot send a token, so the stream is read here.
 *
 * @module
 */
import { headersWithToken } from '../../shared/service.ts';

/** Something that happened; `origins` is empty where it may concern every site. */
export interface News {
  readonly kind: 'hello' | 'event' | 'checked' | 'many';
  readonly origins: readonly string[];
  /** How bad it is, for events. */
  readonly severity: string | null;
}

export type LiveState = 'connecting' | 'live' | 'away';

/** Milliseconds: how long nothing may come, and how long to wait before it is tried again. */
const SILENCE = 45_000;
const [FIRST_PAUSE, LONGEST_PAUSE] = [1_000, 30_000];
/** Characters of a message that has not ended. */
const MAX_WAITING = 1_000_000;

/** The stream of the service, for all who listen on this page. */
export class Live {
  readonly #listeners: Set<(news: News) => void> = new Set();
  readonly #onState: (state: LiveState) => void;
  #controller: AbortController | null = null;
  #lastId: string | null = null;

  constructor(onState: (state: LiveState) => void) {
    this.#onState = onState;
  }

  /** Hears of everything from now on. @returns what ends it. */
  listen(listener: (news: News) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Begins, or begins anew. */
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
      const wasLive = await this.#hear(signal).catch(() => false);
      if (signal.aborted) return;
      this.#onState('away');
      pause = wasLive ? FIRST_PAUSE : Math.min(pause * 2, LONGEST_PAUSE);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Listens until the stream ends. @returns whether anything came. */
  async #hear(stopped: AbortSignal): Promise<boolean> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE);
    const headers = headersWithToken({
      accept: 'text/event-stream',
      ...(this.#lastId !== null && { 'last-event-id': this.#lastId }),
    });
    let wasLive = false;
    try {
      const signal = AbortSignal.any([stopped, silence.signal]);
      const { ok, body } = await fetch('v1/watch/live', { headers, signal });
      if (!ok || body === null) return false;
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done || text.length > MAX_WAITING) return wasLive;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE);
        const messages = (text + value).split('\n\n');
        text = messages.pop() ?? '';
        for (const message of messages) this.#tell(message);
        if (messages.length > 0 && !wasLive) this.#onState('live');
        wasLive ||= messages.length > 0;
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  #tell(message: string): void {
    const fields = new Map(
      message.split('\n').map((line) => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)];
      }),
    );
    this.#lastId = fields.get('id') ?? this.#lastId;
    const kind = fields.get('event');
    if (kind !== 'hello' && kind !== 'event' && kind !== 'checked' && kind !== 'many') return;
    const { origin, origins, severity } = dataIn(fields.get('data') ?? '');
    const news: News = {
      kind,
      origins: Array.isArray(origins) ? origins.map(String) : typeof origin === 'string' ? [origin] : [],
      severity: typeof severity === 'string' ? severity : null,
    };
    for (const listener of this.#listeners) listener(news);
  }
}

function dataIn(text: string): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Whether news may be about a site. */
export function isAbout(origin: string): (news: News) => boolean {
  return ({ kind, origins }) => kind === 'hello' || kind === 'many' || origins.includes(origin);
}
