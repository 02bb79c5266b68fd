// A crawler with Crawlee that obeys robots.txt. The arguments are its product token and start pages. Each start page has a crawler of
// its own: one that waits for a robots.txt forever would stop all others, too.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(new URL('../../bench/peers.mjs', import.meta.url));
const { CheerioCrawler, Configuration, log } = require('@crawlee/cheerio');

/** Milliseconds for one start page. */
const DEADLINE = 30_000;
const AT_A_TIME = 8;

const [agent, ...starts] = process.argv.slice(2);
log.setLevel(log.LEVELS.OFF);

async function crawl(start) {
  const crawler = new CheerioCrawler(
    {
      respectRobotsTxtFile: { userAgent: agent },
      maxRequestRetries: 0,
      requestHandlerTimeoutSecs: 5,
      navigationTimeoutSecs: 5,
      requestHandler: async ({ enqueueLinks }) => {
        await enqueueLinks({ strategy: 'same-hostname' });
      },
      preNavigationHooks: [
        (_, options) => {
          options.headers = { 'user-agent': `${agent}/1.0` };
        },
      ],
    },
    new Configuration({ persistStorage: false, purgeOnStart: false }),
  );
  await Promise.race([crawler.run([start]), sleep(DEADLINE)]);
}

async function crawlNext() {
  for (let start = starts.shift(); start !== undefined; start = starts.shift())
    await crawl(start).catch(() => {});
}

await Promise.all(Array.from({ length: AT_A_TIME }, crawlNext));
process.exit();
