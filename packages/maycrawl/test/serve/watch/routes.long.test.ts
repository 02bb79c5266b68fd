import { getPolicyCode, type PolicySummary } from '@maycrawl/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, startPostgres, type TestDatabase } from '../../../../client/test/support/postgres.ts';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { startService, type TestService } from '../../support/service.ts';
import { startMonitor, type TestMonitor } from '../../support/test-monitor.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const OPEN = 'User-agent: *\nDisallow: /cart\n';
const SECRET = 'https://hooks.example/services/T0/sesame';
const postgres = await findPostgres();

describe.each(['SQLite', 'PostgreSQL'])('%s', (kind) => {
  const isMissing = kind === 'PostgreSQL' && postgres === undefined;
  let server: TestDatabase | undefined;
  let monitor: TestMonitor;
  let service: TestService;
  let site: TestServer;
  let answer: string | number = OPEN;
  beforeAll(async () => {
    if (isMissing) return;
    if (kind === 'PostgreSQL' && postgres !== undefined) server = await startPostgres(postgres);
    monitor = await startMonitor(START, await server?.create('watch'));
    site = await serve((_request, response) => {
      if (typeof answer === 'number') response.writeHead(answer).end();
      else response.writeHead(200, { 'cache-control': 'max-age=60' }).end(answer);
    });
    service = await startService({ watch: monitor.database, now: () => monitor.now });
    const urls = await monitor.repository.storeText(
      'shop.txt',
      '/shop/a\n/shop/b\n/about\nhttps://other.example/\n',
    );
    const settings = {
      every: HOUR,
      confirm: 0,
      agents: ['Googlebot'],
      urls,
      notify: [SECRET, 'exec:mail sesame', 'log'],
    };
    await monitor.repository.addSites([site.origin], settings, () => START);
    await monitor.repository.addSites(
      Array.from({ length: 30 }, (_, index) => `https://shop-${String(index).padStart(2, '0')}.example`),
      { every: HOUR, confirm: 0, agents: [], notify: [] },
      () => START + 1e12,
    );
    for (const [what, hours] of [
      [OPEN, 2],
      [`${OPEN}Disallow: /shop/\n`, 1],
      [503, 14],
      [404, 1],
    ] as const) {
      answer = what;
      for (let hour = 0; hour < hours; hour++) {
        await monitor.check();
        monitor.now += 1.1 * HOUR;
      }
    }
  });
  afterAll(async () => {
    if (isMissing) return;
    await service.app.close();
    await site.close();
    await monitor.close();
    await server?.destroy();
  });

  const getPath = (route: string, more: Record<string, string> = {}): string =>
    `/v1/watch/${route}?${new URLSearchParams({ origin: site.origin, ...more })}`;

  test.skipIf(isMissing)(
    'the list of sites has pages, and is filtered by name, policy and events',
    async () => {
      const all: string[] = [];
      for (let after: string | null = ''; after !== null; ) {
        const query: URLSearchParams = new URLSearchParams({ limit: '20', ...(after && { after }) });
        const { status, body } = await service.get(`/v1/watch/sites?${query}`);
        expect(status).toBe(200);
        expect(body).toMatchObject({ total: 31 });
        all.push(...(body['sites'] as { origin: string }[]).map(({ origin }) => origin));
        after = body['next'] as string | null;
      }
      expect(all.length).toBe(31);
      expect(all).toEqual([...new Set(all)].sort());
      const findSites = async (query: string): Promise<object[]> =>
        (await service.get(`/v1/watch/sites?${query}`)).body['sites'] as object[];
      expect((await findSites('search=SHOP-1&limit=200')).length).toBe(10);
      expect((await findSites('policy=unknown&search=-07')).length).toBe(1);
      // A part of a name: "0" is in ten names, and in that of the site on loopback.
      expect((await findSites('search=-0&limit=200')).length).toBe(10);
      expect(await findSites('search=7.0.0')).toMatchObject([{ origin: site.origin }]);
      expect(await findSites(`search=${encodeURIComponent('bücher')}`)).toEqual([]);
      expect(await findSites('policy=rules')).toEqual([]);
      expect(await findSites('severity=error')).toEqual([]);
      expect(await findSites('severity=warning')).toMatchObject([
        {
          ...{ origin: site.origin, policy: { kind: 'allow-all', reason: 'unavailable' } },
          ...{ result: 'unavailable', status: 404, version: 4, checks: 18 },
          changedAt: new Date(START + 17 * 1.1 * HOUR).toISOString(),
          event: { kind: 'recovered', severity: 'warning' },
        },
      ]);
    },
  );

  test.skipIf(isMissing)(
    'the report of a site contains its versions, events and pending deliveries',
    async () => {
      const { body } = await service.get(getPath('site'));
      expect(body).toMatchObject({
        ...{ origin: site.origin, policy: { kind: 'allow-all', reason: 'unavailable' }, outage: null },
        moreVersions: false,
        settings: {
          urls: 'shop.txt',
          tests: null,
          notify: ['https://hooks.example/…', 'exec:mail …', 'log'].map((shown) => ({ shown, from: 'info' })),
        },
      });
      expect(body['versions']).toMatchObject([
        { number: 4, kind: 'unavailable', status: 404, bytes: null },
        { number: 3, kind: 'unreachable', status: 503 },
        { number: 2, kind: 'successful', bytes: 47 },
        { number: 1, kind: 'successful', bytes: 30, checks: 2 },
      ]);
      const kinds = (body['events'] as { kind: string }[]).map(({ kind: what }) => what);
      expect(kinds).toEqual(['recovered', 'outage-continues', 'unreachable', 'blocked', 'first']);
      expect(body['deliveries']).toContainEqual(
        expect.objectContaining({
          target: 'https://hooks.example/…',
          state: 'waiting',
          error: 'connection refused',
        }),
      );
      expect(JSON.stringify(body)).not.toContain('sesame');
      const older = await service.get(getPath('versions', { before: '3', limit: '1' }));
      expect(older.body['versions']).toMatchObject([{ number: 2 }]);
      const events = await service.get(getPath('events', { limit: '2' }));
      expect((events.body['events'] as object[]).length).toBe(2);
      expect((await service.get('/v1/watch/site?origin=https://nowhere.example')).status).toBe(404);
    },
  );

  test.skipIf(isMissing)('a version is returned, and two versions are compared', async () => {
    const { body } = await service.get(getPath('version', { number: '2' }));
    expect(Buffer.from(String(body['content']), 'base64').toString()).toBe(`${OPEN}Disallow: /shop/\n`);
    const compared = await service.get(getPath('compare', { before: '1', after: '2' }));
    expect(compared.body).toMatchObject({ equivalent: false });
    expect(compared.body['changes']).toContainEqual({
      ...{ agent: 'Googlebot', direction: 'blocked', example: '/shop/' },
      ...{ before: null, after: { line: 3, rule: 'disallow: /shop/' } },
    });
    expect((await service.get(getPath('compare', { before: '1', after: '4' }))).body['equivalent']).toBe(
      false,
    );
    expect((await service.get(getPath('compare', { before: '1', after: '3' }))).body['code']).toBe('no-file');
    expect((await service.get(getPath('compare', { before: '1', after: '9' }))).status).toBe(404);
    expect((await service.get(getPath('version', { number: '0' }))).status).toBe(400);
  });

  test.skipIf(isMissing)(
    'the history of URLs distinguishes outages and a missing file from rules',
    async () => {
      const { body } = await service.get(getPath('urls'));
      expect(body).toMatchObject({ total: 3, counted: 3, agents: ['Googlebot'] });
      const steps = body['steps'] as { policy: PolicySummary; allowed: number[]; version: number }[];
      expect(
        steps.map(({ version, policy, allowed }) => [version, getPolicyCode(policy), ...allowed]),
      ).toEqual([
        [1, 'rules', 3],
        [2, 'rules', 1],
        [3, 'unreachable', 0],
        [3, 'rules', 1],
        [4, 'unavailable', 3],
      ]);
      const last = await service.get(getPath('urls', { versions: '2' }));
      expect((last.body['steps'] as { version: number }[]).map(({ version }) => version)).toEqual([3, 3, 4]);
    },
  );

  test.skipIf(isMissing)('arbitrary requests cause no internal error', async () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '\0',
        '%',
        '_',
        "'",
        '0',
        '-1',
        '999999999',
        '2016-12-31T23:59:60Z',
        'https://h',
        'a\0b',
      ),
      fc.constantFrom(site.origin, 'https://[::1]:0', 'https://xn--.example', '\ud800', 'x'.repeat(3_000)),
    );
    const names = [
      'origin',
      'before',
      'after',
      'limit',
      'number',
      'versions',
      'search',
      'policy',
      'severity',
    ];
    const routes = ['sites', 'site', 'settings', 'events', 'versions', 'version', 'compare', 'urls'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.uniqueArray(fc.tuple(fc.constantFrom(...names), odd), {
          selector: ([name]) => name,
          maxLength: 3,
        }),
        async (route, parameters) => {
          const query = new URLSearchParams([
            ['origin', site.origin],
            ...parameters.filter(([name]) => name !== 'origin'),
          ]);
          for (const each of [query, new URLSearchParams(parameters)]) {
            const { status, body } = await service.get(`/v1/watch/${route}?${each}`);
            expect([status < 500, body['code']]).not.toEqual([false, body['code']]);
          }
        },
      ),
      { numRuns: 60 },
    );
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 3 }), odd, async (json, text) => {
        const body = {
          origin: text,
          every: 60_000,
          agents: [text],
          notify: [text],
          urls: text,
          tests: text,
          severity: {},
        };
        for (const sent of [json, { ...body, agents: [] }, { ...body, notify: [] }, { target: text }])
          for (const route of ['sites', `site?${new URLSearchParams({ origin: text })}`, 'test'])
            expect((await service.post(`/v1/watch/${route}`, sent)).status).toBeLessThan(500);
      }),
      { numRuns: 15 },
    );
  });
});

test('a service without a monitor has neither its routes nor its page', async () => {
  const service = await startService();
  for (const path of ['/v1/watch/sites', '/v1/watch/live', '/watch.html'])
    expect((await service.get(path)).status).toBe(404);
  await service.app.close();
});
