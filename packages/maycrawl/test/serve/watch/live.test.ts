import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { LiveFeed } from '../../../dist/serve/watch/live.js';
import { startService } from '../../support/service.ts';
import { startMonitor, type TestMonitor } from '../../support/test-monitor.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const FILE = 'User-agent: *\nDisallow: /a\n';

let monitor: TestMonitor;
let site: TestServer;
let answer = FILE;
beforeAll(async () => {
  monitor = await startMonitor(START);
  site = await serve((_request, response) => response.end(answer));
  await monitor.repository.addSites(
    [site.origin],
    { every: HOUR, confirm: 0, agents: [], notify: [] },
    () => START,
  );
  await monitor.check();
});
afterAll(async () => {
  await site.close();
  await monitor.close();
});

/** Yields the messages of the event stream. */
async function* listen(address: string, lastId?: string): AsyncGenerator<Record<string, string>> {
  const controller = new AbortController();
  const response = await fetch(`${address}/v1/watch/live`, {
    headers: lastId === undefined ? {} : { 'last-event-id': lastId },
    signal: controller.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        yield Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2)));
      }
    }
  } finally {
    controller.abort();
  }
}

const startLive = (live: object = {}) =>
  startService({ watch: monitor.database, now: () => monitor.now, watchLive: { interval: 20, ...live } });

/** Changes the file of the site, and checks it. */
async function changeFile(): Promise<void> {
  monitor.now += 2 * HOUR;
  answer += `Disallow: /${monitor.now}\n`;
  await monitor.check();
}

test('the event streams of a client are limited', async () => {
  const service = await startService({
    watch: monitor.database,
    now: () => monitor.now,
    limits: { clientStreams: 1 },
  });
  const first = listen(service.address);
  expect((await first.next()).value).toMatchObject({ event: 'hello' });
  const refused = await service.get('/v1/watch/live');
  expect(refused).toMatchObject({ status: 429, body: { code: 'client-limit' } });
  await first.return(undefined);
  await service.app.close();
});

test('the stream contains checks and events, and after a reconnection the missed events', async () => {
  const service = await startLive({ heartbeat: 30 });
  const messages = listen(service.address);
  expect((await messages.next()).value).toMatchObject({ event: 'hello' });
  await changeFile();
  const events: Record<string, string>[] = [];
  while (events.length < 2) {
    const { value } = await messages.next();
    if (value?.['event']) events.push(value);
  }
  expect(events.map((each) => each['event'])).toEqual(['event', 'checked']);
  expect(JSON.parse(events[0]?.['data'] ?? '')).toMatchObject({ origin: site.origin, kind: 'blocked' });
  expect(JSON.parse(events[1]?.['data'] ?? '')).toEqual({ origins: [site.origin] });
  const lastId = events[0]?.['id'] as string;
  // Heartbeats have the id from which a client resumes the stream.
  expect((await messages.next()).value).toEqual({ id: lastId });
  await messages.return(undefined);
  await changeFile();
  await changeFile();
  const again = listen(service.address, lastId);
  // The last event may be sent again.
  const missed: number[] = [];
  while (missed.at(-1) !== monitor.now) {
    const { value } = await again.next();
    if (value?.['event'] === 'event') missed.push(Date.parse(JSON.parse(value['data'] ?? '').at));
  }
  expect(missed.slice(-2)).toEqual([monitor.now - 2 * HOUR, monitor.now]);
  await again.return(undefined);
  for (const broken of ['x', '-1', '9'.repeat(40), "1' or 1"]) {
    const stream = listen(service.address, broken);
    expect((await stream.next()).value).toMatchObject({ event: 'hello' });
    await stream.return(undefined);
  }
  await service.app.close();
});

test('a stream does not count as a request in flight, and does not delay the closing of the service', async () => {
  const service = await startLive({ maxListeners: 2 });
  const streams = [listen(service.address), listen(service.address)];
  for (const stream of streams) await stream.next();
  expect(await (await fetch(`${service.address}/metrics`)).text()).toContain(
    'maycrawl_requests_in_flight 0\n',
  );
  expect(await service.get('/v1/watch/live')).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  await streams[0]?.return(undefined);
  let third = 503;
  while (third === 503) {
    const controller = new AbortController();
    ({ status: third } = await fetch(`${service.address}/v1/watch/live`, { signal: controller.signal }));
    controller.abort();
  }
  expect(third).toBe(200);
  const start = performance.now();
  await service.app.close();
  expect(performance.now() - start).toBeLessThan(8_000);
  expect(await streams[1]?.next()).toEqual({ done: true, value: undefined });
});

test('the stream of a client that does not read is closed', async () => {
  const feed = new LiveFeed(
    monitor.database,
    () => {},
    () => monitor.now,
    {
      ...{ interval: 1, heartbeat: 0, maxWaiting: 2_048 },
    },
  );
  const [slow, quick] = [await feed.open(undefined), await feed.open(undefined)];
  quick.resume();
  await new Promise((resolve) => slow.once('close', resolve));
  expect(slow.readableLength + slow.writableLength).toBeLessThan(5_000);
  expect(quick.destroyed).toBe(false);
  feed.close();
  await new Promise((resolve) => quick.once('close', resolve));
  await expect(feed.open(undefined)).rejects.toThrow(/shutting down/);
});

test('the stream continues after a failure of the database', async () => {
  const other = await startMonitor(START);
  const feed = new LiveFeed(
    other.database,
    () => {},
    () => other.now,
    { interval: 5 },
  );
  const stream = await feed.open(undefined);
  await other.database.db.exec('alter table watch_events rename to away');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await other.database.db.exec('alter table away rename to watch_events');
  await other.repository.addSites(
    [site.origin],
    { every: HOUR, confirm: 0, agents: [], notify: [] },
    () => START,
  );
  await other.check();
  let events = '';
  for await (const chunk of stream) {
    events += String(chunk);
    if (events.includes('event: checked')) break;
  }
  expect(events).toContain('"kind":"first"');
  feed.close();
  await other.close();
});
