// Chromium for the tests of a suite. What every test of a page must not have, an error or a forbidden request, is checked here.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { TestBrowser, type Watched } from './browser.ts';

/** Opens pages in the browser. */
interface OpenedPages {
  /** Opens a page that is closed after the test. */
  readonly show: (openPage: (browser: TestBrowser) => Promise<Watched>) => Promise<Page>;
  /** Expects that the test has problems that match a pattern. */
  readonly expectProblems: (pattern: RegExp) => void;
}

/** Adds the hooks to a suite. After each test its pages are closed, and must have had no errors and no forbidden requests. */
export function prepareBrowser(): OpenedPages {
  let browser: TestBrowser;
  let opened: Watched[] = [];
  let expected: RegExp | undefined;

  beforeAll(async () => {
    browser = await TestBrowser.launch();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const [pages, pattern] = [opened, expected];
    [opened, expected] = [[], undefined];
    await browser.closePages();
    const wrongs = pages.flatMap((each) => each.wrongs);
    expect(wrongs.filter((wrong) => pattern?.test(wrong) !== true)).toEqual([]);
    if (pattern !== undefined) expect(wrongs).not.toEqual([]);
  });

  return {
    show: async (openPage) => {
      const watched = await openPage(browser);
      opened.push(watched);
      return watched.page;
    },
    expectProblems: (pattern) => {
      expected = pattern;
    },
  };
}
