/**
 * `/v1/watch/live`: what happens, as it happens (server-sent events). Several processes write to the database, so it is looked at about
 * once a second, once for all who listen, and as long as anybody does.
 *
 * @module
 */
import { PassThrough } from 'node:stream';
import { sql } from '@maycrawl/client/database';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { WatchJson } from '../../api/watch-api.ts';
import type { WatchDatabase } from '../../watch/database.ts';
import type { EventRow, SiteRow } from '../../watch/tables.ts';
import { Problem } from '../http/problems.ts';
import { failures } from '../routes/schemas.ts';
import type { LiveOptions, WatchContext } from './context.ts';
import { formatTime } from './sites.ts';

const USUAL: LiveOptions = { interval: 1_000, heartbeat: 15_000, maxListeners: 100, maxWaiting: 256 * 1024 };

/** What is older than this may be seen late: clocks of workers differ, and an event is written after its proof is done. */
const EVENTS_SINCE = 120_000;
const CHECKS_SINCE = 15_000;
/** More is told as "many": whoever listens looks at everything again. */
const MAX_EVENTS = 500;
const MAX_CHECKS = 200;

type LiveEvent = Pick<EventRow, 'id' | 'origin' | 'at' | 'kind' | 'severity'>;

/** What all listen to. */
export class LiveFeed {
  readonly #database: WatchDatabase;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #options: LiveOptions;
  readonly #listeners: Set<PassThrough> = new Set();
  /** What was told, or was there before anybody listened: events by id, the last check of sites by origin. */
  #events: ReadonlySet<string> | undefined;
  #checks: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #toldAt = 0;
  /** Those who are about to listen. */
  #joining = 0;
  #isClosed = false;

  constructor(database: WatchDatabase, log: Logger, now: () => number, options: Partial<LiveOptions> = {}) {
    this.#database = database;
    this.#log = log;
    this.#now = now;
    this.#options = { ...USUAL, ...options };
  }

  /**
   * What somebody hears from now on, until the stream is destroyed.
   *
   * @param lastId - the last `id` that was heard: what happened since then comes first, perhaps once more.
   * @throws {Problem} if too many listen.
   */
  async listen(lastId: string | undefined): Promise<PassThrough> {
    const { maxListeners } = this.#options;
    if (this.#isClosed) throw new Problem('shutting-down', 'the service is being stopped');
    if (this.#listeners.size + this.#joining >= maxListeners)
      throw new Problem('overloaded', `${maxListeners} listen already`, { 'retry-after': '30' });
    const heard = /^\d{1,15}$/.test(lastId ?? '') ? Number(lastId) : undefined;
    const stream = new PassThrough();
    this.#joining++;
    try {
      if (this.#timer === undefined) await this.#look();
      // What is shown is looked at again by then.
      stream.write(`id: ${heard ?? this.#now()}\nevent: hello\ndata: {}\n\n`);
      if (heard !== undefined) stream.write(await this.#missed(heard));
    } finally {
      this.#joining--;
    }
    this.#listeners.add(stream);
    stream.once('close', () => this.#listeners.delete(stream));
    if (this.#isClosed) this.close();
    return stream;
  }

  /** Ends it for all. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const stream of this.#listeners) stream.end();
    this.#listeners.clear();
  }

  async #missed(heard: number): Promise<string> {
    const now = this.#now();
    const events = await this.#eventsSince(heard - EVENTS_SINCE);
    return events.length > MAX_EVENTS ? messageOf('many', {}, now) : textOf(events, now);
  }

  #eventsSince(time: number): Promise<LiveEvent[]> {
    return this.#database.db.all<LiveEvent>(
      sql`select id, origin, at, kind, severity from watch_events where at > ${time} order by at limit ${MAX_EVENTS + 1}`,
    );
  }

  /** Looks, tells what is new, and comes again. */
  async #look(): Promise<void> {
    this.#timer = setTimeout(() => {}, 0);
    try {
      this.#tell(await this.#news());
    } catch (error) {
      this.#log.warn({ err: error }, 'the database of the monitor cannot be read');
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#listeners.size + this.#joining === 0 || this.#isClosed) {
      // Whoever listens next begins anew.
      this.#events = undefined;
      return;
    }
    this.#timer = setTimeout(() => void this.#look(), this.#options.interval);
    this.#timer.unref();
  }

  async #news(): Promise<string> {
    const now = this.#now();
    const events = await this.#eventsSince(now - EVENTS_SINCE);
    const checks = await this.#database.db.all<Pick<SiteRow, 'origin' | 'checked_at'>>(
      sql`select origin, checked_at from watch_sites where checked_at > ${now - CHECKS_SINCE}
          order by checked_at desc limit ${MAX_CHECKS + 1}`,
    );
    const [known, before] = [this.#events, this.#checks];
    this.#events = new Set(events.map(({ id }) => id));
    this.#checks = new Map(checks.map(({ origin, checked_at }) => [origin, checked_at ?? 0]));
    if (known === undefined) return '';
    const origins = checks
      .filter((each) => before.get(each.origin) !== each.checked_at)
      .map((each) => each.origin);
    if (events.length > MAX_EVENTS || origins.length > MAX_CHECKS) return messageOf('many', {}, now);
    return (
      textOf(
        events.filter(({ id }) => !known.has(id)),
        now,
      ) + (origins.length === 0 ? '' : messageOf('checked', { origins } satisfies WatchJson<'LiveChecks'>))
    );
  }

  #tell(news: string): void {
    const { heartbeat, maxWaiting } = this.#options;
    const now = performance.now();
    if (news === '' && now - this.#toldAt < heartbeat) return;
    this.#toldAt = now;
    const text = news === '' ? `id: ${this.#now()}\n\n` : news;
    for (const stream of this.#listeners) {
      stream.write(text);
      if (stream.writableLength + stream.readableLength > maxWaiting) stream.destroy();
    }
  }
}

function textOf(events: readonly LiveEvent[], now: number): string {
  return events
    .map(({ at, ...event }) => {
      const severity = event.severity as WatchJson<'Severity'>;
      const data: WatchJson<'LiveEvent'> = { ...event, severity, at: formatTime(at) };
      return messageOf('event', data, now);
    })
    .join('');
}

/** One message. JSON has no line ends in it. */
function messageOf(event: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The route. It lasts, so it is none of the requests of which only so many are answered at a time. */
export function addWatchLive(
  api: FastifyInstance,
  { clients, database, log, now, live }: WatchContext,
): void {
  const feed = new LiveFeed(database, log, now, live);
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
        summary: 'What happens, as it happens',
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
      const stream = await feed.listen(typeof lastId === 'string' ? lastId : undefined);
      reply.type('text/event-stream').header('x-accel-buffering', 'no');
      return stream;
    },
  );
}
