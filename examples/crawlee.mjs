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

// Crawlee would log each page that fails, with a stack trace; they are printed below.
log.setLevel(log.LEVELS.OFF);

const crawler = new CheerioCrawler(
  {
    maxRequestsPerCrawl: 50,
    preNavigationHooks: [
      // Crawlee says that it is a browser, unless it is told who it is.
      (_context, gotOptions) => {
        gotOptions.useHeaderGenerator = false;
        gotOptions.headers = { 'user-agent': userAgent };
      },
      // The last hook, so that it sees what will be requested.
      createRobotsHook(client),
    ],
    async requestHandler({ request, $, enqueueLinks }) {
      console.log(request.loadedUrl, $('title').text());
      await enqueueLinks();
    },
    // Forbidden pages come here at once, others after Crawlee has tried again.
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
