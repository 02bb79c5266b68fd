/** The deadline for all sitemaps of a run. */
import { expect, test } from 'vitest';
import { describeEnd } from '../../../src/audit/report/summary.ts';
import { crawlAll, resumeCrawl, serveSite } from '../crawling.ts';

const MINUTE = 60_000;

test('slow sitemaps share one deadline: the run is incomplete, and the resumed run reads the rest', async () => {
  let now = Date.now();
  const site = await serveSite(({ url = '' }, response) => {
    if (url === '/robots.txt')
      response.end([1, 2, 3, 4].map((number) => `Sitemap: ${site.origin}/sitemap${number}`).join('\n'));
    else if (url.startsWith('/sitemap')) {
      now += 30 * MINUTE;
      response.end(`${site.origin}/in${url}`);
    } else response.end();
  });
  const options = { now: () => now, sitemapTime: 60 * MINUTE };
  const crawled = await crawlAll([`${site.origin}/`], options);
  expect(crawled.end).toMatchObject({ reason: 'sitemap-time', waiting: 0 });
  expect(describeEnd(crawled.end, crawled.run.counts())).toMatch(/^Not complete: .*sitemaps/);
  const read = (): (number | null)[] => crawled.run.sitemaps.list().map(({ entries }) => entries);
  expect(read()).toEqual([1, 1, null, null]);
  expect((await resumeCrawl(crawled, options)).end.reason).toBe('complete');
  expect(read()).toEqual([1, 1, 1, 1]);
});
