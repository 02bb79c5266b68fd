import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, onTestFinished, test } from 'vitest';
import { instrument } from '../../src/adapters/opentelemetry.ts';
import { RobotsClient } from '../../src/origins/client/client.ts';
import type { ClientOptions } from '../../src/origins/client/client-options.ts';
import { MemoryStore } from '../../src/store/memory.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { createFile, createUnreachable, type Result } from '../support/results.ts';
import { serve } from '../support/server.ts';

const FILE = 'User-agent: *\nDisallow: /private\n';

/** The points of a metric: attributes and value; the count if it is a histogram. */
type Points = [attributes: object, value: number][];

/** Starts the SDK with exporters in memory, and the recording. */
function start() {
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const tracer = tracers.getTracer('test');
  const stop = instrument({ tracer, meter: meters.getMeter('test') });
  onTestFinished(async () => {
    stop();
    await meters.shutdown();
    await tracers.shutdown();
  });
  const readMetrics = async (): Promise<Record<string, Points>> => {
    exporter.reset();
    await reader.forceFlush();
    const scopes = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    return Object.fromEntries(
      scopes.flatMap(({ metrics }) =>
        metrics.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ attributes, value }) => [
            attributes,
            typeof value === 'number' ? value : value.count,
          ]),
        ]),
      ),
    );
  };
  return { stop, tracer, spans, readMetrics };
}

function create(options: Partial<ClientOptions> = {}): RobotsClient {
  return new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot/1.0', ...options });
}

test('a fetch over a socket is a span by the HTTP semantic conventions, and its decisions are metrics without URLs', async () => {
  const server = await closeAtEnd(serve((_request, response) => response.end(FILE)));
  const { origin } = server;
  const { spans, readMetrics } = start();
  const client = create();
  const before = Date.now();
  for (const path of ['/a', '/b', '/private/c']) await client.decide(origin + path);
  const [span, ...others] = spans.getFinishedSpans();
  expect(others).toEqual([]);
  expect(span).toMatchObject({ name: 'GET /robots.txt', kind: SpanKind.CLIENT });
  expect(span?.status).toEqual({ code: SpanStatusCode.UNSET });
  expect(span?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'maycrawl.robots.responses': 1,
    'maycrawl.robots.result': 'successful',
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(origin).port),
    'url.full': `${origin}/robots.txt`,
    'url.template': '/robots.txt',
    'user_agent.original': 'TestBot/1.0',
  });
  const toMilliseconds = ([seconds, nanos]: [number, number] | readonly number[]): number =>
    (seconds ?? 0) * 1000 + (nanos ?? 0) / 1e6;
  const started = toMilliseconds(span?.startTime ?? []);
  const ended = toMilliseconds(span?.endTime ?? []);
  // Clocks have whole milliseconds.
  expect(started).toBeGreaterThanOrEqual(before - 1);
  expect(ended).toBeGreaterThan(started);
  expect(ended).toBeLessThanOrEqual(Date.now() + 1);

  const metrics = await readMetrics();
  expect(metrics).toEqual({
    'maycrawl.robots.fetch.duration': [
      [
        {
          'http.request.method': 'GET',
          'http.response.status_code': 200,
          'maycrawl.robots.result': 'successful',
        },
        1,
      ],
    ],
    'maycrawl.robots.decisions': [
      [{ 'maycrawl.robots.decision': 'allowed', 'maycrawl.robots.reason': 'no-rule-matched' }, 2],
      [{ 'maycrawl.robots.decision': 'disallowed', 'maycrawl.robots.reason': 'rule' }, 1],
    ],
    'maycrawl.robots.cache.reads': [
      [{ 'maycrawl.robots.cache.result': 'miss' }, 1],
      [{ 'maycrawl.robots.cache.result': 'hit' }, 2],
    ],
  });
});

