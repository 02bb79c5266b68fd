import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { Problem } from '../../../src/serve/http/problems.ts';
import { getClientKey } from '../../../src/serve/limits/client-key.ts';
import { Clients } from '../../../src/serve/limits/clients.ts';
import { LIMITS } from '../../../src/serve/limits/limits.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['192.0.2.1:50123', '192.0.2.1'],
  ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['any text 1', 'unknown'],
  ['', 'unknown'],
])('the client of %s is %s', (address, key) => {
  expect(getClientKey(address)).toBe(key);
});

test('a client has a limited share of each resource, and a second release has no effect', () => {
  const clients = new Clients({ limits: { ...LIMITS, clientStreams: 2 } });
  const [first, second] = [clients.get('192.0.2.1'), clients.get('192.0.2.2')];
  const release = first.take('streams');
  first.take('streams');
  expect(() => first.take('streams')).toThrow(expect.objectContaining({ code: 'client-limit' }));
  expect(clients.get('192.0.2.1')).toBe(first);
  second.take('streams');
  release();
  release();
  first.take('streams');
  expect(() => first.take('streams')).toThrow(expect.objectContaining({ code: 'client-limit' }));
});

/** Takes a resource until it is refused. @returns how many were taken. */
function takeAll(clients: Clients, address: string, resource: 'requests' | 'streams'): number {
  for (let count = 0; ; count++)
    try {
      clients.get(address).take(resource);
    } catch (error) {
      expect(error).toMatchObject({ code: 'client-limit' });
      return count;
    }
}

test('clients that use their whole share leave some for the next client', () => {
  const clients = new Clients({ limits: { ...LIMITS, requests: 1_000, clientRequests: 500 } });
  let free = 1_000;
  for (let index = 1; index <= 6; index++) {
    const taken = takeAll(clients, `192.0.2.${index}`, 'requests');
    expect(taken).toBe(Math.ceil(free / 2));
    free -= taken;
  }
  const release = clients.get('198.51.100.1').take('requests');
  release();
  // The fixed limit of one client applies if it is lower.
  const others = new Clients({ limits: { ...LIMITS, streams: 100, clientStreams: 20 } });
  expect(takeAll(others, '192.0.2.1', 'streams')).toBe(20);
});

test('when a resource is used up, the next client is refused as overloaded', () => {
  const clients = new Clients({ limits: { ...LIMITS, requests: 2, clientRequests: 2 } });
  const releases = ['192.0.2.1', '192.0.2.2'].map((address) => clients.get(address).take('requests'));
  expect(() => clients.get('192.0.2.3').take('requests')).toThrow(
    expect.objectContaining({ code: 'overloaded' }),
  );
  for (const release of releases) release();
  clients.get('192.0.2.3').take('requests');
});

test('the clients of one /48 network share what one client may use at the same time', () => {
  const clients = new Clients({ limits: { ...LIMITS, requests: 1_000, clientRequests: 500 } });
  let taken = 0;
  for (let index = 1; index <= 900; index++)
    try {
      clients.get(`2001:db8:7:${index.toString(16)}::1`).take('requests');
      taken++;
    } catch (error) {
      expect(error).toMatchObject({ code: 'client-limit' });
    }
  expect(taken).toBe(500);
  clients.get('2001:db8:8::1').take('requests');
});

test('the bytes of a body are released together', () => {
  const clients = new Clients({ limits: { ...LIMITS, allBodyBytes: 100, clientBodyBytes: 100 } });
  const client = clients.get('192.0.2.1');
  const share = client.open('bodyBytes');
  share.add(30);
  share.add(20);
  expect(() => share.add(1)).toThrow(expect.objectContaining({ code: 'client-limit' }));
  share.release();
  share.release();
  client.open('bodyBytes').add(50);
});

test('the rate limit of a client starts again every minute', () => {
  let now = 0;
  const clients = new Clients({ limits: LIMITS, rateLimit: 3, now: () => now });
  const client = clients.get('2001:db8::1');
  client.countRequests(3);
  now += 40_000;
  expect(() => clients.get('2001:db8::2').countRequests()).toThrow(
    expect.objectContaining({ code: 'rate-limited', headers: { 'retry-after': '20' } }),
  );
  clients.get('2001:db9::1').countRequests();
  now += 20_000;
  client.countRequests();
});

test('only the most recently used accounts stay in memory', () => {
  const clients = new Clients({ limits: LIMITS });
  const [used, unused] = [clients.get('192.0.2.1'), clients.get('192.0.2.2')];
  for (let index = 0; index < 60_000; index++) {
    clients.get(`10.0.${index >> 8}.${index & 255}`);
    if (index % 1_000 === 0) clients.get('192.0.2.1');
  }
  expect(clients.get('192.0.2.1')).toBe(used);
  expect(clients.get('192.0.2.2')).not.toBe(unused);
});

