import { expect, test } from 'vitest';
import { type Client, Clients } from '../../../src/serve/limits/clients.ts';
import { LIMITS } from '../../../src/serve/limits/limits.ts';

const { signal } = new AbortController();

/** Starts fetches that end when they are told to. */
function startFetches(client: Client, count: number) {
  const ends: (() => void)[] = [];
  const all = Array.from({ length: count }, () =>
    client.fetch(() => new Promise<void>((resolve) => void ends.push(resolve)), signal),
  );
  return { ends, all };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('four clients with silent sites leave fetches for a fifth', async () => {
  const clients = new Clients({ limits: LIMITS });
  const silent = [1, 2, 3, 4].map((client) => startFetches(clients.get(`192.0.2.${client}`), 64));
  await settle();
  expect(silent.map(({ ends }) => ends.length)).toEqual([64, 64, 64, 32]);
  expect(await clients.get('192.0.2.5').fetch(async () => 'fetched', signal)).toBe('fetched');
});

test('all networks of one IPv6 subscriber have one share', async () => {
  const clients = new Clients({ limits: { ...LIMITS, fetches: 16, clientFetches: 8 } });
  const silent = [1, 2, 3, 4, 5].map((net) => startFetches(clients.get(`2001:db8:1:${net}::1`), 8));
  await settle();
  expect(silent.flatMap(({ ends }) => ends).length).toBe(8);
  expect(await clients.get('192.0.2.5').fetch(async () => 'fetched', signal)).toBe('fetched');
});

test('fetches that wait start as others end, and all of them end', async () => {
  const clients = new Clients({ limits: { ...LIMITS, fetches: 8, clientFetches: 4 } });
  const waiting = [1, 2, 3].map((client) => startFetches(clients.get(`192.0.2.${client}`), 10));
  const isDone = Promise.all(waiting.flatMap(({ all }) => all)).then(() => true);
  for (let ended = 0; ended < 30; ) {
    await settle();
    const running = waiting.flatMap(({ ends }) => ends.splice(0));
    expect(running.length).toBeGreaterThan(0);
    expect(running.length).toBeLessThanOrEqual(8);
    for (const end of running) end();
    ended += running.length;
  }
  expect(await isDone).toBe(true);
});

test('a fetch that waits ends with its signal, and leaves nothing', async () => {
  const clients = new Clients({ limits: { ...LIMITS, clientFetches: 1 } });
  const client = clients.get('192.0.2.1');
  const { ends } = startFetches(client, 1);
  const controller = new AbortController();
  const waiting = client.fetch(async () => 'fetched', controller.signal);
  controller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  for (const end of ends) end();
  await settle();
  expect(await client.fetch(async () => 'fetched', signal)).toBe('fetched');
  expect(client.getUsed('fetches')).toBe(0);
});
