import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { Clients } from '../../../src/serve/limits/clients.ts';
import { FairQueue } from '../../../src/serve/limits/fair-queue.ts';
import { LIMITS } from '../../../src/serve/limits/limits.ts';

/** Creates a queue of threads, and tasks that end when the test ends them. */
function createQueue(limits = LIMITS, places = 1) {
  const clients = new Clients({ limits });
  const queue = new FairQueue({ places, limit: limits.tasks });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (address: string, name: string, size: number, signal = new AbortController().signal) =>
    queue.run(
      clients.get(address),
      signal,
      () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      },
      size,
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { run, end, started };
}

test('many or large tasks of one client do not delay the first task of another, nor a small one', async () => {
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

test('the next task belongs to the client with the fewest running tasks', async () => {
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

test('the waiting tasks of a few clients leave places for those of the next', async () => {
  const { run, end, started } = createQueue({ ...LIMITS, tasks: 8 });
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

test('an aborted task leaves the queue', async () => {
  const { run, end, started } = createQueue();
  const controller = new AbortController();
  const first = run('192.0.2.1', 'first', 1);
  const aborted = run('192.0.2.1', 'aborted', 1, controller.signal);
  const last = run('192.0.2.1', 'last', 1);
  controller.abort(new Error('the client closed the connection'));
  await expect(aborted).rejects.toThrow('the client closed the connection');
  await end('first');
  await end('last');
  await Promise.all([first, last]);
  expect(started).toEqual(['first', 'last']);
});

test('a client leaves as many reserved places free as it uses, and its waiting tasks start as places become free', async () => {
  const queue = new FairQueue({ places: 8, clientPlaces: 3 });
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const [clients, running] = [
    [{}, {}, {}, {}],
    [] as { readonly client: object; readonly end: () => void }[],
  ];
  const results = clients.flatMap((client) =>
    Array.from({ length: 5 }, () =>
      queue.run(client, signal, () => new Promise<void>((end) => running.push({ client, end }))),
    ),
  );
  const count = (): number[] =>
    clients.map((client) => running.filter((each) => each.client === client).length);
  expect(count()).toEqual([3, 3, 1, 1]);
  for (let ended = 0; ended < results.length; ended++) {
    running[ended]?.end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(results);
  expect(count()).toEqual([5, 5, 5, 5]);
});

test('the clients of one site share reserved places', () => {
  const queue = new FairQueue({ places: 8, clientPlaces: 3 });
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const site = {};
  let running = 0;
  for (let client = 0; client < 5; client++)
    void queue.run({ site }, signal, () => {
      running++;
      return new Promise<never>(() => {});
    });
  expect(running).toBe(4);
});
