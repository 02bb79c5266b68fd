import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve } from '../../../../client/test/support/server.ts';
import type { SiteSettings } from '../../../src/watch/site.ts';
import { startService, type TestService } from '../../support/service.ts';
import { startMonitor, type TestMonitor } from '../../support/test-monitor.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const SITE = 'https://shop.example';
const SECRET = 'https://hooks.example/services/T0/sesame';
const KEPT = [SECRET, "exec:mail 'sesame street'", 'feed:/srv/feed.xml', 'env:PATH'];

let monitor: TestMonitor;
let service: TestService;
beforeAll(async () => {
  monitor = await startMonitor(START);
  service = await startService({ watch: monitor.database, now: () => monitor.now });
});
afterAll(async () => {
  await service.app.close();
  await monitor.close();
});

const usual = { every: HOUR, agents: ['googlebot', 'my-crawler'], notify: ['log'], severity: {} };
const getSettings = async (origin: string): Promise<Partial<SiteSettings>> => {
  const row = await monitor.repository.site(origin);
  return row === undefined ? {} : monitor.repository.settingsIn(row);
};
const getPath = (route: string, origin: string): string =>
  `/v1/watch/${route}?${new URLSearchParams({ origin })}`;

test('a site is added, changed and removed', async () => {
  const urls = '/a\n/b\n';
  const tests = '- agent: Googlebot\n  allow: [/]\n';
  const added = await service.post('/v1/watch/sites', { origin: `${SITE}/x`, ...usual, urls, tests });
  expect(added).toEqual({ status: 200, body: { origin: SITE } });
  expect(await getSettings(SITE)).toMatchObject({
    ...{ every: HOUR, agents: ['Googlebot', 'my-crawler'], notify: ['log'] },
    ...{ urls: { name: 'urls.txt' }, tests: { name: 'robots.test.yaml' } },
  });
  expect((await service.get(getPath('settings', SITE))).body).toEqual({
    ...{ every: HOUR, confirm: 120_000, agents: ['Googlebot', 'my-crawler'], severity: {}, urls, tests },
    notify: [{ index: 0, shown: 'log', from: 'info' }],
  });
  const again = await service.post('/v1/watch/sites', { origin: SITE, ...usual });
  expect(again).toMatchObject({ status: 409, body: { code: 'already-watched' } });
  const changed = {
    ...usual,
    agents: [],
    notify: ['mailto:a@shop.example'],
    severity: { blocked: 'error' },
  };
  expect((await service.post(getPath('site', SITE), { ...changed, tests: null })).status).toBe(200);
  const after = await getSettings(SITE);
  // Omitted settings stay.
  expect(after).toMatchObject({ agents: [], urls: { name: 'urls.txt' }, severity: { blocked: 'error' } });
  expect(after).not.toHaveProperty('tests');
  expect((await service.get(getPath('site', SITE), { method: 'DELETE' })).status).toBe(200);
  expect((await service.get(getPath('site', SITE), { method: 'DELETE' })).status).toBe(404);
  expect((await service.post(getPath('site', SITE), usual)).status).toBe(404);
});

test('targets that run programs, write files or read the environment are neither accepted nor shown, and stay', async () => {
  await monitor.repository.addSites([SITE], { every: HOUR, agents: [], notify: KEPT }, () => START);
  const { body } = await service.get(getPath('settings', SITE));
  expect(JSON.stringify(body)).not.toContain('sesame');
  const shown = body['notify'] as { index: number; shown: string }[];
  expect(shown.map((each) => each.shown)).toEqual([
    ...['https://hooks.example/…', 'exec:mail …', 'feed:/srv/feed.xml', 'env:PATH'],
  ]);
  const slack = { target: 'slack:https://hooks.example/x', from: 'error' };
  const notify = [...shown.map((each, index) => (index === 0 ? { ...each, from: 'warning' } : each)), slack];
  expect((await service.post(getPath('site', SITE), { ...usual, notify })).status).toBe(200);
  const stored = await getSettings(SITE);
  expect(stored['notify']).toEqual([...KEPT, slack.target]);
  expect(stored['notifyFrom']).toEqual({ [KEPT[0] as string]: 'warning', [slack.target]: 'error' });
  for (const target of ['exec:touch /tmp/x', 'feed:/etc/passwd', 'env:HOME', 'EXEC:id', 'gopher://x', ''])
    for (const [path, sent] of [
      [getPath('site', SITE), { ...usual, notify: [target] }],
      ['/v1/watch/sites', { origin: 'https://new.example', ...usual, notify: [target] }],
      ['/v1/watch/test', { target }],
    ] as const)
      expect([target, path, (await service.post(path, sent)).status]).toEqual([target, path, 400]);
  // A client can neither discover nor move another target by guessing.
  for (const guess of [
    { index: 0, shown: 'log', from: 'info' },
    { index: 9, shown: 'log', from: 'info' },
    { index: 1, shown: 'exec:mail', from: 'info' },
  ]) {
    const answer = await service.post(getPath('site', SITE), { ...usual, notify: [guess] });
    expect(answer).toMatchObject({ status: 409, body: { code: 'changed-meanwhile' } });
  }
  expect(((await getSettings(SITE))['notify'] as string[]).length).toBe(5);
  await monitor.repository.removeSites([SITE]);
});

