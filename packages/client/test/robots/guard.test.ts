import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Resolver } from '../../src/http/dns/resolver.ts';
import { fetchRobotsTxt } from '../../src/robots/fetch.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serve } from '../support/server.ts';

const resolveTo = (...addresses: string[]): Resolver => ({ resolve: async () => addresses });

describe('with allowPrivateAddresses: false', () => {
  const blocked = { kind: 'unreachable', code: 'private-address' };

  test.each([
    ...[
      'http://127.0.0.1',
      'http://2130706433',
      'http://0x7f.1',
      'http://0177.0.0.1',
      'http://127.1',
      'http://0',
    ],
    ...[
      'http://[::1]',
      'http://[::ffff:127.0.0.1]',
      'http://[::ffff:7f00:1]',
      'http://169.254.169.254',
      'http://localhost',
    ],
  ])('%s is refused', async (host) => {
    const server = await closeAtEnd(serve((_request, response) => response.end('x')));
    const { port } = new URL(server.origin);
    expect(
      await fetchRobotsTxt(`${host}:${port}/robots.txt`, { allowPrivateAddresses: false }),
    ).toMatchObject(blocked);
    expect(server.requests).toEqual([]);
  });

  test('a name with one private address is refused', async () => {
    const server = await closeAtEnd(serve((_request, response) => response.end('x')));
    const { port } = new URL(server.origin);
    const url = `http://public.example:${port}/robots.txt`;
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['127.0.0.1', '2606:4700::1']]) {
      const resolver = resolveTo(...addresses);
      expect(await fetchRobotsTxt(url, { allowPrivateAddresses: false, resolver })).toMatchObject({
        ...blocked,
        message: 'private-address: not a public address: public.example, which is 127.0.0.1',
      });
    }
    expect(server.requests).toEqual([]);
    // Without the option, the same name is allowed.
    expect(await fetchRobotsTxt(url, { resolver: resolveTo('127.0.0.1') })).toMatchObject({
      kind: 'successful',
    });
  });
});

/** Returns whether this user may create a network namespace, in which loopback can have any address. */
function canCreateNetwork(): boolean {
  const { status } = spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']);
  return status === 0;
}

test.skipIf(!canCreateNetwork())('a public site does not lead to a private one by a redirect', () => {
  const script = fileURLToPath(new URL('../support/redirected-inside.mjs', import.meta.url));
  const commands = 'ip link set lo up && ip addr add 8.8.8.8/32 dev lo && exec "$0" "$1" 8.8.8.8';
  const { stdout, stderr } = spawnSync('unshare', ['-n', 'sh', '-c', commands, process.execPath, script], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const { result, requested } = JSON.parse(stdout);
  expect(result).toMatchObject({
    kind: 'unreachable',
    code: 'private-address',
    hops: [{ status: 302 }],
  });
  expect(requested).toEqual(['8.8.8.8']);
});

test.each([
  new TypeError('resolve4 is not a function'),
  new ReferenceError('promises is not defined'),
  new RangeError('Invalid array length'),
])('an error of the program is thrown, and is no outage of the site: %s', async (error) => {
  const resolver = { resolve: () => Promise.reject(error) };
  await expect(fetchRobotsTxt('http://site.example/robots.txt', { resolver })).rejects.toBe(error);
});

test('an error of the network is a result: the site is unreachable', async () => {
  const cause = Object.assign(new SyntaxError('invalid names'), { code: 'ERR_TLS_CERT_ALTNAME_FORMAT' });
  const resolver = { resolve: () => Promise.reject(cause) };
  expect(await fetchRobotsTxt('http://site.example/robots.txt', { resolver })).toMatchObject({
    ...{ kind: 'unreachable', code: 'network', cause },
  });
});
