// Reports for the tests of a suite, which open them from disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { openReport } from './browser.ts';
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

/** Adds the hooks to a suite. @param writeReport - writes a report into a folder, and returns its path. */
export function prepareReports<Source>(
  writeReport: (folder: string, name: string, source: Source) => Promise<string>,
): Reports<Source> {
  const { show } = prepareBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-reports-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    write: (name, source) => writeReport(folder, name, source),
    getPath: (name) => join(folder, name),
    start: (path, options) => show((browser) => openReport(browser, path, options)),
  };
}