test.each([
  ['a short interval', { every: 59_999 }],
  ['an invalid crawler', { agents: ['!'] }],
  ['invalid tests', { tests: '- agent: x\n  allow: [gopher://x]\n' }],
  ['invalid YAML', { tests: '{' }],
  ['an invalid severity', { severity: { blocked: 'bad' } }],
  ['an unknown aspect', { severity: { constructor: 'info' } }],
  ['an unknown field', { secret: 1 }],
  ['a list of too many targets', { notify: Array.from({ length: 21 }, () => 'log') }],
  ['a long URL', { urls: 'x'.repeat(70_000) }],
  ['a list of too many URLs', { urls: '\n'.repeat(100_001) }],
  ['an invalid origin', { origin: 'nowhere' }],
  ['another scheme', { origin: 'gopher://h/' }],
])('%s is refused, and no site is stored', async (_name, part) => {
  const { status } = await service.post('/v1/watch/sites', {
    origin: 'https://new.example',
    ...usual,
    ...part,
  });
  expect(status).toBe(400);
  expect(await monitor.repository.site('https://new.example')).toBeUndefined();
});

test('pages of other sites cannot change the monitor', async () => {
  const send = async (headers: Record<string, string>, path = '/v1/watch/sites'): Promise<number> => {
    const body = JSON.stringify({ origin: 'https://new.example', ...usual });
    const json = { 'content-type': 'application/json', ...headers };
    return new Promise((resolve, reject) => {
      const { port } = new URL(service.address);
      const sent = httpRequest(
        { port, host: '127.0.0.1', path, method: 'POST', headers: json },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      sent.on('error', reject).end(body);
    });
  };
  for (const refused of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: service.address.replace('127.0.0.1', 'localhost') },
  ])
    expect([refused, await send(refused)]).toEqual([refused, 403]);
  for (const refused of [
    // DNS rebinding: a name of the attacker that resolves to this machine.
    { host: 'evil.example' },
    { host: 'evil.example', 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
    { host: 'evil.example', 'x-forwarded-host': 'localhost' },
    { host: '127.0.0.1.evil.example' },
    { host: 'localhost.evil.example' },
  ])
    expect([refused, await send(refused)]).toEqual([refused, 421]);
  // A proxy sends the address of its client: a monitor without tokens is only for this machine.
  for (const forwarded of [
    { 'x-forwarded-for': '192.0.2.1' },
    { forwarded: 'for=192.0.2.1' },
    { via: '1.1 proxy' },
  ])
    expect([forwarded, await send(forwarded)]).toEqual([forwarded, 401]);
  expect(await send({ 'content-type': 'text/plain' })).toBe(415);
  expect(await send({ 'content-type': 'application/x-www-form-urlencoded' })).toBe(415);
  expect(await send({ 'content-type': 'application/x-ndjson' })).toBe(415);
  expect(await monitor.repository.site('https://new.example')).toBeUndefined();
  // They cannot read anything under their own name either.
  const status = await new Promise((resolve) => {
    const { port } = new URL(service.address);
    const headers = { host: 'evil.example' };
    httpRequest({ port, host: '127.0.0.1', path: '/v1/watch/sites', headers }, (response) =>
      resolve(response.resume().statusCode),
    ).end();
  });
  expect(status).toBe(421);
  for (const allowed of [
    { 'sec-fetch-site': 'same-origin', origin: service.address },
    { origin: service.address },
    { host: 'localhost' },
    {},
  ]) {
    expect([allowed, await send(allowed)]).toEqual([allowed, 200]);
    await monitor.repository.removeSites(['https://new.example']);
  }
});

