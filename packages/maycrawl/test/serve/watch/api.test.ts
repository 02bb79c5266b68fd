import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { toJsonSchema } from '../../../src/api/json-schema.ts';
import { WATCH_API, WATCH_RESPONSES, type WatchRoute } from '../../../src/api/watch-api.ts';
import { startService, type TestService } from '../../support/service.ts';
import { startMonitor, type TestMonitor } from '../../support/test-monitor.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const RULES = 'User-agent: *\nDisallow: /cart\n';

/** @returns the schema without additional properties: a property that it does not name is undocumented. */
function closeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closeSchema(value)]),
  );
  return 'properties' in closed && closed['type'] === 'object'
    ? { ...closed, additionalProperties: false }
    : closed;
}

const ajv = new Ajv({ allErrors: true });
addFormats.default(ajv);

/** Validates a value with a closed definition. */
function findErrors(name: keyof typeof WATCH_API, value: unknown): unknown[] {
  const validate = ajv.compile(closeSchema(toJsonSchema(WATCH_API[name], WATCH_API)) as object);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message, params }) => ({
    instancePath,
    message,
    params,
  }));
}

describe('the responses of /v1/watch', () => {
  let monitor: TestMonitor;
  let service: TestService;
  let site: TestServer;
  let answer: string | number = RULES;
  beforeAll(async () => {
    monitor = await startMonitor(START);
    site = await serve(({ url }, response) => {
      if (typeof answer === 'number') response.writeHead(answer).end();
      else if (url === '/robots.txt') response.writeHead(301, { location: '/moved' }).end();
      else response.writeHead(200, { 'cache-control': 'max-age=60' }).end(answer);
    });
    service = await startService({ watch: monitor.database, now: () => monitor.now });
    const urls = await monitor.repository.storeText('urls.txt', '/shop/a\n/about\n');
    const notify = ['https://hooks.example/secret', 'log'];
    const severity = { allowed: 'info', 'urls-blocked': 'warning' } as const;
    await monitor.repository.addSites(
      [site.origin],
      { every: HOUR, confirm: 0, agents: ['Googlebot'], urls, notify, severity },
      () => START,
    );
    await monitor.repository.addSites(
      ['https://unchecked.example'],
      { every: HOUR, confirm: 0, agents: [], notify: [] },
      () => START + 1e12,
    );
    for (const next of [RULES, `${RULES}Disallow: /shop/\n`, 503, 404, 503] as const) {
      answer = next;
      await monitor.check();
      monitor.now += 1.1 * HOUR;
    }
  });
  afterAll(async () => {
    await service.app.close();
    await site.close();
    await monitor.close();
  });

  const origin = (): string => site.origin;
  const settings = {
    every: HOUR,
    confirm: 0,
    agents: ['Googlebot'],
    notify: ['log'],
    severity: { first: 'info' },
  };
  /** Requests whose responses contain all kinds of values of each route. */
  const requests = (): readonly (readonly [WatchRoute, Record<string, string>, unknown?])[] => [
    ['GET sites', {}],
    ['GET site', { origin: origin() }],
    ['GET site', { origin: 'https://unchecked.example' }],
    ['GET settings', { origin: origin() }],
    ['GET events', {}],
    ['GET versions', { origin: origin() }],
    ['GET version', { origin: origin(), number: '1' }],
    ['GET version', { origin: origin(), number: '3' }],
    ['GET compare', { origin: origin(), before: '1', after: '2' }],
    ['GET urls', { origin: origin() }],
    ['POST sites', {}, { origin: 'https://new.example', ...settings }],
    ['POST site', { origin: 'https://new.example' }, settings],
    ['DELETE site', { origin: 'https://new.example' }],
    ['POST test', {}, { target: 'log' }],
  ];

  test('the response of every route has exactly the properties in api/watch-api.ts', async () => {
    const requested = new Set<string>();
    for (const [route, query, body] of requests()) {
      const [method = '', path = ''] = route.split(' ');
      const url = `/v1/watch/${path}?${new URLSearchParams(query)}`;
      const response = await service.get(url, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      expect([route, response.status, findErrors(WATCH_RESPONSES[route], response.body)]).toEqual([
        route,
        200,
        [],
      ]);
      requested.add(route);
    }
    expect([...requested].sort()).toEqual(Object.keys(WATCH_RESPONSES).sort());
  });

  test('the responses contain the optional properties, which are validated too', async () => {
    const { body } = await service.get(`/v1/watch/site?origin=${encodeURIComponent(origin())}`);
    expect(body).toMatchObject({
      outage: { failures: 1 },
      versions: expect.arrayContaining([expect.objectContaining({ kind: 'successful' })]),
      events: expect.arrayContaining([expect.objectContaining({ kind: 'first' })]),
      deliveries: expect.arrayContaining([expect.objectContaining({ state: 'waiting' })]),
      settings: { severity: { allowed: 'info' } },
    });
  });

  test('a closed definition rejects a missing, a wrong and an undocumented property', async () => {
    const { body } = await service.get('/v1/watch/sites');
    const { total: _, ...incomplete } = body;
    expect(findErrors('Sites', incomplete)).toHaveLength(1);
    expect(findErrors('Sites', { ...body, total: '2' })).toHaveLength(1);
    expect(findErrors('Sites', { ...body, more: 1 })).toHaveLength(1);
  });

  test('the data of the live stream match their schemas', async () => {
    const controller = new AbortController();
    const { app, address } = await startService({
      ...{ watch: monitor.database, now: () => monitor.now },
      watchLive: { interval: 20 },
    });
    const response = await fetch(`${address}/v1/watch/live`, { signal: controller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    answer = `${RULES}Disallow: /new\n`;
    let text = '';
    while (!text.includes('event: hello')) text += (await reader.read()).value;
    await monitor.check();
    while (!/event: event[\s\S]*event: checked[\s\S]*\n\n/.test(text)) text += (await reader.read()).value;
    controller.abort();
    await app.close();
    const data = (kind: string): unknown =>
      JSON.parse(new RegExp(`event: ${kind}\\ndata: (.*)`).exec(text)?.[1] ?? '');
    expect(findErrors('LiveEvent', data('event'))).toEqual([]);
    expect(findErrors('LiveChecks', data('checked'))).toEqual([]);
  });

  test('the OpenAPI document contains the response of every route', async () => {
    const { body } = await service.get('/openapi.json');
    const paths = body['paths'] as Record<string, Record<string, { responses: Record<string, unknown> }>>;
    for (const route of Object.keys(WATCH_RESPONSES)) {
      const [method = '', path = ''] = route.toLowerCase().split(' ');
      const { 200: response } = paths[`/v1/watch/${path}`]?.[method]?.responses ?? {};
      const { content } = response as { content: Record<string, { schema: object }> };
      expect(content['application/json']?.schema, route).toHaveProperty('properties');
    }
  });
});

test('a reference to an unknown definition is an error', () => {
  expect(() => toJsonSchema({ $ref: '#/$defs/None' }, WATCH_API)).toThrow(RangeError);
});
