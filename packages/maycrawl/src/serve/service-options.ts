// What a caller chooses of the service, and what it gets.
import type { FullStore } from '@maycrawl/client';
import type { Fetcher } from '@maycrawl/client/internal';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { WatchDatabase } from '../watch/storage/database.ts';
import type { Limits } from './limits/limits.ts';
import type { LiveOptions } from './watch/context.ts';

/** Options of the service. */
export interface ServiceOptions {
  /**
   * The cache of robots.txt files. The caller closes it after the service. With `allowPrivateAddresses` the service has entries of its own in it,
   * which no service without that option reads.
   */
  readonly store: FullStore;
  /** The `User-Agent` header of fetches. */
  readonly userAgent: string;
  /** Whether connections to addresses outside the public Internet are allowed. @defaultValue false */
  readonly allowPrivateAddresses?: boolean;
  /** Milliseconds for one fetch, redirects included. @defaultValue 30,000 */
  readonly timeout?: number;
  /** Bearer tokens, one of which each request needs. @defaultValue none: every request is allowed */
  readonly tokens?: readonly string[];
  /** Bearer tokens of the route that invalidates responses. @defaultValue none: the service has no such route */
  readonly invalidateTokens?: readonly string[];
  /**
   * Requests of one client in a minute. A fetch of a robots.txt, and 100 more URLs or lines, count as one more request each.
   * @defaultValue unlimited
   */
  readonly rateLimit?: number;
  /** Host names and addresses of the service, in addition to those of the loopback interface (host-guard.ts). */
  readonly hosts?: readonly string[];
  /** Paths of the SQLite files in use. The service is ready only while they exist and can grow. */
  readonly databaseFiles?: readonly string[];
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. @defaultValue none */
  readonly trustProxy?: readonly string[];
  /** Folder with the built pages. @defaultValue no pages */
  readonly pageFolder?: string;
  /** Folder with reports of audits. @defaultValue no reports */
  readonly auditFolder?: string;
  /** The database of the monitor, which the caller closes. @defaultValue no monitor */
  readonly watch?: WatchDatabase;
  /** Settings of the event stream of the monitor. */
  readonly watchLive?: Partial<LiveOptions>;
  /** Limits that differ from {@link LIMITS}. */
  readonly limits?: Partial<Limits>;
  /** @defaultValue silent */
  readonly log?: Logger;
  /** @defaultValue `refetchRobotsTxt` */
  readonly fetcher?: Fetcher;
  /** Milliseconds since 1970. @defaultValue `Date.now` */
  readonly now?: () => number;
}

/** A server of Fastify that stops without dropping requests. */
export interface Service extends FastifyInstance {
  /**
   * Announces that the service will close: `/readyz` responds with 503, and each response closes its connection. The service accepts
   * connections and requests as before. Give proxies and clients a few seconds to move to another instance, then call `close`.
   */
  drain(): void;
  /**
   * Replaces the tokens while the service runs. If that fails, those from before stay valid, and the metric
   * `maycrawl_tokens_current` is 0.
   *
   * @param read - returns the new tokens, at least one.
   * @throws what `read` throws, and a RangeError if there is no token, or the service was created without tokens.
   */
  replaceTokens(read: () => Promise<readonly string[]>): Promise<void>;
  /** Replaces the tokens of the route that invalidates responses, in the same way. */
  replaceInvalidateTokens(read: () => Promise<readonly string[]>): Promise<void>;
}
