/**
 * Writes reports of audits and opens them from disk.
 *
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { build } from 'vite';
import { writeReports } from '../../../../maycrawl/src/audit/report/write-report.ts';
import { makeRun, type Site } from '../../../../maycrawl/test/support/audit-runs.ts';
import type { Watched } from './browser.ts';

/** Builds the page into a new folder for reports. */
export async function buildReportPage(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'maycrawl-report-'));
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  await build({
    root,
    configFile: join(root, 'vite.report.config.ts'),
    logLevel: 'warn',
    build: { outDir: join(folder, 'page') },
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Writes the report of a site. @returns its path. */
export async function writeReport(folder: string, name: string, site: Site): Promise<string> {
  const run = await makeRun(join(folder, `${name}.sqlite`), site);
  const path = join(folder, `${name}.html`);
  await writeReports(run, { html: path }, { name, pageFolder: join(folder, 'page') });
  await run.close();
  return path;
}

/**
 * Opens a report. Every request that it sends is a problem.
 *
 * @param shown - the element to wait for.
 */
export async function openReport(
  browser: Browser,
  path: string,
  options: BrowserContextOptions = {},
  shown: string = '.report',
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const url = pathToFileURL(path).href;
  const wrongs: string[] = [];
  page.on('console', (message) => wrongs.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => wrongs.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog) => {
    wrongs.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url && !/^(?:data|blob):/.test(request.url()))
      wrongs.push(`request: ${request.url()}`);
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      // biome-ignore lint/suspicious/noConsole: the test listens to it.
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  await page.goto(url);
  await page.locator(shown).waitFor();
  return { page, wrongs };
}