test('the clients of one /48 network share a rate limit, which is that of several clients', () => {
  let now = 0;
  const limits = { ...LIMITS, siteClients: 4 };
  const clients = new Clients({ limits, rateLimit: 10, now: () => now });
  const send = (network: number): string => {
    try {
      clients.get(`2001:db8:7:${network.toString(16)}::1`).countRequests();
      return 'ok';
    } catch (error) {
      return (error as Problem).code;
    }
  };
  const results = Array.from({ length: 100 }, (_, index) => send(index));
  expect(results.filter((each) => each === 'ok').length).toBe(40);
  expect(new Set(results.slice(40))).toEqual(new Set(['rate-limited']));
  clients.get('2001:db8:8::1').countRequests();
  now += 60_000;
  expect(send(1)).toBe('ok');
});

test('the clients of one /48 network share an amount of time for work', () => {
  const limits = { ...LIMITS, clientWorkTime: 10, siteClients: 2 };
  const clients = new Clients({ limits, now: () => 0 });
  const [first, second, third] = [1, 2, 3].map((index) => clients.get(`2001:db8:7:${index}::1`));
  first?.addWork(10);
  expect(() => first?.requireWork()).toThrow(expect.objectContaining({ code: 'rate-limited' }));
  second?.requireWork();
  second?.addWork(10);
  expect(() => third?.requireWork()).toThrow(expect.objectContaining({ code: 'rate-limited' }));
});

test('the time of computations counts, and that of one that fails too', () => {
  let now = 0;
  const clients = new Clients({ limits: { ...LIMITS, clientWorkTime: 10_000 }, now: () => now });
  const client = clients.get('192.0.2.1');
  const compute = (time: number): string =>
    client.compute(() => {
      now += time;
      return 'computed';
    });
  expect(compute(6_000)).toBe('computed');
  expect(() =>
    client.compute(() => {
      now += 5_000;
      throw new Error('failed');
    }),
  ).toThrow('failed');
  expect(() => compute(1)).toThrow(
    expect.objectContaining({
      code: 'rate-limited',
      message:
        'large files and long URLs of a client may take 10 seconds of computing per minute (option --client-work of the service)',
      headers: { 'retry-after': '49' },
    }),
  );
  now += 49_000;
  expect(compute(1)).toBe('computed');
});

test('a refusal names the option that changes the limit', () => {
  const clients = new Clients({ limits: { ...LIMITS, clientRequests: 1 }, rateLimit: 1 });
  const client = clients.get('192.0.2.1');
  client.take('requests');
  expect(() => client.take('requests')).toThrow(
    expect.objectContaining({
      code: 'client-limit',
      message: 'a client may use at most 1 concurrent requests now (option --client-requests of the service)',
      headers: { 'retry-after': '5' },
    }),
  );
  expect(() => client.countRequests(2)).toThrow(
    expect.objectContaining({
      message: 'a client may send 1 request per minute (option --rate-limit of the service)',
    }),
  );
});

test('a client without limits can use all that the service has', async () => {
  const none = Number.POSITIVE_INFINITY;
  const limits = {
    ...LIMITS,
    ...{ requests: 4, fetches: 4, clientRequests: none, clientFetches: none, clientWorkTime: none },
  };
  const clients = new Clients({ limits });
  // Its /48 network does not limit it either.
  const client = clients.get('2001:db8::1');
  for (let count = 0; count < 4; count++) client.take('requests');
  expect(() => client.take('requests')).toThrow(expect.objectContaining({ code: 'overloaded' }));
  client.addWork(1e12);
  expect(client.compute(() => 'computed')).toBe('computed');
  let running = 0;
  const fetch = (): Promise<never> => {
    running++;
    return new Promise<never>(() => {});
  };
  const { signal } = new AbortController();
  for (let count = 0; count < 10; count++) void client.fetches.run(fetch, signal);
  expect(running).toBe(4);
});

test('fetches that never end leave slots for the next client', async () => {
  const clients = new Clients({ limits: LIMITS });
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const silent = new Promise<never>(() => {});
  let running = 0;
  const fetch = (): Promise<never> => {
    running++;
    return silent;
  };
  for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])
    for (let count = 0; count < 100; count++) void clients.get(client).fetches.run(fetch, signal);
  expect(running).toBe(64 + 64 + 64 + 32);
  expect(await clients.get('192.0.2.5').fetches.run(async () => 'fetched', signal)).toBe('fetched');
});
