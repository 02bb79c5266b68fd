// biome-ignore-all lint/performance/useDomNodeTextContent: the tests compare the visible text with its spaces.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOSTILE, SHOP } from '../../../maycrawl/test/support/audit-site.ts';
import { isChromiumMissing, launch, NEEDS } from './support/browser.ts';
import { buildReportPage, openReport, writeReport } from './support/report-browser.ts';

const row = (page: Page, path: string): Locator =>
  page
    .getByRole('row')
    .filter({ has: page.locator('.url', { hasText: new RegExp(`^${path.replace('?', '\\?')}$`) }) });
const choose = (page: Page, label: string, value: string): Promise<string[]> =>
  page.getByLabel(label, { exact: true }).selectOption(value);
const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();
const shown = async (page: Page): Promise<string[]> =>
  page.locator('.row .url').evaluateAll((cells) => cells.map(({ textContent }) => textContent ?? ''));

/** The states of the report, each with the steps from the previous state. */
const STATES: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['summary', async () => {}],
  ['URLs', (page) => tab(page, 'URLs')],
  ['evidence', (page) => page.locator('.row').nth(3).click()],
  ['nothing', (page) => page.getByLabel('Filter by URL or title').fill('no such thing')],
  ['sitemaps', (page) => tab(page, 'Sitemaps')],
  ['a list', (page) => page.locator('summary').first().click()],
  ['links', (page) => tab(page, 'Redirects and canonicals')],
  ['content', (page) => tab(page, 'Content')],
  ['omitted', (page) => tab(page, 'Omitted')],
];

