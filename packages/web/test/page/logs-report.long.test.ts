import { readFile, stat } from 'node:fs/promises';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LogSummary } from '../../../maycrawl/src/logs/summary/log-summary.ts';
import { HOSTILE } from '../../../maycrawl/test/support/audit-site.ts';
import { createLogSummary, createManyCrawlers } from '../../../maycrawl/test/support/log-summary.ts';
import { expectNoViolations, WIDTH_RULES } from './support/axe.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { replaceLogTexts, writeLogsReport } from './support/logs-report.ts';
import { prepareReports } from './support/reports.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Characters that reorder text, control a terminal, or end a string. */
const UNPRINTABLE = ['\u202e', '\u001b', '\u0000'];

/** The button that opens the details of a crawler. */
const getName = (page: Page, crawler: string): Locator =>
  page.locator('.crawlers').getByRole('button', { name: crawler, exact: true });

/** Opens the details of a crawler. */
async function openCrawler(page: Page, crawler: string): Promise<Locator> {
  await getName(page, crawler).click();
  return page.locator('.crawler-details');
}

/** The names of the crawlers in the table, in their order. */
const listNames = (page: Page): Promise<string[]> => page.locator('.crawlers .disclosure').allInnerTexts();

const getWidth = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

describe.skipIf(isChromiumMissing)(`the report of logs${NEEDS}`, () => {
  const { write, ...reports } = prepareReports(writeLogsReport);
  const start = (path: string, options: BrowserContextOptions = {}): Promise<Page> =>
    reports.start(path, { reducedMotion: 'reduce', ...options });
  const summary = createLogSummary();
  let path: string;

  beforeAll(async () => {
    path = await write('report', summary);
  });

  test('the page shows every section, sends no request, and its policy allows none', async () => {
    const page = await start(path);
    expect(await page.locator('.sections h2').allInnerTexts()).toEqual([
      ...['Findings', 'Crawlers', 'Rules', 'What if', 'Compared with the audit', 'What it means'],
    ]);
    expect(await readFile(path, 'utf8')).toMatch(
      /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/,
    );
    const total = summary.crawlers.reduce((sum, { requests }) => sum + requests, 0).toLocaleString('en');
    const intro = await page.locator('.intro').innerText();
    expect(intro).toContain(`From 1 Nov 2026 to 28 Nov 2026, 11 crawlers sent ${total} requests`);
    expect(intro).toContain('to shop.example');
    expect(await page.locator('.lines').innerText()).toContain('212 unreadable');
    expect(await page.locator('main').innerText()).not.toMatch(/NaN|undefined|Infinity|\[object/);
  });

  test('findings have the order of the summary, and open the details of their crawlers', async () => {
    const page = await start(path);
    const items = page.locator('.findings li');
    const texts = await items.allInnerTexts();
    expect(texts.map((text) => text.replace(/\s+/g, ' '))).toEqual(
      summary.findings.map(({ severity, text }) => `${severity} ${text}`),
    );
    await items.first().getByRole('button', { name: 'Bytespider' }).click();
    await page.locator('.crawler-details').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Bytespider');
    await page.waitForURL(/open=Bytespider/);
  });

  test('crawlers have groups by purpose; a row opens all that the summary has about its crawler', async () => {
    const page = await start(path);
    expect(
      (await page.locator('.crawlers .group').allInnerTexts()).map((text) => text.split(' ', 3).join(' ')),
    ).toEqual([
      'Results of a',
      'Training of AI',
      'A request of',
      'Search engine optimisation',
      'No documented purpose',
    ]);
    const details = await openCrawler(page, 'Bytespider');
    const text = await details.innerText();
    for (const part of [
      'ByteDance',
      '11 fetches (200: 11)',
      'median interval 2 days 12 hours',
      'line 14, Disallow: /',
    ])
      expect(text).toContain(part);
    const [first] = summary.crawlers.find(({ crawler }) => crawler === 'Bytespider')?.violations ?? [];
    const row = await details.locator('.violations tbody tr').first().innerText();
    expect(row.split(/\s*\t\s*/)).toEqual([
      first?.time.slice(0, 19).replace('T', ' '),
      first?.url.replace('https://shop.example', ''),
      '14',
      'Disallow: /',
      first?.version,
      'it had fetched this version',
    ]);
    expect(text).toContain('The first 50 and the last 50 are listed.');
    await details.getByRole('button', { name: 'Show 80 more' }).click();
    expect(await details.locator('.violations tbody tr').count()).toBe(100);
    expect(await details.locator('.small-chart svg').getAttribute('aria-label')).toMatch(
      /^Bytespider: 1 Nov 2026: \d+ requests, 0 violations; .*28 Nov 2026: \d+ requests, \d+ violations$/,
    );
    await getName(page, 'Bytespider').click();
    await details.waitFor({ state: 'detached' });
    const spoofed = await (await openCrawler(page, 'Googlebot')).innerText();
    expect(spoofed).toMatch(/3,244 spoofed requests[\s\S]*203\.0\.113\.0\/24\s+1,946[\s\S]*60 %/);
    await getName(page, 'Googlebot').click();
    expect(await (await openCrawler(page, 'bingbot')).innerText()).toMatch(
      /faster than its crawl-delay\s+crawl-delay 10 s, least interval 0\.4 s; 5 % of the intervals are at most 2\.6 s/,
    );
    await getName(page, 'bingbot').click();
    expect(await (await openCrawler(page, 'SemrushBot')).innerText()).toContain('/cart%2Flist');
  });

  test('a column sorts the crawlers, a filter finds names and operators, and both are in the address', async () => {
    const page = await start(path);
    await page.getByLabel('Groups').selectOption('none');
    await page.getByRole('button', { name: 'Violations' }).click();
    expect((await listNames(page)).slice(0, 3)).toEqual(['Bytespider', 'pricewatch', 'SemrushBot']);
    const head = page.locator('.crawlers th[aria-sort]', { hasText: 'Violations' });
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Violations' }).click();
    expect((await listNames(page)).slice(-3)).toEqual(['SemrushBot', 'pricewatch', 'Bytespider']);
    await page.getByRole('button', { name: 'Crawler', exact: true }).click();
    expect((await listNames(page)).slice(0, 3)).toEqual(['AhrefsBot', 'bingbot', 'Bytespider']);
    await page.getByLabel('Filter by crawler or operator').fill('openai');
    expect(await listNames(page)).toEqual(['ChatGPT-User', 'GPTBot']);
    await page.getByText('2 of 11 crawlers').waitFor();
    await page.getByText('No findings for these crawlers.').waitFor();
    await page.waitForURL(/crawlers=openai&sort=crawler&groups=none/);
    await page.reload();
    await page.locator('.sections').waitFor();
    expect(await listNames(page)).toEqual(['ChatGPT-User', 'GPTBot']);
    await page.getByLabel('Filter by crawler or operator').fill('none of them');
    await page.getByText('No crawler matches.').waitFor();
  });

  test('the sections about rules, another file and an audit have the numbers of the summary', async () => {
    const page = await start(path);
    const rules = await page.locator('#rules').innerText();
    expect(rules).toMatch(
      /Disallow: \/cart\/\s+4\s+2026-10-02T08-00-00Z\s+950[\s\S]*pricewatch 776, GPTBot 140/,
    );
    expect(rules).toContain('ClaudeBot 12 and 1 other');
    expect(rules).toMatch(/met none\.[\s\S]*Disallow: \/\*\?sessionid=\s+17/);
    const row = await page.locator('.effects tr', { hasText: 'GPTBot' }).innerText();
    expect(row.split(/\s+/)).toEqual(['GPTBot', '5,551', '31.0', '%', '322.0', 'MB', '31.0', '%', '0', '0']);
    await page.getByText('5 other crawlers: nothing changes.').waitFor();
    const audit = page.locator('#audit');
    expect(await audit.innerText()).toMatch(/requested 214 pages that Googlebot can index/);
    await audit.getByText('Requested URLs to which no page links: 38').click();
    await audit.getByText('https://shop.example/landing/1?utm_source=mail').waitFor();
  });

  test('each chart has its CSV', async () => {
    const page = await start(path);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#crawlers').getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('crawlers.csv');
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toMatch(/^\ufeffcrawler,operator,purposes,from,to,requests,bytes,verified,spoofed,/);
  });

  test('a log without addresses says first that no crawler is verified, and says it once', async () => {
    const text = 'The log has no addresses: no crawler is verified.';
    const page = await start(
      await write('without-addresses', {
        ...summary,
        hasAddresses: false,
        findings: [
          { code: 'no-addresses', severity: 'warning', crawler: null, requests: 9, text },
          ...summary.findings,
        ],
      }),
    );
    expect((await page.locator('.sections').innerText()).startsWith(text)).toBe(true);
    expect(await page.getByText(text).count()).toBe(1);
    expect(await page.locator('.findings li').count()).toBe(summary.findings.length);
  });

  test('a log without crawlers, rules and findings is shown', async () => {
    const page = await start(await write('empty', createEmpty(summary)));
    expect(await page.locator('.sections h2').allInnerTexts()).toEqual([
      ...['Findings', 'Crawlers', 'Rules', 'What it means'],
    ]);
    const text = await page.locator('main').innerText();
    expect(text).toContain('The log has no request of a crawler.');
    expect(text).not.toMatch(/NaN|undefined|Infinity|null/);
  });

  test('text of the log is text, wherever it is', async () => {
    const hostile = replaceLogTexts(summary, (text) => `${HOSTILE}${UNPRINTABLE.join('')}[31m${text}`);
    const page = await start(await write('hostile', hostile));
    for (const button of await page.locator('.crawlers .disclosure').all()) await button.click();
    for (const each of await page.locator('#audit summary').all()) await each.click();
    const text = await page.locator('body').innerText();
    expect(text).toContain('<script>alert(1)</script>');
    expect(text).toContain('\\x1b\\x00[31m');
    for (const char of UNPRINTABLE) expect(text).not.toContain(char);
    expect(await page.locator('img, script[src], iframe').count()).toBe(0);
    const attributes = await page.evaluate(() =>
      Array.from(document.querySelectorAll('*'), (element) =>
        Array.from(element.attributes, ({ value }) => value).join(' '),
      ).join(' '),
    );
    for (const char of UNPRINTABLE) expect(attributes).not.toContain(char);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await getWidth(page)).toBe(390);
  });

  test('axe finds nothing, with details, also on a phone, whose page does not scroll sideways', async () => {
    for (const size of [{}, PHONE]) {
      const page = await start(path, size);
      await openCrawler(page, 'Googlebot');
      await getName(page, 'Bytespider').click();
      await page.locator('#audit summary').first().click();
      const isPhone = 'viewport' in size;
      await expectNoViolations(page, isPhone ? { rules: WIDTH_RULES } : {});
      if (isPhone) {
        expect(await getWidth(page)).toBe(390);
        // Nothing is cut off inside either.
        const wide = await page
          .locator('.sections table, .sections .cards > *')
          .evaluateAll((elements) =>
            elements.flatMap((element) =>
              element.getBoundingClientRect().right > innerWidth ? [element.className] : [],
            ),
          );
        expect(wide).toEqual([]);
        expect(await page.getByRole('button', { name: 'Violations' }).isVisible()).toBe(true);
      }
    }
  });

  test('the keyboard reaches the filter, sorts, and opens and closes a crawler', async () => {
    const page = await start(path);
    await page.keyboard.press('Tab');
    await page.keyboard.type('google');
    await page.getByText('1 of 11 crawlers').waitFor();
    await page.getByRole('link', { name: 'Crawlers', exact: true }).press('Enter');
    await page.locator('#crawlers-title:focus').waitFor();
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.keyboard.press('Tab');
    for (let steps = 0; (await focused()) !== 'Crawler' && steps < 10; steps++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('.crawlers th[aria-sort=ascending]').innerText()).toBe('Crawler');
    for (let steps = 0; (await focused()) !== 'Googlebot' && steps < 10; steps++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.locator('.crawler-details').waitFor();
    expect(await getName(page, 'Googlebot').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Enter');
    await page.locator('.crawler-details').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Googlebot');
  });

  test('paper has the sections and the open crawlers, without controls', async () => {
    const page = await start(path);
    await openCrawler(page, 'Bytespider');
    await page.emulateMedia({ media: 'print' });
    for (const name of ['CSV', 'Show 80 more'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
    expect(await page.getByLabel('Filter by crawler or operator').isVisible()).toBe(false);
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await page.locator('.crawler-details').isVisible()).toBe(true);
    // The width of A4 without margins, in CSS pixels.
    await page.setViewportSize({ width: 718, height: 1000 });
    const wide = await page
      .locator('.sections table')
      .evaluateAll((tables) =>
        tables.flatMap((table) =>
          table.getBoundingClientRect().right > innerWidth + 1 ? [table.className] : [],
        ),
      );
    expect(wide).toEqual([]);
  });

  test('500 crawlers with 100 violations each: opens, filters and sorts without delay', async () => {
    const large = await write('large', createManyCrawlers(500));
    expect((await stat(large)).size).toBeLessThan(10_000_000);
    const begin = performance.now();
    const page = await start(large);
    // The limits are loose: they distinguish milliseconds from minutes.
    expect(performance.now() - begin).toBeLessThan(15_000);
    await page.getByText('500 of 500 crawlers').waitFor();
    expect(await page.locator('.crawlers .disclosure').count()).toBeLessThan(300);
    await page.getByLabel('Filter by crawler or operator').fill('robot-499');
    await page.getByText('1 of 500 crawlers').waitFor();
    await (await openCrawler(page, 'robot-499')).locator('table.violations').waitFor();
  });
});

function createEmpty(summary: LogSummary): LogSummary {
  return {
    ...summary,
    lines: { read: 0, parsed: 0, unparsed: 0, crawlers: 0, visitors: 0 },
    ...{ otherSites: 0, from: null, to: null, hasAddresses: false },
    ...{ crawlers: [], rules: [], unusedRules: [], audit: null, findings: [] },
  };
}
