// Crawls a site with Crawlee, as far as robots.txt allows (npm install @crawlee/cheerio):
//
//   node examples/crawlee.mjs https://example.com/
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import { RobotsClient } from '@maycrawl/client';
import { createRobotsHook, ForbiddenUrlError } from '@maycrawl/client/crawlee';

const [start] = process.argv.slice(2);
if (start === undefined) {
  console.error('usage: node examples/crawlee.mjs <URL>');
  process.exit(2);
}

// Your crawler: the token that site owners write in robots.txt, and the header in which they find it.
const userAgent = 'MyBot/1.0 (+https://my.example/bot)';
const client = new RobotsClient({ agent: 'MyBot', userAgent });

// Crawlee logs each failed page with a stack trace; failedRequestHandler prints them instead.
log.setLevel(log.LEVELS.OFF);

const crawler = new CheerioCrawler(
  {
    maxRequestsPerCrawl: 50,
    preNavigationHooks: [
      // Without this, Crawlee sends the headers of a browser.
      (_context, gotOptions) => {
        gotOptions.useHeaderGenerator = false;
        gotOptions.headers = { 'user-agent': userAgent };
      },
      // The last hook, because others can change the request.
      createRobotsHook(client),
    ],
    async requestHandler({ request, $, enqueueLinks }) {
      console.log(request.loadedUrl, $('title').text());
      await enqueueLinks();
    },
    // Crawlee calls this for forbidden pages without a retry, for others after its retries.
    failedRequestHandler({ request }, error) {
      console.log(
        error instanceof ForbiddenUrlError ? error.message : `${request.url} failed: ${error.message}`,
      );
    },
  },
  // Nothing is written to ./storage.
  new Configuration({ persistStorage: false }),
);
await crawler.run([start]);
