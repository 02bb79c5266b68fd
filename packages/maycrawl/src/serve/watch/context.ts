/**
 * What the routes of the monitor share.
 *
 * @module
 */
import type { Logger } from 'pino';
import type { WatchDatabase } from '../../watch/database.ts';
import type { SiteRepository } from '../../watch/site-repository.ts';
import type { Clients } from '../limits/clients.ts';
import type { Limits } from '../limits/limits.ts';
import type { RunInThread } from '../limits/threads.ts';
import type { WatchTask } from './worker.ts';

/** How a feed goes. Times are milliseconds. */
export interface LiveOptions {
  readonly interval: number;
  /** Something is sent at least so often, so that nobody between takes the connection for dead. */
  readonly heartbeat: number;
  readonly maxListeners: number;
  /** Bytes that wait for a listener, who is let go if there are more. */
  readonly maxWaiting: number;
}

/** What the routes of the monitor share. */
export interface WatchContext {
  readonly database: WatchDatabase;
  readonly repository: SiteRepository;
  readonly limits: Limits;
  readonly log: Logger;
  readonly now: () => number;
  /** Whether targets that are tried may be on addresses that are not of the public Internet. */
  readonly allowPrivate: boolean;
  /** Without tokens: then only clients on this machine, and none behind a proxy. */
  readonly isOpen: boolean;
  readonly live?: Partial<LiveOptions>;
  /** Does in a thread what may take seconds. */
  readonly examine: RunInThread<WatchTask>;
  readonly clients: Clients;
}
