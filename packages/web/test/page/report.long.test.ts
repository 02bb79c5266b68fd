import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { CASES_SITE } from '../../../maycrawl/test/audit/findings/cases.ts';
import { html } from '../../../maycrawl/test/support/audit-runs.ts';
import { HOSTILE, SHOP } from '../../../maycrawl/test/support/audit-site.ts';
import { writeAuditReport } from './support/audit-report.ts';
import { expectNoViolations } from './support/axe.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { choose, row, shown, tab } from './support/report-hands.ts';
import { prepareReports } from './support/reports.ts';

/** The states of the report, each with the steps from the previous state. */
const STATES: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['findings', async () => {}],
  ['a finding', (page) => page.locator('summary').first().click()],
  ['summary', (page) => tab(page, 'Summary')],
  ['URLs', (page) => tab(page, 'URLs')],
  ['evidence', (page) => page.locator('.row').nth(3).click()],
  ['nothing', (page) => page.getByLabel('Filter by URL or title').fill('no such thing')],
  ['segments', (page) => tab(page, 'Segments')],
  ['sitemaps', (page) => tab(page, 'Sitemaps')],
  ['a list', (page) => page.locator('summary').first().click()],
  ['slow', (page) => tab(page, 'Slow pages')],
  ['omitted', (page) => tab(page, 'Omitted')],
  ['outside', (page) => tab(page, 'Out of scope')],
];

