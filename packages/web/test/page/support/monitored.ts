// A monitor that has checked sites on loopback, and a service that shows its results.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// The published package, because the service starts threads from built files.
import { MemoryStore } from '../../../../maycrawl/dist/index.js';
import { createService } from '../../../../maycrawl/dist/serve/service.js';
import type { ServiceOptions } from '../../../../maycrawl/dist/serve/service-options.js';
import { startMonitor, type TestMonitor } from '../../../../maycrawl/test/support/test-monitor.ts';

export const INJECTION = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const HOUR = 3_600_000;
const BASE = 'User-agent: *\nDisallow: /cart\n';

/** The responses of the site, each with its duration in hours. */
const PLAN: readonly (readonly [string | number, number])[] = [
  [BASE, 3],
  [
    `${BASE}Disallow: /shop/${INJECTION}\nDisallow: /shop/\n# \u202e${INJECTION}\nSitemap: javascript:alert(3)\n`,
    2,
  ],
  [503, 14],
  [404, 2],
  [`${BASE}Disallow: /b\n`, 1],
];

/** A site, and a monitor of it. */
export interface Monitored {
  readonly monitor: TestMonitor;
  readonly origin: string;
  /** Changes the response of the site, and checks the site an hour later. */
  change(content: string | number): Promise<void>;
  /** Starts the service. @returns the address of the page. */
  serve(pageFolder: string, options?: Partial<ServiceOptions>): Promise<string>;
  close(): Promise<void>;
}

/** Checks a site through files, an outage and a missing file. */
export async function startMonitored(): Promise<Monitored> {
  let content: string | number = BASE;
  const site: Server = createServer(({ url }, response) => {
    if (typeof content === 'number') response.writeHead(content, INJECTION.replace(/[^ -~]/g, '')).end();
    else if (url === '/robots.txt') response.writeHead(301, { location: `/to/${INJECTION}` }).end();
    else response.writeHead(200, { 'cache-control': 'max-age=60', etag: `"${INJECTION}"` }).end(content);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const monitor = await startMonitor(Date.now() - 30 * HOUR);
  const { repository } = monitor;
  const urls = await repository.storeText(INJECTION, `/shop/a\n/shop/b\n/about\n/shop/${INJECTION}\n`);
  const notify = [
    ...[
      'https://hooks.example/services/T0/sesame',
      `exec:notify '${INJECTION}' sesame`,
      `feed:/srv/${INJECTION}`,
    ],
  ];
  await repository.addSites(
    [origin],
    { every: HOUR, confirm: 0, agents: ['Googlebot'], urls, notify },
    () => monitor.now,
  );
  const quiet = { every: HOUR, confirm: 0, agents: [], notify: [] };
  const others = Array.from(
    { length: 120 },
    (_, index) => `https://site-${String(index).padStart(3, '0')}.example`,
  );
  await repository.addSites(others, quiet, () => Date.now() + 1000 * HOUR);
  const check = async (): Promise<void> => {
    monitor.now += 1.1 * HOUR;
    await monitor.check();
  };
  for (const [next, hours] of PLAN) {
    content = next;
    for (let hour = 0; hour < hours; hour++) await check();
  }
  const ends: (() => Promise<unknown>)[] = [];
  return {
    monitor,
    origin,
    async change(next) {
      content = next;
      await check();
    },
    async serve(pageFolder, options = {}) {
      const app = await createService({
        ...{ store: new MemoryStore(), userAgent: 'test', allowPrivateAddresses: true, pageFolder },
        ...{ watch: monitor.database, now: () => monitor.now, watchLive: { interval: 50 } },
        ...options,
      });
      ends.push(() => app.close());
      return `${await app.listen({ host: '127.0.0.1', port: 0 })}/watch.html`;
    },
    async close() {
      for (const end of ends) await end();
      await monitor.close();
      await new Promise((resolve) => site.close(resolve).closeAllConnections());
    },
  };
}
