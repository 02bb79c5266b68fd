// Three instances behind nginx, as docs/operations.md describes them, are restarted one after another while clients send requests.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { Instance, restartAll } from '../../support/fleet/instance.ts';
import { findFreePorts, HAS_NGINX, Nginx } from '../../support/fleet/nginx.ts';
import { createTestFolder } from '../../support/folder.ts';
import { getDecisionPath } from '../../support/service.ts';

const SITES = 5;
const CLIENTS = 4;
/** Milliseconds between two requests of a client. */
const PAUSE = 5;
const folder = createTestFolder('fleet');

/** Sends requests, one after another, until it is stopped. */
class Client {
  readonly failures: string[] = [];
  count = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(address: string, paths: readonly string[]) {
    this.#done = this.#run(address, paths);
  }

  async #run(address: string, paths: readonly string[]): Promise<void> {
    while (!this.#isOver) {
      const path = paths[this.count++ % paths.length] as string;
      try {
        const response = await fetch(address + path);
        const text = await response.text();
        if (response.status !== 200 || !text.includes('"allowed":false'))
          this.failures.push(`${response.status} ${text}`);
      } catch (error) {
        this.failures.push(String((error as Error).cause ?? error));
      }
      await sleep(PAUSE);
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }
}

test.skipIf(!HAS_NGINX)(
  'no request fails while instances restart, and each site is fetched once (skipped without /usr/sbin/nginx)',
  { timeout: 180_000 },
  async () => {
    const sites: TestServer[] = [];
    for (let index = 0; index < SITES; index++)
      sites.push(
        await serve(
          (_request, response) => response.end('User-agent: *\nDisallow: /a\n'),
          `127.0.1.${index + 1}`,
        ),
      );
    const [port = 0, ...ports] = await findFreePorts(4);
    const nginx = new Nginx(folder, port, ports);
    const instances = ports.map((each) => new Instance(each, join(folder, 'robots.sqlite')));
    nginx.start();
    const clients: Client[] = [];
    try {
      await Promise.all(instances.map((each) => each.start()));
      const paths = sites.map(({ origin }) => getDecisionPath(`${origin}/a`));
      for (let index = 0; index < CLIENTS; index++)
        clients.push(new Client(`http://127.0.0.1:${port}`, paths));
      await restartAll(instances);
      await instances[0]?.stop('SIGKILL');
      await instances[0]?.start();
      await Promise.all(clients.map((each) => each.stop()));
      expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
      // Enough that all instances were used during each restart.
      expect(clients.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(200);
      expect(sites.map(({ requests }) => requests)).toEqual(sites.map(() => ['/robots.txt']));
    } finally {
      await Promise.all(clients.map((each) => each.stop()));
      await Promise.all(instances.map((each) => each.stop('SIGKILL')));
      await nginx.stop();
      await Promise.all(sites.map((site) => site.close()));
    }
  },
);
