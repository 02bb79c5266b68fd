// The tester for the tests of a suite: served once, opened in each test.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { open } from './browser.ts';
import { findBuiltPage } from './built-page.ts';
import { prepareBrowser } from './opened-pages.ts';
import { type Service, servePage } from './page-server.ts';

/** Opens pages that are closed after the test. */
interface Tester {
  /** Opens the tester. @param link - instead of its address. */
  readonly start: (options?: BrowserContextOptions, link?: string, shown?: string) => Promise<Page>;
  /** Returns its address. */
  readonly getUrl: () => string;
  /** Expects that the test has problems that match a pattern. */
  readonly expectProblems: (pattern: RegExp) => void;
}

/** Adds the hooks to a suite. @param service - what else the server has than the files of the page. */
export function prepareTester(service?: Service): Tester {
  const { show, expectProblems } = prepareBrowser();
  let server: Awaited<ReturnType<typeof servePage>>;

  beforeAll(async () => {
    server = await servePage(findBuiltPage('web'), service);
  });
  afterAll(() => server?.close());

  return {
    getUrl: () => server.url,
    expectProblems,
    start: (options = {}, link = server.url, shown = undefined) =>
      show((browser) => open(browser, link, options, shown)),
  };
}
