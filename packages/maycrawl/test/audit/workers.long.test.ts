import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../client/test/support/postgres.ts';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { openPostgresRun } from '../../src/audit/run/postgres/open-postgres-run.ts';

const programs = await findPostgres();
const WORKER = fileURLToPath(new URL('../support/audit-worker.mjs', import.meta.url));
const [HOSTS, PAGES, LEASE] = [8, 60, 1_500];

/** Serves a site whose pages link to the next ones. It responds slowly, so that a worker can be killed during a request. */
function serveSite(address: string): Promise<TestServer> {
  return serve((request, response) => {
    const page = Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1] ?? -1);
    if (page < 0 && request.url !== '/') {
      response.writeHead(404).end();
      return;
    }
    const links = [page + 1, page + 2]
      .filter((next) => next < PAGES)
      .map((next) => `<a href="/${next}">n</a>`);
    response.setHeader('content-type', 'text/html');
    setTimeout(() => response.end(links.join('')), 10);
  }, address);
}

test.skipIf(programs === undefined)(
  'several workers fetch each page once, except requests in progress when one is killed',
  async () => {
    const database = await startPostgres(programs as string);
    const sites = await Promise.all(
      Array.from({ length: HOSTS }, (_, index) => serveSite(`127.0.0.${index + 2}`)),
    );
    const url = await database.create('workers');
    const starts = sites.map(({ origin }) => `${origin}/`);
    const work = (): { readonly child: ChildProcess; readonly said: Promise<string> } => {
      const child = spawn(process.execPath, [WORKER, url, 'r', String(LEASE), ...starts], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      return { child, said: once(child, 'exit').then(() => text) };
    };
    try {
      const workers = [work(), work(), work()];
      const fetched = (): number => sites.reduce((sum, { requests }) => sum + requests.length, 0);
      while (fetched() < (HOSTS * PAGES) / 3) await new Promise((resolve) => setImmediate(resolve));
      workers[0]?.child.kill('SIGKILL');
      const said = await Promise.all(workers.map((each) => each.said));
      expect(said.slice(1)).toEqual(['complete', 'complete']);
      const run = await openPostgresRun(url, 'r', 'read');
      expect(await run.counts()).toMatchObject({ waiting: 0, fetched: HOSTS * (PAGES + 1) });
      await run.close();
      let twice = 0;
      for (const { requests } of sites) {
        const pages = requests.filter((path) => path !== '/robots.txt');
        expect(new Set(pages).size).toBe(PAGES + 1);
        twice += pages.length - (PAGES + 1);
      }
      // Two concurrent requests to each of its hosts, and as many responses that are not stored yet.
      expect(twice).toBeLessThanOrEqual(4 * HOSTS);
    } finally {
      await Promise.all(sites.map((site) => site.close()));
      await database.destroy();
    }
  },
  40_000,
);
