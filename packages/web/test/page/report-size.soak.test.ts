import { stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { writeAuditReport } from './support/audit-report.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { makeLargeRun } from './support/large-site.ts';
import { prepareReports } from './support/reports.ts';

const URLS = 100_000;

describe.skipIf(isChromiumMissing)(`the report of a large run${NEEDS}`, () => {
  const { write, start, getPath } = prepareReports(writeAuditReport);

  test('100,000 URLs: opens, filters, sorts and scrolls without delay and without missing rows', async () => {
    const run = await makeLargeRun(getPath('large.sqlite'), URLS);
    const { counts } = { counts: await run.counts() };
    expect(counts.fetched).toBeGreaterThan(0);
    const path = await write('large', run);
    expect((await stat(path)).size).toBeLessThan(5_000_000);
    const begin = performance.now();
    const page = await start(path);
    // The limits are loose: they distinguish milliseconds from minutes.
    expect(performance.now() - begin).toBeLessThan(15_000);
    await page.locator('.finding', { hasText: 'redirects lead to an error' }).waitFor();
    await page.getByRole('tab', { name: 'URLs' }).click();
    await page
      .getByRole('status')
      .getByText(/^(\d{2,3},\d{3}) of \1 judged URLs$/)
      .waitFor();
    /** Measures the milliseconds until the page has handled an event and is drawn. */
    const measureEvent = (selector: string, type: string, value: string): Promise<number> =>
      page.evaluate(
        async ([css, name, text]) => {
          const element = document.querySelector<HTMLInputElement>(css as string);
          const before = performance.now();
          if (element !== null && name !== 'click') element.value = text as string;
          element?.dispatchEvent(new Event(name as string, { bubbles: true }));
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          return performance.now() - before;
        },
        [selector, type, value],
      );
    const times = [
      await measureEvent('.filters input', 'input', 'product-199'),
      await measureEvent('.filters input', 'input', ''),
      await measureEvent('select[aria-label=Verdict]', 'change', 'noindex'),
      await measureEvent('select[aria-label=Verdict]', 'change', ''),
      await measureEvent('.url-grid-head .status button', 'click', ''),
      await measureEvent('.url-grid-head .title button', 'click', ''),
      await measureEvent('.url-grid-head .url button', 'click', ''),
    ];
    expect(Math.max(...times)).toBeLessThan(3_000);
    expect(await page.locator('.row').count()).toBeLessThan(60);
    await page.locator('.row').first().click();
    await page.keyboard.press('End');
    await expect
      .poll(() => page.locator('.row[aria-selected=true]').getAttribute('aria-rowindex'))
      .toBe(await page.locator('.url-grid').getAttribute('aria-rowcount'));
    for (const name of ['Findings', 'Sitemaps', 'Slow pages', 'Omitted', 'Out of scope'])
      await page.getByRole('tab', { name, exact: true }).click();
  });
});
