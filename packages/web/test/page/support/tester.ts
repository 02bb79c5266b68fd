/**
 * The tester for the tests of a suite: built and served once, opened in each test.
 *
 * @module
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { open } from './browser.ts';
import { type BuiltPage, buildPage } from './build-page.ts';
import { prepareBrowser } from './opened-pages.ts';
import { servePage } from './page-server.ts';

/** Opens pages that are closed after the test. */
interface Tester {
  /** Opens the tester. @param link - instead of its address. */
  readonly start: (options?: BrowserContextOptions, link?: string, shown?: string) => Promise<Page>;
}

/** Adds the hooks to a suite. */
export function prepareTester(): Tester {
  const show = prepareBrowser();
  let built: BuiltPage;
  let server: Awaited<ReturnType<typeof servePage>>;

  beforeAll(async () => {
    built = await buildPage();
    server = await servePage(built.folder);
  }, 60_000);
  afterAll(async () => {
    await server?.close();
    await built?.remove();
  });

  return {
    start: (options = {}, link = server.url, shown = undefined) =>
      show((browser) => open(browser, link, options, shown)),
  };
}
