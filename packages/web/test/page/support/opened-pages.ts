/**
 * Chromium for the tests of a suite. What every test of a page must not have, an error or a forbidden request, is checked here.
 *
 * @module
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launch, type Watched } from './browser.ts';

/** Opens a page that is closed after the test. */
export type Show = (openPage: (browser: Browser) => Promise<Watched>) => Promise<Page>;

/** Adds the hooks to a suite. After each test its pages are closed, and must have had no errors and no forbidden requests. */
export function prepareBrowser(): Show {
  let browser: Browser;
  let opened: Watched[] = [];

  beforeAll(async () => {
    browser = await launch();
  }, 60_000);
  afterAll(() => browser?.close());
  afterEach(async () => {
    const pages = opened;
    opened = [];
    for (const { page } of pages) await page.context().close();
    expect(pages.flatMap(({ wrongs }) => wrongs)).toEqual([]);
  });

  return async (openPage) => {
    const watched = await openPage(browser);
    opened.push(watched);
    return watched.page;
  };
}
