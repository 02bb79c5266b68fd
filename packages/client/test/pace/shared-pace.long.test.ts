// A pace that processes share through a SQLite file.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serve } from '../support/server.ts';

const SPACING = 200;
const script = new URL('../support/paced-process.mjs', import.meta.url);

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-pace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'robots.sqlite');
}

test('three processes send one request at a time to an origin, apart by the spacing, and none starves', async () => {
  let [running, most] = [0, 0];
  const arrivals: number[] = [];
  const site = await closeAtEnd(
    serve((request, response) => {
      if (request.url === '/robots.txt') return response.end('');
      arrivals.push(performance.now());
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.end('page');
      }, 20);
      return response;
    }),
  );
  const place = newFile();
  const children = ['a', 'b', 'c'].map((name) =>
    fork(script, [place, site.origin, name, '4'], { execArgv: [] }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  expect(codes).toEqual([0, 0, 0]);
  const pages = ['a', 'b', 'c'].flatMap((name) => [0, 1, 2, 3].map((page) => `/${name}/${page}`));
  expect(site.requests.filter((path) => path !== '/robots.txt').sort()).toEqual(pages);
  expect(most).toBe(1);
  // The first request can arrive late, so that the others seem to be closer to it.
  expect((arrivals.at(-1) as number) - (arrivals[0] as number)).toBeGreaterThanOrEqual(10 * SPACING);
});

test('a process that is killed during its request keeps the others away for some seconds only', async () => {
  let notify = (): void => {};
  const requested = new Promise<void>((resolve) => {
    notify = resolve;
  });
  const site = await closeAtEnd(
    serve((request, response) => {
      // The first process never gets its page.
      if (request.url?.startsWith('/killed/')) return notify();
      response.end('');
    }),
  );
  const place = newFile();
  const killed = fork(script, [place, site.origin, 'killed', '1'], { execArgv: [] });
  await requested;
  const other = fork(script, [place, site.origin, 'other', '1'], { execArgv: [] });
  const ended = once(other, 'exit');
  killed.kill('SIGKILL');
  expect((await ended)[0]).toBe(0);
  expect(site.requests).toContain('/other/0');
});
