// What a crawler has fetched of the robots.txt of a site, as far as a log shows. The state is per crawler and site, not per address.
import type { Timeline, Version } from './timeline.ts';

/** A fetch of robots.txt. `read`: the crawler has the file. `absent`: there is none (4xx). `failed`: 5xx, 429 or no response. */
export type FetchKind = 'read' | 'absent' | 'failed';

/** The last fetch of a crawler. */
export interface Fetch {
  readonly kind: FetchKind;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Returns what a response to a request for robots.txt means; `null` for a redirect, whose target is another request. */
export function toFetchKind(status: number | null): FetchKind | null {
  if (status === null) return 'failed';
  if (status === 304 || (status >= 200 && status < 300)) return 'read';
  if (status >= 300 && status < 400) return null;
  return status >= 400 && status < 500 && status !== 429 ? 'absent' : 'failed';
}

/** The state of {@link Fetches} as plain data. Times are in milliseconds since 1970. */
export interface FetchState {
  readonly last: Fetch | null;
  readonly lastTime: number | null;
  readonly lastReadTime: number | null;
}

/** The fetches of one crawler at one site. */
export class Fetches {
  readonly #timeline: Timeline;
  /** The last one that was no redirect. */
  last: Fetch | undefined;
  /** The time of the last one of any kind, in milliseconds since 1970. */
  lastTime: number = Number.NEGATIVE_INFINITY;
  /** The version of the last one that was read; `undefined` if it is unknown. */
  lastRead: Version | undefined;
  /** The time of the last one that was read, in milliseconds since 1970. */
  lastReadTime: number | null = null;

  /** @param state - that of an earlier part of the log. @defaultValue no fetches */
  constructor(timeline: Timeline, state?: FetchState) {
    this.#timeline = timeline;
    if (state === undefined) return;
    this.last = state.last ?? undefined;
    this.lastTime = state.lastTime ?? Number.NEGATIVE_INFINITY;
    this.lastReadTime = state.lastReadTime;
    this.lastRead = state.lastReadTime === null ? undefined : timeline.getAt(state.lastReadTime);
  }

  get state(): FetchState {
    const { last = null, lastTime, lastReadTime } = this;
    return { last, lastTime: Number.isFinite(lastTime) ? lastTime : null, lastReadTime };
  }

  /** Adds a fetch. One that is earlier than the last one changes nothing. */
  add(time: number, status: number | null): void {
    if (time < this.lastTime) return;
    this.lastTime = time;
    const kind = toFetchKind(status);
    if (kind === null) return;
    this.last = { kind, time };
    if (kind !== 'read') return;
    this.lastRead = this.#timeline.getAt(time);
    this.lastReadTime = time;
  }
}
