// `/v1/watch/live`: observations of the monitor as server-sent events. Several processes write to the database, so the service reads
// it about once a second, once for all streams, while there are streams.
import { PassThrough } from 'node:stream';
import { DatabaseError, unlessAborted } from '@maycrawl/client/internal';
import type { FastifyInstance } from 'fastify';
import type { WatchJson } from '../../api/watch-api.ts';
import { formatRequiredTime } from '../../reports/policy.ts';
import type { WatchDatabase } from '../../watch/storage/database.ts';
import {
  type RecentEventRow,
  readRecentChecks,
  readRecentEvents,
} from '../../watch/storage/report-queries.ts';
import { createDeadlineSignal } from '../http/deadline.ts';
import { Problem } from '../http/problems.ts';
import { failures } from '../routes/schemas.ts';
import type { LogFailure } from '../server/log-failure.ts';
import type { LiveOptions, WatchContext } from './context.ts';

const DEFAULTS: LiveOptions = {
  interval: 1_000,
  heartbeat: 15_000,
  maxListeners: 100,
  maxWaiting: 256 * 1024,
};

/** Milliseconds. Events are recorded late: clocks of workers differ, and an event is recorded after its analysis. */
const EVENTS_SINCE = 120_000;
const CHECKS_SINCE = 15_000;
/** More are reported as one `many`: then clients read everything again. */
const MAX_EVENTS = 500;
const MAX_CHECKS = 200;

export class LiveFeed {
  readonly #database: WatchDatabase;
  readonly #logFailure: LogFailure;
  readonly #now: () => number;
  readonly #options: LiveOptions;
  readonly #listeners: Set<PassThrough> = new Set();
  /** What was sent, or existed before the first stream: event ids, and the last check by origin. */
  #events: ReadonlySet<string> | undefined;
  #checks: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | undefined;
  /** The reading of the database in progress, and why the last one failed. */
  #reading: Promise<void> | undefined;
  #failure: Error | undefined;
  #sentAt = 0;
  /** Streams that are being opened. */
  #opening = 0;
  #isClosed = false;

