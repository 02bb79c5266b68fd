/** The use of content in the report of an audit. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { ORIGIN, SILENT_SITE, SITE } from '../../../maycrawl/test/audit/preferences/site.ts';
import { html } from '../../../maycrawl/test/support/audit-runs.ts';
import { HOSTILE } from '../../../maycrawl/test/support/audit-site.ts';
import { writeAuditReport } from './support/audit-report.ts';
import { expectNoViolations } from './support/axe.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { shown, tab } from './support/report-hands.ts';
import { prepareReports } from './support/reports.ts';

const getEvidence = (page: Page): Promise<string> =>
  page.locator('.evidence dl > div', { hasText: 'Use of content' }).innerText();

describe.skipIf(isChromiumMissing)(`the use of content in the report of an audit${NEEDS}`, () => {
  const { write, start } = prepareReports(writeAuditReport);
  let path: string;

  beforeAll(async () => {
    path = await write('use', SITE);
  });

  test('each number is the length of the list that it opens, for its crawler', async () => {
    const page = await start(path);
    await tab(page, 'Use of content');
    const buttons = page.locator('table.segments button');
    const labels = await buttons.evaluateAll((all) =>
      all.map((each) => each.getAttribute('aria-label') ?? ''),
    );
    expect(labels.length).toBeGreaterThan(20);
    for (const [place, label] of labels.entries()) {
      const [, crawlers = '', count = ''] = /^([^,]+),.*: ([\d,]+)$/.exec(label) ?? [];
      await buttons.nth(place).click();
      await page
        .getByRole('status')
        .getByText(new RegExp(`^${count} of`))
        .waitFor();
      await page.getByLabel('Crawler').evaluate((select: HTMLSelectElement, name) => {
        if (select.selectedOptions[0]?.text !== name) throw new Error(`not ${name}`);
      }, crawlers);
      await page.goBack();
      await page.getByRole('heading', { name: 'May it be used?' }).waitFor();
    }
  });

  test('the evidence shows the deciding statement beside the robots.txt', async () => {
    const page = await start(path);
    const open = async (agent: string, url: string): Promise<string> => {
      await page.goto(
        `${page.url().split('#')[0]}#/urls?agent=${agent}&url=${encodeURIComponent(ORIGIN + url)}`,
      );
      await page
        .locator('.evidence code', { hasText: ORIGIN + url })
        .first()
        .waitFor();
      return getEvidence(page);
    };
    const contradiction = await open('bingbot', '/contradicts');
    expect(contradiction).toContain('ai-train: disallowed\nmeta, robots: index, noai');
    expect(contradiction).toContain('also header, content-usage: train-ai=y');
    expect(contradiction).toContain('conflict: "noai" in the meta robots refuses ai-train');
    expect(await open('GPTBot', '/plain')).toContain('allowed under the reading “global”');
    expect(await open('GPTBot', '/private/refused')).toContain('Not applicable: the crawler may not fetch');
  });

  test('the filter has the preferences of the crawler, and a format from the table', async () => {
    const page = await start(path);
    await tab(page, 'URLs');
    await page.getByLabel('Crawler').selectOption('bingbot');
    await page.getByLabel('Use', { exact: true }).selectOption({ label: 'search: disallowed' });
    expect(await shown(page)).toEqual(['/signal']);
    expect(page.url()).toContain('use=search%3Adisallowed');
    await tab(page, 'Use of content');
    await page.getByRole('button', { name: /^bingbot, ai-train, disallowed by RSL licences: 1$/ }).click();
    expect(await shown(page)).toEqual(['/rsl']);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = await readFile(await file.path(), 'utf8');
    expect(csv).toMatch(/,use search,use ai-train,use ai-input/);
    expect(csv).toContain(',allowed,disallowed,disallowed');
  });

  test('a site that declares nothing has no tab, no filter and no evidence about it', async () => {
    const silent = await write('silent', SILENT_SITE);
    const page = await start(silent);
    expect(await page.getByRole('tab', { name: 'Use of content' }).count()).toBe(0);
    await tab(page, 'URLs');
    expect(await page.getByLabel('Use', { exact: true }).count()).toBe(0);
    await page.locator('.row').first().click();
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
    expect(await page.locator('.evidence dt', { hasText: 'Use of content' }).count()).toBe(0);
    await page.goto(`${page.url().split('#')[0]}#/use`);
    await page.getByRole('tab', { name: 'Findings', selected: true }).waitFor();
  });

  test('statements of a hostile site are text', async () => {
    const content = HOSTILE.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const hostile = await write('hostile', {
      start: `${ORIGIN}/`,
      answers: {
        [`${ORIGIN}/`]: {
          body: html('H', [], `<meta name="content-signal" content="ai-train=no, ${content}">`),
        },
      },
    });
    const page = await start(hostile);
    await tab(page, 'URLs');
    await page.locator('.row').first().click();
    const evidence = await getEvidence(page);
    expect(evidence).toContain('<script>alert(1)</script>');
    expect(evidence).not.toContain('\u202e');
  });

  test('axe finds nothing, also on a phone', async () => {
    const viewport = { width: 390, height: 844 };
    for (const size of [{}, { viewport, isMobile: true, hasTouch: true }]) {
      const page = await start(path, size);
      await tab(page, 'Use of content');
      await expectNoViolations(page);
      if ('viewport' in size)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    }
  });
});