describe.skipIf(isChromiumMissing)(`the report of an audit${NEEDS}`, () => {
  const { write, start } = prepareReports(writeAuditReport);
  let path: string;
  let stopped: string;

  beforeAll(async () => {
    path = await write('shop', SHOP);
    stopped = await write('stopped', {
      ...SHOP,
      end: 'max-pages',
      settings: { maxPages: 20 },
      robots: {
        policy: { kind: 'disallow-all', reason: 'unreachable' },
        ...{ code: 'http-status', message: `status 500 ${HOSTILE}` },
      },
    });
  });

  test('the file is self-contained, sends no request, and its policy allows none', async () => {
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(
      /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/,
    );
    expect(text.match(/<script/g)?.length).toBe(text.match(/<\/script>/g)?.length);
    expect(text).not.toContain('<img');
    await start(path);
  });

  test('a browser that cannot decompress, and a damaged file, get one line', async () => {
    const damaged = await write('damaged', CASES_SITE);
    const page = await start(damaged);
    const text = await readFile(damaged, 'utf8');
    await writeFile(damaged, text.replace(/(id="data">[^<]{1000})[^<]*/, '$1'));
    await page.reload();
    await page
      .getByRole('alert')
      .getByText('The report cannot be read, because the file is damaged')
      .waitFor();
    const old = await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'DecompressionStream'));
    await page.reload();
    await old.dispose();
    await page.getByRole('alert').getByText('This browser is too old for the report.').waitFor();
    expect(await page.locator('#page').innerText()).not.toContain('\n');
  });

  test('the summary shows counts, each with a link to its URLs', async () => {
    const page = await start(path);
    await tab(page, 'Summary');
    await page.getByText('Complete: no URLs are waiting.').waitFor();
    await page.getByRole('img', { name: /^URLs by verdict: indexable \d+ %/ }).waitFor();
    await page.getByRole('button', { name: 'noindex', exact: true }).click();
    expect(await shown(page)).toEqual(['/hostile', '/late', '/members']);
    await page.getByRole('status').getByText('3 of').waitFor();
  });

  test('each number of the segments opens its list, whose address can be sent', async () => {
    const page = await start(path);
    await tab(page, 'Segments');
    await page.getByRole('button', { name: /^\/products\/, Indexable: \d+$/ }).click();
    const paths = await shown(page);
    expect(paths.length).toBeGreaterThan(1);
    for (const each of paths) expect(each).toMatch(/^\/products\//);
    expect(new URL(page.url()).hash).toBe('#/urls?verdict=indexable&segment=%2Fproducts%2F');
  });

  test('filters by verdict, status, state, sitemap and text, and sorts by every column', async () => {
    const page = await start(path);
    await tab(page, 'URLs');
    await choose(page, 'Status', '5xx');
    expect(await shown(page)).toEqual(['/broken']);
    await choose(page, 'Status', 'none');
    await choose(page, 'State', 'fetched');
    expect(await shown(page)).toEqual(['/down']);
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await choose(page, 'State', 'crawl-trap');
    expect(await shown(page)).toEqual(['/calendar/2', '/calendar/20']);
    await choose(page, 'State', 'judged');
    await choose(page, 'Verdict', 'conflict');
    expect(await shown(page)).toEqual(['/both']);
    await choose(page, 'Verdict', 'not-indexable');
    await choose(page, 'Sitemap', 'in');
    expect(await shown(page)).toEqual(['/about?from=map', '/cart', '/members', '/missing', '/old']);
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByLabel('Filter by URL or title').fill('PRODUCT 7 /products');
    expect(await shown(page)).toContain('/products/7?sort=price');
    await page.getByLabel('Filter by URL or title').fill('');
    for (const [title, first] of [
      ['Time', '/slow'],
      ['Status', '/broken'],
      ['Links', '/'],
      ['Title', '/about?'],
      ['URL', '/soft'],
    ] as const) {
      const head = page.getByRole('columnheader', { name: title });
      while ((await head.getAttribute('aria-sort')) !== 'descending') await head.getByRole('button').click();
      const values = await shown(page);
      if (title === 'Title') expect(values.length).toBeGreaterThan(5);
      else if (title === 'URL') expect(values).toEqual([...values].sort().reverse());
      else expect(values[0], title).toBe(first);
    }
  });

  test('the findings are ranked, each with its effect, its action, its groups and its URLs', async () => {
    const page = await start(path);
    const titles = await page.locator('.finding-title').allInnerTexts();
    expect(titles.map((title) => title.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'error 5 URLs in sitemaps cannot be indexed: blocked (1), canonicalised (1), noindex (1), and 2 other groups',
      'error 3 URLs that pages link to were not found: status 404 (3)',
      'error 2 redirects lead into a loop: 2 redirects (2)',
      'error 1 URL responds with a server error: status 500',
      'error 1 URL does not respond: timeout',
      'error 1 page names several different canonicals',
      'warning 40 URLs with parameters lead to no pages of their own: ?sort: 40 of 104 requests (38 %)',
      'warning 2 URLs of endless series were not requested: no end of it (2)',
      'warning 1 page names a version in another language that cannot be indexed',
      'warning 1 page with status 200 looks like a page that was not found: the content of a page that was not found',
      'warning 1 URL redirects more than once: 2 redirects',
      'warning 1 canonical names another canonical',
      'info 18 indexable pages are in no sitemap',
      'info 3 pages have noindex: noindex in a header, /: 2 of 57 pages, noindex in a meta element, /: 1 of 57 pages',
      'info 2 pages are blocked by robots.txt: robots.txt, line 2 (Disallow: /cart): 1 of 57 pages, robots.txt, line 3 (Disallow: /search? # no results of searches): 1 of 57 pages',
      'info 1 page names versions in several languages, but no x-default',
      'info 1 URL in a sitemap cannot be reached by links',
    ]);
    const finding = page.locator('details.finding', { hasText: 'URLs in sitemaps cannot be indexed' });
    await finding.locator('summary').first().click();
    await finding.getByText('Search engines trust such a sitemap less.').waitFor();
    await finding.getByText('Remove the URLs from the sitemap').waitFor();
    await finding.locator('details', { hasText: 'noindex' }).locator('summary').click();
    await finding.getByRole('button', { name: 'https://shop.example/members' }).waitFor();
    await expect.poll(() => page.url()).toMatch(/#\/findings\?finding=listed-not-indexable$/);
    await finding.getByRole('button', { name: 'Show 5 URLs in the table' }).click();
    expect(await shown(page)).toEqual(['/about?from=map', '/cart', '/members', '/missing', '/old']);
    await choose(page, 'Detail', 'noindex');
    expect(await shown(page)).toEqual(['/members']);
  });

  test('a site without findings has a sentence for that', async () => {
    const url = 'https://fine.example/';
    const fine = await write('fine', { start: url, answers: { [url]: { body: html('Fine') } } });
    const page = await start(fine);
    await page.getByText('No findings for Googlebot.').waitFor();
    await page.getByText('No sitemap lists any URL, so sitemaps and pages were not compared.').waitFor();
  });

  test('the address has tab, filter, crawler and URL; back and forward work', async () => {
    const page = await start(path);
    await tab(page, 'URLs');
    await choose(page, 'Verdict', 'noindex');
    await page.getByLabel('Crawler').selectOption('GPTBot');
    await row(page, '/late').click();
    await expect
      .poll(() => page.url())
      .toMatch(/#\/urls\?agent=GPTBot&verdict=noindex&url=https%3A%2F%2Fshop.example%2Flate$/);
    const address = page.url();
    await page.goBack();
    await page.locator('.evidence').waitFor({ state: 'detached' });
    await page.goBack();
    expect(await page.getByLabel('Crawler').inputValue()).toBe('0');
    expect(await shown(page)).toEqual(['/hostile', '/late', '/members']);
    await page.goBack();
    expect((await shown(page)).length).toBeGreaterThan(3);
    await page.goBack();
    await page.locator('.finding').first().waitFor();
    await page.goForward();
    await page.goForward();
    expect(await shown(page)).toEqual(['/hostile', '/late', '/members']);
    const other = await page.context().newPage();
    await other.goto(address);
    await other.locator('.sentence').getByText('Not indexed').waitFor();
    expect(await other.getByLabel('Verdict', { exact: true }).inputValue()).toBe('noindex');
  });

  test('typed text is in the address, and the filtered rows are exported', async () => {
    const page = await start(path);
    await tab(page, 'URLs');
    await page.getByLabel('Filter by URL or title').pressSequentially('=cmd');
    await expect.poll(() => page.url()).toMatch(/#\/urls\?text=%3Dcmd$/);
    expect(await page.getByLabel('Filter by URL or title').inputValue()).toBe('=cmd');
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = await readFile(await (await waiting).path(), 'utf8');
    expect(text).toMatch(/^\ufeffurl,agent,/);
    expect(text.trimEnd().split('\r\n')).toHaveLength(2);
    expect(text).toContain(`,"'=cmd|' /C calc'!A0",`);
  });

  test('the depth chart opens its URLs', async () => {
    const page = await start(path);
    await tab(page, 'Summary');
    const depths = page.locator('section', {
      has: page.getByRole('heading', { name: 'Links from the start' }),
    });
    await depths.getByRole('button', { name: '0', exact: true }).click();
    expect(await shown(page)).toEqual(['/']);
    await tab(page, 'Summary');
    await depths.getByRole('button', { name: 'not linked' }).click();
    expect(await shown(page)).toEqual(['/about?from=map', '/orphan']);
  });

  test('the sections show sitemaps, slow pages, omitted URLs and those out of scope', async () => {
    const page = await start(path);
    const list = async (name: string, title: RegExp): Promise<string> => {
      await tab(page, name);
      const details = page.locator('details', { has: page.locator('summary', { hasText: title }) }).first();
      await details.locator('summary').first().click();
      await details.locator('ol').first().waitFor();
      return (await details.innerText()).replaceAll(/\s+/g, ' ');
    };
    expect(await list('Sitemaps', /cannot be reached by links/)).toContain('/orphan');
    expect(await list('Sitemaps', /in no sitemap/)).toContain('/products/31');
    expect(await list('Slow pages', /second/)).toContain('4.2 s');
    expect(await list('Omitted', /^Traps/)).toContain('no end of it');
    expect(await list('Out of scope', /^elsewhere.example/)).toContain('linked from one page');
  });

  test('an incomplete run reports no orphans, and a disallowed site is described as one', async () => {
    const page = await start(stopped);
    await page.getByText('No page was fetched.').first().waitFor();
    await page.getByText('Not complete: the crawl reached its limit of pages').first().waitFor();
    await tab(page, 'Sitemaps');
    await page.getByText('The crawl is not complete: URLs that it did not fetch have no findings.').waitFor();
    expect(await page.locator('summary', { hasText: 'cannot be reached by links' }).count()).toBe(0);
  });

  test('all functions can be used by keyboard', async () => {
    const page = await start(path);
    await page.getByRole('tab', { name: 'Findings' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const selected = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.querySelector('.url')?.textContent ?? null);
    await page.locator('.row[tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    const second = await selected();
    await page.keyboard.press('End');
    await expect.poll(selected).not.toBe(second);
    const all = await shown(page);
    expect(await selected()).toBe(all.at(-1));
    await page.keyboard.press('Home');
    await expect.poll(selected).toBe((await shown(page))[0]);
    await page.locator('.evidence').waitFor();
  });

  test('axe finds no violation', async () => {
    const page = await start(path);
    for (const [state, reach] of STATES) {
      await reach(page);
      await expectNoViolations(page, { state });
    }
  });

  test('on a phone, the evidence about a chosen URL is visible', async () => {
    const page = await start(path, { viewport: { width: 390, height: 844 } });
    const heading = page.getByRole('heading', { name: 'Evidence' });
    const isVisible = async (): Promise<boolean> => {
      const { y = -1 } = (await heading.boundingBox()) ?? {};
      return y >= 0 && y < 844 - 100;
    };
    await tab(page, 'URLs');
    await page.locator('.row').nth(2).click();
    await expect.poll(isVisible).toBe(true);
    const link = page.locator('.evidence .link').first();
    await link.scrollIntoViewIfNeeded();
    await link.click();
    await expect.poll(isVisible).toBe(true);
    await page.reload();
    await heading.waitFor();
    await expect.poll(isVisible).toBe(true);
  });

  test('no element is wider than the screen of a phone', async () => {
    const viewport = { width: 390, height: 844 };
    const page = await start(path, { viewport, isMobile: true, hasTouch: true });
    for (const [name, reach] of STATES) {
      await reach(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(390);
    }
  });
});
