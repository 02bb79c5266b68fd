// The events of clients, and the channels of `node:diagnostics_channel` that carry them (docs/telemetry.md). An event is created once: the
// channels and the listener of a client (`onEvent`) receive the same frozen object.
import { type Channel, channel } from 'node:diagnostics_channel';
import type { FetchCode, FetchResult } from '../../robots/fetch-result.ts';

/** The properties of all events about one fetch of a robots.txt. */
interface FetchDetails {
  readonly origin: string;
  /** The URL of the first request. */
  readonly url: string;
  /** The User-Agent header of the requests. */
  readonly userAgent: string;
  /** From the start to the result, redirects included, in milliseconds. */
  readonly duration: number;
}

/** A message of the channel `maycrawl:robots:fetch`: a fetch of a robots.txt has ended. */
export type FetchMessage =
  | (FetchDetails & {
      readonly kind: 'fetched';
      readonly result: FetchResult['kind'];
      /** Status of the last response; `null` if there was none. In FTP the code of the reply. */
      readonly status: number | null;
      /** The code of a result without a file; `null` for the others. */
      readonly code: FetchCode | null;
      /** Length of the file in bytes; 0 if no file was sent. */
      readonly bytes: number;
      /** The number of responses, redirects included. */
      readonly responses: number;
    })
  /** The fetch failed on this machine, or no caller waited for it any more. It says nothing about the site. */
  | (FetchDetails & { readonly kind: 'fetch-failed'; readonly error: unknown });

/** A caller reads the policy of an origin. */
export interface CacheReadMessage {
  readonly kind: 'read';
  readonly origin: string;
  /**
   * `hit`: it is in memory, and needs no request. `stale`: it is used while it is fetched in the background. `miss`: the caller waits for
   * the store or the site.
   */
  readonly result: 'hit' | 'stale' | 'miss';
}

/** An event of the memory and the store of a client. */
type CacheEvent =
  /** A background fetch failed on this machine. */
  | { readonly kind: 'refresh-failed'; readonly origin: string; readonly error: unknown }
  /** The store failed. The client continues with what it has in memory. */
  | { readonly kind: 'store-failed'; readonly origin: string; readonly error: unknown }
  /** The store was over its limits: since the last such event this process has evicted `count` origins. `origin` was stored before. */
  | { readonly kind: 'evicted'; readonly origin: string; readonly count: number }
  /** Another client that shares the store fetches the origin, and this one waits. */
  | { readonly kind: 'waiting'; readonly origin: string };

/** A message of the channel `maycrawl:robots:cache`. */
export type CacheMessage = CacheReadMessage | CacheEvent;

/** The properties of all events about an outage. Times are milliseconds since 1970. */
interface OutageDetails {
  readonly origin: string;
  /** When it began. */
  readonly since: number;
  /** The code and the status of the last failure. The status is `null` if there was no response. */
  readonly code: FetchCode;
  readonly status: number | null;
}

/** A message of the channel `maycrawl:robots:outage`: by the fetch of this client, the outage of a robots.txt has begun or ended. */
export type OutageMessage =
  /** `retryAt`: when the client fetches it again. */
  | (OutageDetails & { readonly kind: 'outage-began'; readonly retryAt: number })
  | (OutageDetails & {
      readonly kind: 'outage-ended';
      /** Milliseconds. */
      readonly duration: number;
      /** The number of failures. */
      readonly failures: number;
    });

/** An event of a client, for logs and metrics. Decisions and reads from memory are messages of channels only: there are too many of them. */
export type ClientEvent = FetchMessage | CacheEvent | OutageMessage;

const FETCH: Channel = /* @__PURE__ */ channel('maycrawl:robots:fetch');
const OUTAGE: Channel = /* @__PURE__ */ channel('maycrawl:robots:outage');
/** Reads are frequent: check `hasSubscribers` before a message is created. */
export const CACHE_CHANNEL: Channel = /* @__PURE__ */ channel('maycrawl:robots:cache');

const CHANNELS: Readonly<Record<(ClientEvent | CacheMessage)['kind'], Channel>> = {
  fetched: FETCH,
  'fetch-failed': FETCH,
  read: CACHE_CHANNEL,
  'refresh-failed': CACHE_CHANNEL,
  'store-failed': CACHE_CHANNEL,
  evicted: CACHE_CHANNEL,
  waiting: CACHE_CHANNEL,
  'outage-began': OUTAGE,
  'outage-ended': OUTAGE,
};

/** Freezes an event, and publishes it on its channel if that has subscribers. */
export function publishEvent(event: ClientEvent | CacheMessage): void {
  Object.freeze(event);
  const target = CHANNELS[event.kind];
  if (target.hasSubscribers) target.publish(event);
}
