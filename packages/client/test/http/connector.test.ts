import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/http/address-policy.ts';
import { type ConnectionOptions, connectTo } from '../../src/http/connector.ts';
import { createResolver, type Resolver } from '../../src/http/dns/resolver.ts';
import { ConnectionPool } from '../../src/http/pool/connection-pool.ts';
import { fetchRobotsTxt } from '../../src/robots/fetch.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { NO_SUCH_NAME, startNameServer } from '../support/dns.ts';
import { serveFtp } from '../support/ftp.ts';
import { serve } from '../support/server.ts';

/** A resolver for which each call gives the next of some results. */
function resolveInTurn(...results: (readonly string[])[]): Resolver & { readonly names: string[] } {
  const names: string[] = [];
  return {
    names,
    resolve: async (name) => {
      names.push(name);
      return results[Math.min(names.length, results.length) - 1] ?? [];
    },
  };
}

const signal = new AbortController().signal;
const refused = { kind: 'unreachable', code: 'private-address' };

test.each([
  ['localhost', 'localhost'],
  ['localhost.', 'localhost'],
])('the name for TLS has no dot at its end (RFC 6066): %s', async (host, expected) => {
  const certificates = new URL('../support/certificates/', import.meta.url);
  const read = (name: string): Buffer => readFileSync(new URL(name, certificates));
  const names: string[] = [];
  const server = createTlsServer(
    {
      ...{ key: read('server.key'), cert: read('valid.pem') },
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    },
    (socket) => socket.on('error', () => {}),
  ).on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://${host}:${(server.address() as AddressInfo).port}/`;
  const policy = createAddressPolicy({ allowPrivateAddresses: true });
  // The certificate is of an authority that is not trusted: the name comes first.
  await expect(
    connectTo(url, { resolver: resolveInTurn(['127.0.0.1']), policy, signal }),
  ).rejects.toMatchObject({
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
  await new Promise((resolve) => server.close(resolve));
  expect(names).toEqual([expected]);
});

describe('the address that was checked is the one that is connected to', () => {
  test('a name whose addresses change between two responses (DNS rebinding)', async () => {
    const server = await closeAtEnd(serve((_request, response) => response.end('x')));
    const { port } = new URL(server.origin);
    let count = 0;
    const names = await closeAtEnd(
      startNameServer((name, type) => {
        if (!name.startsWith('rebound')) return NO_SUCH_NAME;
        if (type === 'A') count++;
        return { addresses: count <= 1 ? ['192.0.2.1'] : ['127.0.0.1'], ttl: 0 };
      }),
    );
    let now = 0;
    const resolver = createResolver({ servers: [names.server], hostsPath: '/none', now: () => now });
    const policy = createAddressPolicy();
    const options: ConnectionOptions = { resolver, policy, signal };
    const url = `http://rebound.test:${port}/`;
    // 192.0.2.1 is refused too, as a documentation address. Each connection is checked with its own addresses.
    for (const address of ['192.0.2.1', '192.0.2.1', '127.0.0.1']) {
      await expect(connectTo(url, options)).rejects.toMatchObject({ code: 'private-address', address });
      if (address === '192.0.2.1' && count === 1) now += 3_000;
    }
    expect(server.requests).toEqual([]);
  });

  test('a name is looked up once for a connection', async () => {
    const server = await closeAtEnd(serve((_request, response) => response.end('x')));
    const resolver = resolveInTurn(['127.0.0.1'], ['169.254.169.254']);
    const url = `http://site.test:${new URL(server.origin).port}/robots.txt`;
    expect(await fetchRobotsTxt(url, { resolver })).toMatchObject({ kind: 'successful' });
    expect(resolver.names).toEqual(['site.test']);
    // The next connection gets the other address, which an open name must not lead to.
    expect(await fetchRobotsTxt(url, { resolver })).toMatchObject(refused);
  });

  test('the connection for FTP data: whatever the reply names, it goes to the same address', async () => {
    const elsewhere = await closeAtEnd(serve((_request, response) => response.end('x')));
    const port = Number(new URL(elsewhere.origin).port);
    const host = `10,0,0,1,${port >> 8},${port & 255}`;
    const server = await closeAtEnd(serveFtp({ replies: { EPSV: '500 no', PASV: `227 passive (${host})` } }));
    const resolver = resolveInTurn(['127.0.0.1'], ['10.0.0.1']);
    const url = server.origin.replace('127.0.0.1', 'site.test');
    expect(await fetchRobotsTxt(`${url}/robots.txt`, { resolver, timeout: 2_000 })).toMatchObject({
      kind: 'unreachable',
    });
    expect(resolver.names).toEqual(['site.test', '127.0.0.1']);
  });
});

describe('a redirect from an open origin', () => {
  test.each([
    ['another port', (port: string) => `http://127.0.0.1:${port}/`],
    ['another name of the same address', (port: string) => `http://localhost:${port}/`],
    ['an address in short', (port: string) => `http://127.1:${port}/`],
    ['an address as one number', (port: string) => `http://2130706433:${port}/`],
    ['an address in octal', (port: string) => `http://0177.0.0.1:${port}/`],
    ['an address in hex', (port: string) => `http://0x7f.0.0.1:${port}/`],
    ['no address', (port: string) => `http://0.0.0.0:${port}/`],
    ['no address of IPv6', (port: string) => `http://[::]:${port}/`],
    ['IPv6 loopback', (port: string) => `http://[::1]:${port}/`],
    ['a mapped address', (port: string) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['the local use prefix of NAT64', (port: string) => `http://[64:ff9b:1::7f00:1]:${port}/`],
    ['6to4', (port: string) => `http://[2002:7f00:1::]:${port}/`],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
    ['its IPv6 address', () => 'http://[fd00:ec2::254]/'],
    ['the host of a virtual machine', () => 'http://168.63.129.16/'],
    ['user information that looks like a host', (port: string) => `http://example.com@127.0.0.1:${port}/`],
    ['an open origin as user information', (port: string) => `http://127.0.0.1:${port}@localhost:${port}/`],
    ['a name with a dot at its end', (port: string) => `http://localhost.:${port}/`],
    ['a name under localhost', (port: string) => `http://public.example.localhost:${port}/`],
    ['full-width digits', (port: string) => `http://１２７.0.0.1:${port}/`],
    ['an ideographic full stop', (port: string) => `http://127。0。0。1:${port}/`],
  ])('does not lead to %s', async (_name, getLocation) => {
    const inside = await closeAtEnd(serve((_request, response) => response.end('secret')));
    const { port } = new URL(inside.origin);
    const outside = await closeAtEnd(
      serve((request, response) => {
        // By way of itself, which is open.
        const location = request.url === '/robots.txt' ? '/again' : getLocation(port);
        response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end();
      }),
    );
    expect(await fetchRobotsTxt(`${outside.origin}/robots.txt`)).toMatchObject({
      ...refused,
      hops: { length: 2 },
    });
    expect(inside.requests).toEqual([]);
  });

  test.each([22, 25, 6000])(
    'does not lead to the blocked port %d, with allowPrivateAddresses neither',
    async (port) => {
      const outside = await closeAtEnd(
        serve((_request, response) =>
          response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end(),
        ),
      );
      const outcome = await fetchRobotsTxt(`${outside.origin}/robots.txt`, { allowPrivateAddresses: true });
      expect(outcome).toMatchObject({ kind: 'unreachable', code: 'blocked-port' });
    },
  );

  test('leads back to it, and to any address with allowPrivateAddresses', async () => {
    const inside = await closeAtEnd(serve((_request, response) => response.end('x')));
    const outside = await closeAtEnd(
      serve((request, response) => {
        if (request.url === '/found') response.end('x');
        else
          response
            .writeHead(302, { location: request.url === '/robots.txt' ? '/found' : inside.origin })
            .end();
      }),
    );
    expect(await fetchRobotsTxt(`${outside.origin}/robots.txt`)).toMatchObject({ kind: 'successful' });
    const other = `${outside.origin}/other`;
    expect(await fetchRobotsTxt(other)).toMatchObject(refused);
    expect(await fetchRobotsTxt(other, { allowPrivateAddresses: true })).toMatchObject({
      kind: 'successful',
    });
    expect(await fetchRobotsTxt(other, { allowPrivateAddresses: false })).toMatchObject({
      ...refused,
      hops: [],
    });
  });
});

describe('a pool', () => {
  test('uses no connection of an open origin for another origin', async () => {
    const inside = await closeAtEnd(serve((_request, response) => response.end('x')));
    const { port } = new URL(inside.origin);
    const policy = createAddressPolicy({ openOrigins: [inside.origin] });
    const resolver = resolveInTurn(['127.0.0.1']);
    const pool = await closeAtEnd(
      new ConnectionPool({ connections: 1, timeout: 20_000, resolver, addressPolicy: policy }),
    );
    const get = async (url: string): Promise<string> => {
      const headers = { host: `127.0.0.1:${port}` };
      const { body } = await pool.collect(url, { headers, maxBytes: 10, isRead: () => true });
      return Buffer.from(body).toString();
    };
    expect(await get(`${inside.origin}/a`)).toBe('x');
    await expect(get(`http://site.test:${port}/b`)).rejects.toMatchObject({ code: 'private-address' });
    expect(inside.requests).toEqual(['/a']);
  });
});

test('proxies in the environment are not used', async () => {
  const [site, proxy] = [
    await closeAtEnd(serve((_request, response) => response.end('x'))),
    await closeAtEnd(serve((_request, response) => response.end('proxied'))),
  ];
  const before = { ...process.env };
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']) process.env[name] = proxy.origin;
  process.env['NODE_USE_ENV_PROXY'] = '1';
  try {
    expect(await fetchRobotsTxt(`${site.origin}/robots.txt`)).toMatchObject({ kind: 'successful' });
  } finally {
    process.env = before;
  }
  expect(proxy.requests).toEqual([]);
  expect(site.requests).toEqual(['/robots.txt']);
});

describe('several addresses', () => {
  test('the first that accepts is used', async () => {
    const server = await closeAtEnd(serve((_request, response) => response.end('x'), '127.0.0.3'));
    const url = `http://site.test:${new URL(server.origin).port}/robots.txt`;
    const resolver = resolveInTurn(['127.0.0.1', '127.0.0.2', '127.0.0.3']);
    expect(await fetchRobotsTxt(url, { resolver })).toMatchObject({ kind: 'successful' });
  });

  test('none accepts: one error with the code of the first', async () => {
    const resolver = resolveInTurn(['127.0.0.1', '127.0.0.2']);
    expect(await fetchRobotsTxt('http://site.test:2/robots.txt', { resolver })).toMatchObject({
      kind: 'unreachable',
      code: 'network',
      message: 'connect ECONNREFUSED 127.0.0.1:2',
    });
  });

  test('a thousand of them: only some are tried', async () => {
    const addresses = Array.from({ length: 1_000 }, (_, index) => `127.1.${index >> 8}.${index & 255}`);
    const { cause } = (await fetchRobotsTxt('http://site.test:2/robots.txt', {
      resolver: resolveInTurn(addresses),
    })) as { cause?: AggregateError };
    expect(cause?.errors).toHaveLength(6);
  });
});

test('a runtime whose HTTP client cannot be guarded is an error, and no site is unreachable', async () => {
  Object.defineProperty(process.versions, 'bun', { value: '1.0.0', configurable: true });
  try {
    const fetching = fetchRobotsTxt('http://127.0.0.1:2/robots.txt');
    await expect(fetching).rejects.toMatchObject({
      code: 'unsupported-runtime',
      message: expect.stringContaining('Bun'),
    });
  } finally {
    delete (process.versions as { bun?: string }).bun;
  }
});
