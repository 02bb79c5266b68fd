import { expect, test } from 'vitest';
import { Clients, getClientKey } from '../../../src/serve/limits/clients.ts';
import { FairQueue } from '../../../src/serve/limits/fair-queue.ts';
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

test('a client has its share of each resource, and gives it back once', () => {
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

/** How many of a resource a client can take now, and takes. */
function takeAll(clients: Clients, address: string, resource: 'requests' | 'streams'): number {
  for (let count = 0; ; count++)
    try {
      clients.get(address).take(resource);
    } catch (error) {
      expect(error).toMatchObject({ code: 'client-limit' });
      return count;
    }
}

test('however many clients use their whole share, some is free for the next', () => {
  const clients = new Clients({ limits: { ...LIMITS, requests: 1_000, clientRequests: 500 } });
  let free = 1_000;
  for (let index = 1; index <= 6; index++) {
    const taken = takeAll(clients, `192.0.2.${index}`, 'requests');
    expect(taken).toBe(Math.ceil(free / 2));
    free -= taken;
  }
  const release = clients.get('198.51.100.1').take('requests');
  release();
  // One that is alone again has its full share.
  const others = new Clients({ limits: { ...LIMITS, streams: 100, clientStreams: 20 } });
  expect(takeAll(others, '192.0.2.1', 'streams')).toBe(20);
});

test('when all is used, the next client hears that the service is overloaded', () => {
  const clients = new Clients({ limits: { ...LIMITS, requests: 2, clientRequests: 2 } });
  const releases = ['192.0.2.1', '192.0.2.2'].map((address) => clients.get(address).take('requests'));
  expect(() => clients.get('192.0.2.3').take('requests')).toThrow(
    expect.objectContaining({ code: 'overloaded' }),
  );
  for (const release of releases) release();
  clients.get('192.0.2.3').take('requests');
});

test('the networks of one IPv6 subscriber share what one client may use', () => {
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

test('bytes of a body are given back together', () => {
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

test('requests, and what counts as much, are counted by the minute', () => {
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

test('only the accounts of the last clients stay in memory', () => {
  const clients = new Clients({ limits: LIMITS });
  const [used, unused] = [clients.get('192.0.2.1'), clients.get('192.0.2.2')];
  for (let index = 0; index < 60_000; index++) {
    clients.get(`10.0.${index >> 8}.${index & 255}`);
    if (index % 1_000 === 0) clients.get('192.0.2.1');
  }
  expect(clients.get('192.0.2.1')).toBe(used);
  expect(clients.get('192.0.2.2')).not.toBe(unused);
});

/** A queue, and tasks that end when they are told to. */
function createQueue(limits = LIMITS, places = 1) {
  const clients = new Clients({ limits });
  const queue = new FairQueue({ places, limit: limits.tasks, isShared: true });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (address: string, name: string, size: number, signal = new AbortController().signal) =>
    queue.run(clients.get(address), size, signal, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { run, end, started };
}

test('the tasks of one client do not keep back the first of another, nor large tasks a small one', async () => {
  const { run, end, started } = createQueue();
  const all = [
    run('192.0.2.1', 'hostile 1', 500_000),
    run('192.0.2.1', 'hostile 2', 500_000),
    run('192.0.2.1', 'hostile 3', 500_000),
    run('192.0.2.1', 'small', 30),
    run('192.0.2.2', 'other', 1_000),
  ];
  for (const name of ['hostile 1', 'small', 'other', 'hostile 2', 'hostile 3'])
    await end(started.at(-1) ?? name);
  await Promise.all(all);
  expect(started[0]).toBe('hostile 1');
  expect(started.indexOf('other')).toBeLessThan(started.indexOf('hostile 2'));
  expect(started.indexOf('small')).toBeLessThan(started.indexOf('hostile 2'));
});

test('the next task is one of the client of which the fewest run', async () => {
  const { run, end, started } = createQueue(LIMITS, 2);
  const all = [
    run('192.0.2.1', 'first 1', 1),
    run('192.0.2.1', 'first 2', 1),
    run('192.0.2.1', 'first 3', 1),
    run('192.0.2.2', 'second', 1),
  ];
  await end('first 1');
  expect(started).toEqual(['first 1', 'first 2', 'second']);
  for (const name of ['first 2', 'second', 'first 3']) await end(name);
  await Promise.all(all);
});

test('the tasks of a few clients leave places for those of the next', async () => {
  const { run, end, started } = createQueue({ ...LIMITS, tasks: 8, clientTasks: 16 });
  const results: Promise<unknown>[] = [run('192.0.2.9', 'running', 1)];
  const counts = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => {
    let count = 0;
    for (let index = 0; index < 8; index++)
      results.push(
        run(address, `${address} ${index}`, 1).then(
          () => count++,
          (error: unknown) => expect(error).toMatchObject({ code: 'client-limit' }),
        ),
      );
    return () => count;
  });
  results.push(run('192.0.2.4', 'the next', 1));
  for (let at = 0; at < started.length; at++) await end(started[at] as string);
  await Promise.all(results);
  expect(counts.map((each) => each())).toEqual([4, 2, 1]);
  expect(started).toContain('the next');
});

test('a task whose client is gone leaves the queue; of those that wait there are only so many', async () => {
  const { run, end, started } = createQueue({ ...LIMITS, clientTasks: 3 });
  const controller = new AbortController();
  const first = run('192.0.2.1', 'first', 1);
  const gone = run('192.0.2.1', 'gone', 1, controller.signal);
  const last = run('192.0.2.1', 'last', 1);
  await expect(run('192.0.2.1', 'too many', 1)).rejects.toMatchObject({ code: 'client-limit' });
  controller.abort(new Error('the client is gone'));
  await expect(gone).rejects.toThrow('the client is gone');
  await end('first');
  await end('last');
  await Promise.all([first, last]);
  expect(started).toEqual(['first', 'last']);
});
