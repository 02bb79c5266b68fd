import fastify from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Clients } from '../../../src/serve/limits/clients.ts';
import { LIMITS } from '../../../src/serve/limits/limits.ts';
import { createThreads } from '../../../src/serve/limits/threads.ts';
import { Work } from '../../../src/serve/limits/work.ts';

test('tasks that do not end are terminated with their threads, and the next tasks run', async () => {
  const limits = { ...LIMITS, threadTime: 5_000 };
  const app = fastify();
  const file = new URL('../../support/endless-worker.mjs', import.meta.url);
  const run = createThreads<string>(app, { limits, log: pino({ level: 'silent' }) }, file);
  const clients = new Clients({ limits });
  const start = (
    task: string,
    size: number,
    signal = new AbortController().signal,
    address = '192.0.2.1',
  ): Promise<string> => run(task, size, new Work(clients.get(address), signal));
  const endless = Array.from({ length: 2 }, () => start('endless', 500_000));
  const ended = endless.map((task) => expect(task).rejects.toMatchObject({ code: 'too-much-work' }));
  let isEnded = false;
  void endless[0]?.catch(() => {
    isEnded = true;
  });
  // The tasks of one client leave a thread for another client.
  expect(await start('other', 500_000, undefined, '192.0.2.2')).toBe('other');
  expect(isEnded).toBe(false);
  // It waits for the thread of its client, not for the other tasks.
  expect(await start('small', 30)).toBe('small');
  await Promise.all(ended);
  const controller = new AbortController();
  const given = start('endless', 1, controller.signal);
  controller.abort(new Error('the client is gone'));
  await expect(given).rejects.toThrow('the client is gone');
  expect(await start('last', 1)).toBe('last');
  await app.close();
});
