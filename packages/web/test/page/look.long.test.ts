import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectNoViolations } from './support/axe.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { prepareTester } from './support/tester.ts';

/** The states of the page, each with the steps from the previous state. */
const STATES: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['verdicts', async (page) => page.locator('.findings').waitFor()],
  ['findings', async (page) => page.locator('.findings summary').click()],
  [
    'operator',
    async (page) => {
      await page.locator('.operator-facts summary').click();
      await page.locator('.operator-facts li').first().waitFor();
    },
  ],
  ['crawlers', async (page) => page.getByRole('button', { name: /Crawlers…/ }).click()],
  [
    'URLs',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /URLs…/ }).click();
    },
  ],
  [
    'share',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Share…' }).click();
      await page.getByRole('dialog', { name: 'Share' }).waitFor();
    },
  ],
  [
    'preferences',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'AI and use' }).click();
      await page.locator('.preference-details').waitFor();
      await page.getByText('More sources').click();
      await page.getByLabel('RSL document').fill('<html>');
      await page.getByText('This is not an RSL document').waitFor();
    },
  ],
  [
    'wishes',
    async (page) => {
      await page.getByRole('button', { name: 'Keep search, refuse training…' }).click();
      await page.getByLabel('The file tdmrep.json').check();
      await page.getByRole('button', { name: 'Copy tdmrep.json' }).waitFor();
      // The sentences about a refusal name their sources, and come later.
      await page.locator('.wish-limits li', { hasText: 'https://' }).first().waitFor();
    },
  ],
  [
    'page',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Page' }).click();
      await page.getByRole('button', { name: 'Check page' }).waitFor();
    },
  ],
  [
    'outage',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Outage' }).click();
    },
  ],
  [
    'compare',
    async (page) => {
      await page.getByRole('tab', { name: 'Compare' }).click();
      await page.locator('.cm-content').focus();
      await page.keyboard.press('Control+Home');
      await page.keyboard.insertText('User-agent: *\nDisallow: /new\nDisallow: /tmp/a\n\n');
      await page.getByText('Verdicts change.').waitFor();
      await page.getByRole('region', { name: 'For the listed URLs' }).locator('td').first().waitFor();
      await page.locator('.findings summary', { hasText: 'findings' }).waitFor();
    },
  ],
];

describe.skipIf(isChromiumMissing)(`the appearance of the page${NEEDS}`, () => {
  const { start } = prepareTester(() => undefined);

  test('axe finds no violation in any state', async () => {
    const page = await start();
    for (const [state, reach] of STATES) {
      await reach(page);
      await expectNoViolations(page, { state });
    }
  });

  test('the dark and light themes differ, and follow the system', async () => {
    const page = await start({ colorScheme: 'light' });
    const grounds: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const part of ['body', '.cm-editor'])
        grounds.push(await page.locator(part).evaluate((each) => getComputedStyle(each).backgroundColor));
    }
    expect(new Set(grounds).size).toBe(4);
  });

  test('no element is wider than the screen of a phone', async () => {
    const phone = {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    };
    const page = await start(phone);
    for (const [name, reach] of STATES) {
      await reach(page);
      const widths = await page.evaluate(() => {
        const { scrollWidth } = document.documentElement;
        const dialog = document.querySelector('dialog');
        return [scrollWidth, dialog === null ? 0 : dialog.scrollWidth - dialog.clientWidth];
      });
      expect(widths, name).toEqual([390, 0]);
      // Lists of findings and tables of rules are shown whole; only the editor and the matrix scroll.
      const cut = await page
        .locator('.findings, .explanation .scroll')
        .evaluateAll((parts) =>
          parts
            .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
            .map(({ className }) => className),
        );
      expect(cut, name).toEqual([]);
      // The parts are stacked: the editor above the tabs.
      const [editor, tabs] = await Promise.all(
        ['.editor', '.tabs'].map((part) => page.locator(part).boundingBox()),
      );
      expect(tabs?.y, name).toBeGreaterThan((editor?.y ?? 0) + (editor?.height ?? 0));
    }
  });
});