test('with tokens only clients with a token read and change the monitor', async () => {
  const guarded = await startService({ watch: monitor.database, tokens: ['sesame'] });
  for (const path of ['/v1/watch/sites', getPath('site', SITE), '/v1/watch/live', getPath('urls', SITE)])
    expect((await guarded.get(path)).status).toBe(401);
  expect((await guarded.post('/v1/watch/sites', { origin: SITE, ...usual })).status).toBe(401);
  const headers = { authorization: 'Bearer sesame' };
  expect((await guarded.get('/v1/watch/sites', { headers })).status).toBe(200);
  await guarded.app.close();
});

test('a test message is sent to a target, and the result contains no secret', async () => {
  const messages: string[] = [];
  const hook = await serve((request, response) => {
    request.on('data', (chunk) => messages.push(String(chunk)));
    request.on('end', () => response.writeHead(request.url === '/sesame' ? 200 : 500).end());
  });
  const good = await service.post('/v1/watch/test', { target: `${hook.origin}/sesame` });
  expect(good.body).toEqual({ target: `${hook.origin}/…`, delivered: true, reason: null });
  expect(messages.join('')).toContain('A test message of maycrawl');
  const bad = await service.post('/v1/watch/test', { target: `${hook.origin}/open-sesame` });
  expect(bad.body).toMatchObject({ delivered: false, reason: expect.stringContaining('500') });
  expect(JSON.stringify(bad.body)).not.toContain('sesame');
  const guarded = await startService({ watch: monitor.database, allowPrivateAddresses: false });
  const inside = await guarded.post('/v1/watch/test', { target: `${hook.origin}/sesame` });
  expect(inside.body).toMatchObject({ delivered: false });
  expect(hook.requests.length).toBe(2);
  await guarded.app.close();
  await hook.close();
});

test('private addresses are only accepted on the command line, and stay when other settings change', async () => {
  const closed = await startService({
    watch: monitor.database,
    now: () => monitor.now,
    allowPrivateAddresses: false,
  });
  const privateUrls = ['http://127.0.0.1:8080', 'http://[::1]', 'http://10.1.2.3', 'http://localhost:1'];
  for (const url of privateUrls) {
    const site = await closed.post('/v1/watch/sites', { origin: url, ...usual });
    expect([url, site]).toEqual([
      url,
      {
        status: 400,
        body: expect.objectContaining({ code: 'private-address', title: 'Private addresses are refused' }),
      },
    ]);
    expect(site.body['detail']).toMatch(/"maycrawl watch add", or start .* --allow-private$/);
    expect(await monitor.repository.site(url)).toBeUndefined();
    for (const target of [`${url}/hook`, `slack:${url}/hook`]) {
      const origin = 'https://93.184.215.14';
      const refused = await closed.post('/v1/watch/sites', { origin, ...usual, notify: [target] });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid-target' } });
      expect(await monitor.repository.site(origin)).toBeUndefined();
    }
  }
  // The operator has allowed the addresses, and a client changes other settings.
  const [origin, open] = ['http://127.0.0.1:8080', 'http://127.0.0.1:9090/hook'] as const;
  const settings = { every: HOUR, agents: [], notify: [open, 'log'] };
  await monitor.repository.addSites(
    [origin],
    { ...settings, isOriginOpen: true, openTargets: [open] },
    () => START,
  );
  const { body } = await closed.get(getPath('settings', origin));
  const notify = body['notify'] as object[];
  expect((await closed.post(getPath('site', origin), { ...usual, notify })).status).toBe(200);
  expect(await getSettings(origin)).toMatchObject({
    isOriginOpen: true,
    openTargets: [open],
    notify: settings.notify,
  });
  // A public target that a client adds may not resolve to a private address.
  const more = [...notify, 'https://93.184.215.14/hook'];
  expect((await closed.post(getPath('site', origin), { ...usual, notify: more })).status).toBe(200);
  expect((await getSettings(origin))['openTargets']).toEqual([open]);
  await monitor.repository.removeSites([origin]);
  await closed.app.close();
});
