/**
 * Reports for the tests of a suite: their page is built once, and each test opens them from disk.
 *
 * @module
 */
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openReport } from './browser.ts';
import type { BuiltReport } from './build-page.ts';
import { prepareBrowser } from './opened-pages.ts';

/** Writes reports, and opens them. */
interface Reports<Source> {
  /** Writes a report. @returns its path. */
  readonly write: (name: string, source: Source) => Promise<string>;
  /** Returns the path of a file in the folder of the reports. */
  readonly getPath: (name: string) => string;
  /** Opens a report until the test ends. */
  readonly start: (path: string, options?: BrowserContextOptions) => Promise<Page>;
}

/** Adds the hooks to a suite. @param build - builds the page. */
export function prepareReports<Source>(build: () => Promise<BuiltReport<Source>>): Reports<Source> {
  const { show } = prepareBrowser();
  let built: BuiltReport<Source>;

  beforeAll(async () => {
    built = await build();
  });
  afterAll(() => built?.remove());

  return {
    write: (name, source) => built.write(name, source),
    getPath: (name) => join(built.folder, name),
    start: (path, options) => show((browser) => openReport(browser, path, options)),
  };
}