  constructor(
    database: WatchDatabase,
    logFailure: LogFailure,
    now: () => number,
    options: Partial<LiveOptions> = {},
  ) {
    this.#database = database;
    this.#logFailure = logFailure;
    this.#now = now;
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * Opens a stream of future events, until it is destroyed.
   *
   * @param lastId - the last received `id`: events since then come first, some possibly again.
   * @param signal - its abort ends the opening, not the stream.
   * @throws {Problem} `overloaded` if there are too many streams, `shutting-down` at shutdown.
   * @throws {DatabaseError} if the database cannot be read: a stream without observations would look like a monitor without any.
   */
  async open(
    lastId: string | undefined,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<PassThrough> {
    const { maxListeners } = this.#options;
    if (this.#isClosed) throw new Problem('shutting-down', 'the service is shutting down');
    if (this.#listeners.size + this.#opening >= maxListeners)
      throw new Problem('overloaded', `there are already ${maxListeners} event streams`, {
        'retry-after': '30',
      });
    const lastTime = /^\d{1,15}$/.test(lastId ?? '') ? Number(lastId) : undefined;
    const stream = new PassThrough();
    this.#opening++;
    try {
      if (this.#reading !== undefined) await unlessAborted(this.#reading, signal);
      else if (this.#timer === undefined) await unlessAborted(this.#poll(), signal);
      if (this.#failure !== undefined) throw this.#failure;
      // The client reads the current state when it receives this.
      stream.write(`id: ${lastTime ?? this.#now()}\nevent: hello\ndata: {}\n\n`);
      if (lastTime !== undefined) stream.write(await unlessAborted(this.#getMissed(lastTime), signal));
    } finally {
      this.#opening--;
    }
    this.#listeners.add(stream);
    stream.once('close', () => this.#listeners.delete(stream));
    if (this.#isClosed) this.close();
    return stream;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const stream of this.#listeners) stream.end();
    this.#listeners.clear();
  }

  async #getMissed(lastTime: number): Promise<string> {
    const now = this.#now();
    const events = await readRecentEvents(this.#database, lastTime - EVENTS_SINCE, MAX_EVENTS + 1);
    return events.length > MAX_EVENTS ? formatMessage('many', {}, now) : formatEvents(events, now);
  }

  /** Reads the database, sends new messages, and repeats. */
  async #poll(): Promise<void> {
    this.#timer = undefined;
    this.#reading = this.#read();
    await this.#reading;
    this.#reading = undefined;
    if (this.#listeners.size + this.#opening === 0 || this.#isClosed) {
      // The next stream starts with the state at that time.
      this.#events = undefined;
      return;
    }
    this.#timer = setTimeout(() => void this.#poll(), this.#options.interval);
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    try {
      this.#send(await this.#getNew());
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#logFailure(
        error instanceof DatabaseError ? { reason: error.message } : { err: error },
        'cannot read the database of the monitor',
      );
    }
  }

  async #getNew(): Promise<string> {
    const now = this.#now();
    const events = await readRecentEvents(this.#database, now - EVENTS_SINCE, MAX_EVENTS + 1);
    const checks = await readRecentChecks(this.#database, now - CHECKS_SINCE, MAX_CHECKS + 1);
    const [known, before] = [this.#events, this.#checks];
    this.#events = new Set(events.map(({ id }) => id));
    this.#checks = new Map(checks.map(({ origin, checked_at }) => [origin, checked_at ?? 0]));
    if (known === undefined) return '';
    const origins = checks
      .filter((each) => before.get(each.origin) !== each.checked_at)
      .map((each) => each.origin);
    if (events.length > MAX_EVENTS || origins.length > MAX_CHECKS) return formatMessage('many', {}, now);
    return (
      formatEvents(
        events.filter(({ id }) => !known.has(id)),
        now,
      ) +
      (origins.length === 0 ? '' : formatMessage('checked', { origins } satisfies WatchJson<'LiveChecks'>))
    );
  }

  #send(messages: string): void {
    const { heartbeat, maxWaiting } = this.#options;
    const now = performance.now();
    if (messages === '' && now - this.#sentAt < heartbeat) return;
    this.#sentAt = now;
    const text = messages === '' ? `id: ${this.#now()}\n\n` : messages;
    for (const stream of this.#listeners) {
      stream.write(text);
      if (stream.writableLength + stream.readableLength > maxWaiting) stream.destroy();
    }
  }
}

function formatEvents(events: readonly RecentEventRow[], now: number): string {
  return events
    .map(({ at, ...event }) => {
      const severity = event.severity as WatchJson<'Severity'>;
      const data: WatchJson<'LiveEvent'> = { ...event, severity, at: formatRequiredTime(at) };
      return formatMessage('event', data, now);
    })
    .join('');
}

/** Formats one message. JSON has no line ends. */
function formatMessage(event: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Adds the route. Streams stay open, so they do not count as concurrent requests. */
export function addWatchLive(
  api: FastifyInstance,
  { clients, database, limits, logFailure, now, live }: WatchContext,
): void {
  const feed = new LiveFeed(database, logFailure, now, live);
  api.addHook('preClose', (done) => {
    feed.close();
    done();
  });
  api.get(
    '/v1/watch/live',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'watchLive',
        summary: 'Stream the observations of the monitor',
        headers: { type: 'object', properties: { 'last-event-id': { type: 'string' } } },
        response: {
          200: {
            description: 'Events "checked", "event" and "many".',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
          ...failures,
        },
      },
    },
    async ({ headers, ip }, reply) => {
      const release = clients.get(ip).take('streams');
      reply.raw.once('close', release);
      const lastId = headers['last-event-id'];
      const signal = createDeadlineSignal(reply, limits.responseTime);
      const stream = await feed.open(typeof lastId === 'string' ? lastId : undefined, signal);
      reply.type('text/event-stream').header('x-accel-buffering', 'no');
      return stream;
    },
  );
}
