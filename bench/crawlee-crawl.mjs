// A crawl with Crawlee's CheerioCrawler, as in its documentation: title and links of each page, links of the host followed.
import { CheerioCrawler, Configuration } from '@crawlee/cheerio';

const [start, most, concurrency] = process.argv.slice(2);
const configuration = new Configuration({ persistStorage: false, logLevel: 'OFF' });
let pages = 0;
const crawler = new CheerioCrawler(
  {
    maxRequestsPerCrawl: Number(most),
    minConcurrency: Number(concurrency),
    maxConcurrency: Number(concurrency),
    async requestHandler({ $, enqueueLinks }) {
      if ($('title').text() === '') throw new Error('a page without a title');
      pages++;
      await enqueueLinks();
    },
  },
  configuration,
);
await crawler.run([start]);
console.log(pages);
