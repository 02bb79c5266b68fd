// The parts of the service that the routes of the monitor use.
import type { Logger } from 'pino';
import type { WatchDatabase } from '../../watch/storage/database.ts';
import type { Outbox } from '../../watch/storage/outbox.ts';
import type { SiteRepository } from '../../watch/storage/site-repository.ts';
import type { Clients } from '../limits/clients.ts';
import type { Limits } from '../limits/limits.ts';
import type { RunInThread } from '../limits/threads.ts';
import type { LogFailure } from '../server/log-failure.ts';
import type { WatchTask } from './worker.ts';

/** Settings of the event stream. Times are milliseconds. */
export interface LiveOptions {
  /** Between two reads of the database. */
  readonly interval: number;
  /** The longest time without a message: proxies close connections that are idle. */
  readonly heartbeat: number;
  readonly maxListeners: number;
  /** Bytes buffered for a stream; above that, the stream is closed. */
  readonly maxWaiting: number;
}

/** The parts of the service that the routes of the monitor use. */
export interface WatchContext {
  readonly database: WatchDatabase;
  readonly repository: SiteRepository;
  readonly outbox: Outbox;
  readonly limits: Limits;
  readonly log: Logger;
  readonly logFailure: LogFailure;
  readonly now: () => number;
  /** Whether targets may be on addresses outside the public Internet. */
  readonly allowPrivateAddresses: boolean;
  /** Whether there are no tokens. Then only clients on this machine, without a proxy, may use the monitor. */
  readonly isOpen: boolean;
  readonly live?: Partial<LiveOptions>;
  /** Runs tasks that may take seconds in a thread. */
  readonly examine: RunInThread<WatchTask>;
  readonly clients: Clients;
}
