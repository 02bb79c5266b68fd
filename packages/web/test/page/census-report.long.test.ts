import { readFile } from 'node:fs/promises';
import type { CensusReportData } from 'maycrawl/api';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { HOSTILE } from '../../../maycrawl/test/support/audit-site.ts';
import { createReportData } from '../../../maycrawl/test/support/census-report.ts';
import { expectNoViolations, WIDTH_RULES } from './support/axe.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { replaceTexts, writeCensusReport } from './support/census-report.ts';
import { prepareReports } from './support/reports.ts';

const openExamples = async (page: Page, name: string | RegExp): Promise<string> => {
  await page.getByRole('button', { name }).first().click();
  return page.getByRole('dialog').innerText();
};

describe.skipIf(isChromiumMissing)(`the report of a census${NEEDS}`, () => {
  const { write, ...reports } = prepareReports(writeCensusReport);
  const start = (path: string, options: BrowserContextOptions = {}): Promise<Page> =>
    reports.start(path, { reducedMotion: 'reduce', ...options });
  let data: CensusReportData;
  let path: string;

  beforeAll(async () => {
    data = createReportData(800, 5);
    path = await write('report', data);
  });

  test('the page shows every section, sends no request, and its policy allows none', async () => {
    const page = await start(path);
    expect(await page.locator('.sections h2').allInnerTexts()).toEqual([
      ...['Who is blocked', 'What agents may fetch', 'Over time', 'What changed', 'By rank', 'By weight'],
      ...[
        'By category',
        'By top-level domain',
        'Blocked together',
        'Who is named',
        'Use of content',
        'Software and files',
        'Other parsers',
      ],
      ...['Captures and files', 'Methods'],
    ]);
    expect(await readFile(path, 'utf8')).toMatch(
      /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/,
    );
  });

  test('every number opens that many sites, or some of them', async () => {
    const page = await start(path);
    await page.getByText('As a table, with examples').click();
    const buttons = page.locator('.sections button.link');
    const count = await buttons.count();
    expect(count).toBeGreaterThan(250);
    // Each section has some; all would take minutes.
    for (let place = 0; place < count; place += 23) {
      const button = buttons.nth(place);
      const number = Number((await button.innerText()).replaceAll(',', ''));
      await button.click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.locator('p').first().innerText()).toMatch(
        new RegExp(`^${number.toLocaleString('en')} sites?(, of which .*)?$`),
      );
      expect(await dialog.locator('.examples li').count()).toBe(Math.min(number, 20));
      if (number > 20)
        await dialog.getByText(`${(number - 20).toLocaleString('en')} more`, { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  test('the title of a chart has the number of sites of which its percentages are shares', async () => {
    for (const base of ['known', 'files']) {
      const page = await start(path);
      await page.getByLabel('Shares of').selectOption(base);
      for (const [name, column] of [
        ['blocked', 0],
        ['weights', 1],
      ] as const) {
        const section = page.locator(`#${name}`);
        const [, total = ''] = /in % of ([\d,]+) sites/.exec(await section.innerText()) ?? [];
        const row = section.locator('tbody tr').first();
        const percent = Number(await row.locator('td.number').nth(column).innerText());
        const sites = Number((await row.locator('button').first().innerText()).replaceAll(',', ''));
        expect(percent, `${name}, ${base}`).toBeGreaterThan(0);
        // The percentage has one decimal.
        const share = (100 * sites) / Number(total.replaceAll(',', ''));
        expect(Math.abs(share - percent), `${name}, ${base}`).toBeLessThan(0.051);
      }
    }
  });

  test('an example has the path and the line that decide', async () => {
    const page = await start(path);
    const text = await openExamples(page, /^GPTBot, blocked by name: /);
    const [example] =
      data.crawls.at(-1)?.access[0]?.find(({ access }) => access === 'none')?.sites.examples ?? [];
    expect(text).toContain(example?.host);
    expect(text).toMatch(new RegExp(`disallowed /\\s+line ${example?.witnesses[0]?.line}\\b`));
  });

  test('the keyboard reaches numbers, cells of tables, and returns to the number after its examples', async () => {
    const page = await start(path);
    await page.getByRole('link', { name: 'Blocked together' }).press('Enter');
    await page.locator('#matrix-title:focus').waitFor();
    for (const key of ['Tab', 'Tab', 'Tab']) await page.keyboard.press(key);
    const focused = (): Promise<string> =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      );
    // The first cell is about one agent twice: it has no number.
    expect(await focused()).toBe('–');
    for (const key of ['ArrowRight', 'ArrowDown', 'End']) await page.keyboard.press(key);
    const cell = await focused();
    expect(cell).toMatch(/^Sites that block \S+ and \S+: \d+\.\d %$/);
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/^\d+ sites?/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe(cell);
    // The table is one stop.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('#matrix'))).toBeNull();
  });

  test('what is chosen is in the address, and changes the numbers', async () => {
    const page = await start(path);
    const first = page.locator('#blocked tbody tr').first().locator('.percent');
    const known = await first.innerText();
    await page.getByLabel('Shares of').selectOption({ label: 'sites with a robots.txt file' });
    await expect.poll(() => first.innerText()).not.toBe(known);
    await page.locator('#changes').getByRole('combobox', { name: 'Agent' }).selectOption('CCBot');
    await page.locator('#time').getByRole('combobox', { name: 'Sites' }).selectOption('panel');
    await page.waitForURL(/of=files&agent=CCBot&sites=panel/);
    const [title] = await page.locator('#tlds h3').allInnerTexts();
    expect(title).toBe('Sites that block CCBot, by top-level domain, in % of sites with a robots.txt file');
    const percent = await first.innerText();
    await page.reload();
    await page.locator('.sections').waitFor();
    expect(await first.innerText()).toBe(percent);
  });

  test('a part with few sites has its number, and no bar', async () => {
    const page = await start(path);
    const row = page.locator('#categories tbody tr', { hasText: 'government' });
    expect(await row.innerText()).toMatch(/–\s+fewer than 20 sites\s+\d\s+\d$/);
    expect(await row.locator('rect').count()).toBe(0);
    expect(await page.locator('#blocked .bar-axis').first().innerText()).toMatch(/^0\s+\S+ %\s+\S+ %$/);
  });

  test('the sentence over time has the numbers of the chart', async () => {
    const page = await start(path);
    for (const sites of ['all', 'panel']) {
      await page.locator('#time').getByRole('combobox', { name: 'Sites' }).selectOption(sites);
      const finding = await page.locator('#time .finding').innerText();
      const [, agent, last] = /blocks (\S+) changed most: from \S+ % to (\S+ %)/.exec(finding) ?? [];
      const chart = page.locator('#time li', { has: page.getByText(agent ?? '', { exact: true }) });
      expect(await chart.locator('.multiple-title span').innerText(), sites).toBe(last);
    }
    await page.getByText(/Of the [\d,]+ sites with a known policy in all crawls, the share/).waitFor();
    expect(await page.locator('#time .ends').first().innerText()).toMatch(
      /^\d+ \w+ 20\d\d\s+\d+ \w+ 20\d\d$/,
    );
  });

  test('lines end at breaks, which are described', async () => {
    const page = await start(path);
    const chart = page.locator('.small-chart').first();
    expect(data.breaks.map(({ before }) => before)).toEqual([1]);
    expect(await chart.locator('path.line.blocked').count()).toBe(2);
    expect(await chart.locator('line.break').count()).toBe(1);
    expect(await page.locator('.break-notes').innerText()).toContain('follows up to five redirects');
    expect(await page.locator('#changes .notice').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Crawls' }).selectOption('0');
    await page.getByText('There is a break between these crawls').waitFor();
  });

  test('each chart has its CSV', async () => {
    const page = await start(path);
    expect(
      await page.locator('figure.chart', { hasNot: page.getByRole('button', { name: 'CSV' }) }).count(),
    ).toBe(0);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#time').getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('time.csv');
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^\ufeffcrawl,from,agent,sites,/);
    expect(lines.length).toBeGreaterThan(data.crawls.length * data.agents.length);
  });

  test('one crawl without ranks, weights and other columns has only the sections with data', async () => {
    const single: CensusReportData = {
      ...createReportData(60, 1),
      ...{
        ranks: [],
        weights: [],
        categories: [],
        groups: [],
        sources: [],
        generators: [],
        commonFiles: [],
        readings: [],
      },
    };
    const page = await start(await write('single', single));
    expect(await page.locator('.sections h2').allInnerTexts()).toEqual([
      ...[
        'Who is blocked',
        'What agents may fetch',
        'By top-level domain',
        'Blocked together',
        'Who is named',
        'Use of content',
        'Captures and files',
        'Methods',
      ],
    ]);
    expect(await page.locator('main').innerText()).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('a crawl of one site that blocks nothing is shown', async () => {
    const page = await start(await write('tiny', createReportData(1, 1)));
    expect(await page.locator('main').innerText()).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('text from outside is text, wherever it is', async () => {
    const hostile = replaceTexts(createReportData(60, 5), (text) => `${HOSTILE}${text}`);
    const page = await start(await write('hostile', hostile));
    const text = await openExamples(page, /^GPTBot, blocked by name: /);
    expect(text).toContain('<script>alert(1)</script>');
    expect(text).not.toContain('\u202e');
    expect(await page.locator('main').innerText()).not.toContain('\u202e');
    expect(await page.locator('img, script[src], iframe').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  test('axe finds nothing, also on a phone', async () => {
    const viewport = { width: 390, height: 844 };
    for (const size of [{}, { viewport, isMobile: true, hasTouch: true }]) {
      const page = await start(path, size);
      await page.getByText('As a table, with examples').click();
      await page.getByText('What the classes mean').click();
      const isPhone = 'viewport' in size;
      const options = isPhone ? { rules: WIDTH_RULES } : {};
      await expectNoViolations(page, options);
      if (isPhone)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
      await openExamples(page, /^GPTBot, blocked by name: /);
      await expectNoViolations(page, options);
    }
  });

  test('paper has the charts, without controls and without what only scrolling shows', async () => {
    const page = await start(path);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'CSV' }).count()).toBe(0);
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
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
});
