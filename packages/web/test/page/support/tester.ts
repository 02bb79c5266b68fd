/**
 * The tester for the tests of a suite: built and served once, opened in each test.
 *
 * @module
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launch, open, type Watched } from './browser.ts';
import { buildPage, servePage } from './page-server.ts';

/** Opens pages that are closed after the test. */
interface Tester {
  /** Opens the tester. @param link - instead of its address. */
  readonly start: (options?: BrowserContextOptions, link?: string, shown?: string) => Promise<Page>;
}

/** Adds the hooks to a suite. After each test its pages are closed, and must have had no errors and no forbidden requests. */
export function prepareTester(): Tester {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let server: Awaited<ReturnType<typeof servePage>>;
  let opened: Watched[] = [];

  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launch()]);
    server = await servePage(built.folder);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await built?.remove();
  });
  afterEach(async () => {
    const pages = opened;
    opened = [];
    for (const { page } of pages) await page.context().close();
    expect(pages.flatMap(({ wrongs }) => wrongs)).toEqual([]);
  });

  return {
    start: async (options = {}, link = server.url, shown = undefined) => {
      const watched = await open(browser, link, options, shown);
      opened.push(watched);
      return watched.page;
    },
  };
}