describe.skipIf(isChromiumMissing)(`the report of an audit${NEEDS}`, () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildReportPage>>;
  let path: string;
  let stopped: string;
  let axe: string;

  beforeAll(async () => {
    const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    [built, browser, axe] = await Promise.all([buildReportPage(), launch(), readFile(axePath, 'utf8')]);
    path = await writeReport(built.folder, 'shop', SHOP);
    stopped = await writeReport(built.folder, 'stopped', {
      ...SHOP,
      end: 'max-pages',
      settings: { maxPages: 20 },
      robots: {
        policy: { kind: 'disallow-all', reason: 'unreachable' },
        ...{ code: 'http-status', message: `status 500 ${HOSTILE}` },
      },
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await built?.remove();
  });

  test('the file is self-contained, sends no request, and its policy allows none', async () => {
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(
      /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/,
    );
    expect(text.match(/<script/g)?.length).toBe(text.match(/<\/script>/g)?.length);
    expect(text).not.toContain('<img');
    const { page, wrongs } = await openReport(browser, path);
    for (const [, reach] of STATES) await reach(page);
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('the summary shows counts, each with a link to its URLs', async () => {
    const { page, wrongs } = await openReport(browser, path);
    await page.getByText('Complete: no URLs are waiting.').waitFor();
    await page.getByRole('img', { name: /^URLs by verdict: indexable \d+ %/ }).waitFor();
    await page.getByRole('button', { name: 'noindex', exact: true }).click();
    expect(await shown(page)).toEqual(['/hostile', '/late', '/members']);
    await page.getByRole('status').getByText('3 of').waitFor();
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('filters by verdict, status, state, sitemap and text, and sorts by every column', async () => {
    const { page, wrongs } = await openReport(browser, path);
    await tab(page, 'URLs');
    await choose(page, 'Status', '5xx');
    expect(await shown(page)).toEqual(['/broken']);
    await choose(page, 'Status', 'none');
    await choose(page, 'State', 'fetched');
    expect(await shown(page)).toEqual(['/down']);
    await page.getByRole('button', { name: 'Show all' }).click();
    await choose(page, 'State', 'trap');
    expect(await shown(page)).toEqual(['/calendar/2', '/calendar/20']);
    await choose(page, 'State', '');
    await choose(page, 'Verdict', 'conflict');
    expect(await shown(page)).toEqual(['/both']);
    await choose(page, 'Verdict', 'not-indexable');
    await choose(page, 'Sitemap', 'in');
    expect(await shown(page)).toEqual(['/about?from=map', '/cart', '/members', '/missing', '/old']);
    await page.getByRole('button', { name: 'Show all' }).click();
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
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('the evidence shows the robots.txt line, redirects, directives, canonicals and linking pages; a URL in it is a link', async () => {
    const { page, wrongs } = await openReport(browser, path);
    await tab(page, 'URLs');
    const evidence = page.locator('.evidence');
    const of = async (name: string): Promise<string> => {
      await page.getByLabel('Filter by URL or title').fill(name);
      await row(page, name).click();
      return (await evidence.innerText()).replaceAll(/\s+/g, ' ');
    };
    expect(await of('/cart')).toMatch(/Disallowed: .* line 2 Disallow: \/cart .* unknown, not absent/);
    expect(await of('/old')).toMatch(
      /301 → https:\/\/shop.example\/old-2 302 → https:\/\/shop.example\/about /,
    );
    expect(await of('/loop-a')).toContain('Redirect loop');
    expect(await of('/members')).toContain('meta tag for all: noindex, follow');
    expect(await of('/late')).toContain('X-Robots-Tag header for all: unavailable_after: 1 Jan 2020');
    expect(await of('/both')).toMatch(/conflict, all are ignored: .*\/about .*\/products\/1/);
    expect(await of('/down')).toContain('timeout: it failed: timeout');
    expect(await of('/about')).toMatch(/linked from (\d+ pages|one page)/);
    expect(await of('/search')).toContain('line 4 Allow: /search$');
    await of('/old');
    await evidence.getByRole('button', { name: 'https://shop.example/about' }).click();
    await evidence.getByText('About us').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await evidence.count()).toBe(0);
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('another crawler has other verdicts', async () => {
    const { page, wrongs } = await openReport(browser, path);
    await tab(page, 'URLs');
    await page.getByLabel('Crawler').selectOption('GPTBot');
    await choose(page, 'Verdict', 'hidden');
    await row(page, '/products/1?sort=price').click();
    await page.getByText('Without the block it would be: canonicalised').waitFor();
    await page.locator('.evidence dd', { hasText: 'Googlebot canonicalised' }).waitFor();
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('the sections show sitemaps, redirect chains, canonicals, content and omitted URLs', async () => {
    const { page, wrongs } = await openReport(browser, path);
    const list = async (name: string, title: RegExp): Promise<string> => {
      await tab(page, name);
      const details = page.locator('details', { has: page.locator('summary', { hasText: title }) });
      await details.locator('summary').click();
      await details.locator('ol').waitFor();
      return (await details.innerText()).replaceAll(/\s+/g, ' ');
    };
    expect(await list('Sitemaps', /^blocked/)).toContain('/cart');
    expect(await list('Sitemaps', /^orphans/)).toMatch(/2 .*\/about\?from=map .*\/orphan/);
    expect(await list('Sitemaps', /that no sitemap lists/)).toContain('/products/31');
    expect(await list('Redirects and canonicals', /^Chains/)).toMatch(/\/old .*301, 302/);
    expect(await list('Redirects and canonicals', /loops/)).toContain('/loop-a');
    expect(await list('Redirects and canonicals', /^Conflicts/)).toContain('/both');
    expect(await list('Redirects and canonicals', /cannot be indexed/)).toMatch(/\/chain .*canonicalised/);
    expect(await list('Content', /not found/)).toContain('/soft');
    expect(await list('Content', /hreflang/)).toMatch(/\/de .*en: noindex/);
    expect(await list('Content', /second/)).toContain('4.2 s');
    expect(await list('Omitted', /^Traps/)).toContain('no end of it');
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('an incomplete run reports no orphans, and a disallowed site is described as one', async () => {
    const { page, wrongs } = await openReport(browser, stopped);
    await page.getByText('No page was fetched.').first().waitFor();
    await page.getByText('Not complete: the crawl reached its limit of pages').first().waitFor();
    await tab(page, 'Sitemaps');
    await page.getByText('Not available: the crawl is not complete').waitFor();
    expect(await page.locator('summary', { hasText: 'orphans' }).count()).toBe(0);
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test('all functions can be used by keyboard', async () => {
    const { page, wrongs } = await openReport(browser, path);
    await page.getByRole('tab', { name: 'Summary' }).focus();
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
    expect(wrongs).toEqual([]);
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)('%s: axe finds no violation', async (colorScheme) => {
    const { page } = await openReport(browser, path, { colorScheme });
    await page.evaluate(axe);
    for (const [name, reach] of STATES) {
      await reach(page);
      const { violations, passes } = await page.evaluate(async () =>
        (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
      );
      const problems = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`),
      );
      expect(problems, name).toEqual([]);
      expect(passes.length, name).toBeGreaterThan(10);
    }
    await page.context().close();
  });

  test('no element is wider than the screen of a phone', async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await openReport(browser, path, { viewport, isMobile: true, hasTouch: true });
    for (const [name, reach] of STATES) {
      await reach(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(390);
    }
    await page.context().close();
  });
});
