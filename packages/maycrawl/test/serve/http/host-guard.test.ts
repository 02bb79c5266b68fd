import { request as startRequest } from 'node:http';
import { expect, test } from 'vitest';
import { getHostName, HostGuard } from '../../../src/serve/http/host-guard.ts';
import { runHere } from '../../support/run-here.ts';
import { getDecisionPath, startService } from '../../support/service.ts';

test.each([
  ['localhost', true],
  ['localhost:8080', true],
  ['a.localhost', true],
  ['LOCALHOST.', true],
  ['127.0.0.1', true],
  ['127.9.9.9:1', true],
  ['[::1]:8080', true],
  ['robots.example.net', true],
  ['ROBOTS.example.net.:80', true],
  ['198.51.100.7', true],
  ['other.example.net', false],
  ['localhost.example.net', false],
  ['127.0.0.1.example.net', false],
  ['192.0.2.1', false],
  ['[2001:db8::1]', false],
  ['', false],
  ['localhost/', false],
  ['evil@localhost', false],
  ['localhost, evil.example', false],
  ['x'.repeat(10_000), false],
])('a service of this machine answers for the host %j: %j', (host, isAllowed) => {
  const guard = new HostGuard(['127.0.0.1', 'robots.example.net', '198.51.100.7']);
  // The second result is cached.
  for (let time = 0; time < 2; time++) expect(guard.isAllowed(host, '127.0.0.1')).toBe(isAllowed);
});

test('a service on all addresses accepts every address, and only the given names', () => {
  const guard = new HostGuard(['0.0.0.0', 'robots.example.net']);
  expect(guard.isAllowed('192.0.2.1:8080', '192.0.2.1')).toBe(true);
  expect(guard.isAllowed('[2001:db8::1]', '2001:db8::1')).toBe(true);
  expect(guard.isAllowed('robots.example.net', '192.0.2.1')).toBe(true);
  expect(guard.isAllowed('evil.example', '192.0.2.1')).toBe(false);
});

test('an invalid host has no name', () => {
  for (const text of ['a b', 'http://a', 'a:b', 'a:1:2', '[', 'a/b', 'a?b', 'ä'])
    expect(getHostName(text)).toBe('');
});

test('every route and the fast path accept only the hosts of the service', async () => {
  const service = await startService({ hosts: ['robots.example.net'] });
  const get = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const { port } = new URL(service.address);
      const sent = startRequest({ port, host: '127.0.0.1', path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on('error', reject).end();
    });
  try {
    const decide = getDecisionPath('http://127.0.0.1:1/');
    // The file is cached from now on.
    await service.get(decide);
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/v1/none', decide]) {
      const refused = await get(path, { host: 'evil.example', 'x-forwarded-host': 'localhost' });
      expect([path, refused.status]).toEqual([path, 421]);
      expect(JSON.parse(refused.text)).toMatchObject({ code: 'misdirected' });
      for (const host of ['localhost', 'robots.example.net'])
        expect([path, (await get(path, { host })).status]).not.toEqual([path, 421]);
    }
    expect((await (await fetch(`${service.address}/metrics`)).text()).includes('code="misdirected"} 6')).toBe(
      true,
    );
  } finally {
    await service.app.close();
  }
});

test.each([
  [
    'a network of all addresses as proxies',
    ['--trust-proxy', '0.0.0.0/0'],
    /--trust-proxy must be an IP address/,
  ],
  ['a host with a path', ['--allowed-host', 'a/b'], /--allowed-host must be a host name or an address/],
  [
    'the monitor behind a proxy without tokens',
    ['--watch-database', 'x.sqlite', '--trust-proxy', '127.0.0.1'],
    /give a --token-file/,
  ],
])('%s is refused in one line with exit code 2', async (_name, args, message) => {
  const { code, stderr } = await runHere(['serve', '--port', '0', '--database', 'none', ...args]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