test('the parent of a span is the span of the caller that started the fetch', async () => {
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  onTestFinished(() => context.disable());
  const { tracer, spans } = start();
  const client = create({ fetcher: async (url) => createFile(FILE, url) });
  const parent = tracer.startSpan('page');
  await context.with(trace.setSpan(context.active(), parent), () => client.decide('https://a.example/'));
  const [span] = spans.getFinishedSpans();
  expect(span?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
  expect(span?.spanContext().traceId).toBe(parent.spanContext().traceId);
});

const withStatus = (status: number, more: object): Result =>
  ({
    ...createUnreachable(),
    code: 'http-status',
    hops: [{ url: 'https://a.example/', status }],
    ...more,
  }) as Result;

test.each([
  ['a 503 is an error with its status', withStatus(503, {}), '503'],
  ['a host without a connection is an error with the code', createUnreachable(), 'network'],
  [
    'a loop of redirects is an error',
    withStatus(302, { kind: 'unavailable', code: 'too-many-redirects' }),
    'too-many-redirects',
  ],
  ['a 404 is no error', withStatus(404, { kind: 'unavailable' }), undefined],
])('%s', async (_title, result, type) => {
  const { spans, readMetrics } = start();
  await create({ fetcher: async () => result }).decide('https://a.example/');
  const [span] = spans.getFinishedSpans();
  expect(span?.attributes['error.type']).toBe(type);
  expect(span?.status.code).toBe(type === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR);
  expect(span?.attributes['server.port']).toBe(443);
  const [[attributes]] = (await readMetrics())['maycrawl.robots.fetch.duration'] as [Points[0]];
  expect(attributes).toMatchObject(type === undefined ? {} : { 'error.type': type });
});

test.each([
  ['its code', Object.assign(new Error('too many open files'), { code: 'EMFILE' }), 'EMFILE'],
  ['its name', new SyntaxError('x'), 'SyntaxError'],
  ['no text of its own', Object.assign(new Error('x'), { code: 'https://a.example/secret?' }), '_OTHER'],
  ['a type also if it is no Error', 'text', '_OTHER'],
])('an error of this machine has %s', async (_title, error, type) => {
  const { spans, readMetrics } = start();
  const client = create({ fetcher: () => Promise.reject(error) });
  await client.decide('https://a.example/').catch(() => {});
  const [span] = spans.getFinishedSpans();
  expect(span?.attributes).toMatchObject({ 'error.type': type, 'maycrawl.robots.result': 'failed' });
  expect(span?.status.code).toBe(SpanStatusCode.ERROR);
  const [[attributes]] = (await readMetrics())['maycrawl.robots.fetch.duration'] as [Points[0]];
  expect(attributes).toEqual({
    ...{ 'http.request.method': 'GET', 'error.type': type, 'maycrawl.robots.result': 'failed' },
  });
});

test('FTP has no attributes of HTTP', async () => {
  const { spans } = start();
  await create({ fetcher: async (url) => createFile(FILE, url) }).decide('ftp://a.example/');
  const [span] = spans.getFinishedSpans();
  expect(span?.name).toBe('RETR /robots.txt');
  expect(Object.keys(span?.attributes ?? {}).filter((name) => name.startsWith('http.'))).toEqual([]);
  expect(span?.attributes).toMatchObject({ 'network.protocol.name': 'ftp', 'server.port': 21 });
});

test('an IPv6 address is an address without brackets', async () => {
  const { spans } = start();
  await create({ fetcher: async (url) => createFile(FILE, url) }).decide('https://[2001:db8::1]:8443/');
  expect(spans.getFinishedSpans()[0]?.attributes).toMatchObject({
    ...{ 'server.address': '2001:db8::1', 'server.port': 8443 },
  });
});

test('outages, evictions and failures of the store are metrics', async () => {
  const { readMetrics } = start();
  let now = Date.UTC(2026, 10, 21);
  let result: Result = createUnreachable();
  const client = create({
    ...{ now: () => now, fetcher: async () => result, store: new MemoryStore({ maxOrigins: 1 }) },
  });
  await client.decide('https://a.example/');
  now += 3_600_000;
  result = createFile(FILE);
  await client.decide('https://a.example/');
  await client.decide('https://b.example/');
  const error = new Error('no store');
  const broken = { get: () => Promise.reject(error), record: () => Promise.reject(error) };
  await create({ store: broken, fetcher: async () => result }).decide('https://c.example/');
  const metrics = await readMetrics();
  expect(metrics['maycrawl.robots.outages']).toEqual([[{ 'maycrawl.robots.code': 'network' }, 1]]);
  expect(metrics['maycrawl.robots.outage.duration']).toEqual([[{ 'maycrawl.robots.code': 'network' }, 1]]);
  expect(metrics['maycrawl.robots.cache.events']).toEqual([
    [{ 'maycrawl.robots.cache.event': 'evicted' }, 1],
    [{ 'maycrawl.robots.cache.event': 'store-failed' }, 1],
  ]);
});

test('1,000 sites with long names do not make more series of metrics', async () => {
  const { readMetrics } = start();
  const client = create({ fetcher: async (url) => createFile(FILE, url) });
  const urls = Array.from(
    { length: 1_000 },
    (_, index) => `https://${index}.${'x'.repeat(50)}.example/${index}`,
  );
  for await (const _ of client.decideAll(urls));
  const metrics = await readMetrics();
  const points = Object.values(metrics).flat();
  expect(points.length).toBeLessThan(10);
  expect(JSON.stringify(points)).not.toContain('example');
});

test('nothing is recorded after the end, which can be called twice', async () => {
  const { stop, spans, readMetrics } = start();
  stop();
  stop();
  await create({ fetcher: async (url) => createFile(FILE, url) }).decide('https://a.example/');
  expect(spans.getFinishedSpans()).toEqual([]);
  expect(await readMetrics()).toEqual({});
});

test('without an SDK nothing is recorded, and nothing fails', async () => {
  const stop = instrument();
  const client = create({ fetcher: async (url) => createFile(FILE, url) });
  expect((await client.decide('https://a.example/')).kind).toBe('allowed');
  stop();
});

test('unknown options and objects that are no tracer or meter are errors', () => {
  expect(() => instrument({ tracers: {} } as never)).toThrow('tracer');
  expect(() => instrument({ tracer: {} } as never)).toThrow(TypeError);
  expect(() => instrument({ meter: {} } as never)).toThrow(TypeError);
});
