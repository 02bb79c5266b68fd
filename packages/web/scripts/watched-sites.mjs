// A monitor for the pictures: sites on loopback that were really checked, under a clock that runs fast.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { sql } from '@maycrawl/client/internal';
import { refetchRobotsTxt } from '../../client/dist/robots/fetch.js';
import { createAnalysisThreads } from '../../maycrawl/dist/watch/analysis/analysis-threads.js';
import { openWatchDatabase } from '../../maycrawl/dist/watch/storage/database.js';
import { Outbox } from '../../maycrawl/dist/watch/storage/outbox.js';
import { SiteRepository } from '../../maycrawl/dist/watch/storage/site-repository.js';
import { work } from '../../maycrawl/dist/watch/worker.js';

const HOUR = 3_600_000;
const BASE = 'User-agent: *\nDisallow: /cart/\nDisallow: /account/\n';
const AI = '\nUser-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\n';
const SITEMAP = '\nSitemap: https://shop.example/sitemap.xml\n';

/** What sites answer, and for how many hours. */
const PLANS = {
  shop: [
    [BASE + SITEMAP, 40],
    [BASE + AI + SITEMAP, 30],
    [`${BASE}Disallow: /shop/\n${AI}${SITEMAP}`, 6],
    [BASE + AI + SITEMAP, 30],
    [503, 20],
    [BASE + AI + SITEMAP, 20],
    [404, 4],
    ['<!doctype html><title>Maintenance</title>', 4],
    [`# After the move\n${BASE}${AI}${SITEMAP}`, 14],
  ],
  steady: [[BASE, 168]],
  down: [
    [BASE, 150],
    [503, 18],
  ],
  bare: [
    [BASE, 100],
    [404, 68],
  ],
};

/** Fills a database in a folder, up to a moment. @returns it, the origins by name, and how to end the sites. */
export async function fillMonitor(folder, now) {
  const start = now - 168 * HOUR;
  let at = start;
  const servers = [];
  const origins = {};
  for (const [index, [name, plan]] of Object.entries(PLANS).entries()) {
    const answerAt = (hours) => {
      let passed = 0;
      for (const [answer, length] of plan) {
        passed += length;
        if (hours < passed) return answer;
      }
      return plan.at(-1)[0];
    };
    const server = createServer((_request, response) => {
      const answer = answerAt((at - start) / HOUR);
      if (typeof answer === 'number') response.writeHead(answer).end();
      else response.writeHead(200, { 'cache-control': 'max-age=60', etag: '"7f-1"' }).end(answer);
    });
    const host = `127.0.0.${index + 1}`;
    await new Promise((resolve) => server.listen(0, host, resolve));
    servers.push(server);
    origins[name] = `http://${host}:${server.address().port}`;
  }
  const database = await openWatchDatabase(join(folder, 'watch.sqlite'));
  const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
  const paths = ['/', '/shop/a', '/shop/b', '/shop/c', '/about', '/cart/1', '/account/me', '/blog/1'];
  const urls = await repository.storeText('urls.txt', paths.join('\n'));
  const notify = ['https://hooks.example/services/T0/secret', 'mailto:web@shop.example'];
  for (const [name, origin] of Object.entries(origins))
    await repository.addSites(
      [origin],
      {
        ...{ every: HOUR, confirm: 0, agents: name === 'shop' ? ['Googlebot', 'GPTBot'] : [] },
        ...(name === 'shop' ? { urls, notify } : { notify: [] }),
      },
      () => start,
    );
  const { analyse, close: endThreads } = createAnalysisThreads({
    onError: (error) => {
      throw error;
    },
  });
  for (; at < now; at += HOUR) {
    // Whatever the jitter says.
    await database.db.run(sql`update watch_sites set due_at = ${at}`);
    await work({
      ...{ repository, outbox, userAgent: 'test', allowPrivateAddresses: true, timeout: 1_000, once: true },
      fetcher: refetchRobotsTxt,
      analyse,
      signal: new AbortController().signal,
      now: () => at,
      sleep: async () => {},
      random: () => 0.5,
      deliver: async (target) =>
        target.startsWith('mailto') || at < now - 30 * HOUR
          ? { kind: 'delivered' }
          : { kind: 'failed', code: 'network', reason: 'the connection failed: ECONNREFUSED', retryAt: null },
    });
  }
  await endThreads();
  const close = async () => {
    await database.db.close();
    for (const server of servers) server.close().closeAllConnections();
  };
  return { database, origins, close };
}
