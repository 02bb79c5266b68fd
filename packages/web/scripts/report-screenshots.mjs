// Builds the report of an audit and takes pictures of it: `npm run report-screenshots -w @maycrawl/web [FOLDER]`. Without a folder it
// replaces the pictures that the documentation shows, in docs/screenshots.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { build, createServer } from 'vite';
import { writeReports } from '../../maycrawl/dist/audit/report/write-report.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const documented = ['audit-findings', 'audit-urls'];
const target = process.argv[2] ?? fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'maycrawl-report-'));
await build({
  root,
  configFile: join(root, 'vite.report.config.ts'),
  logLevel: 'warn',
  build: { outDir: join(folder, 'page') },
});

/** The site that the tests have, too: Vite reads its TypeScript. */
const conditions = ['@maycrawl/source'];
const vite = await createServer({
  ...{ root, configFile: false, logLevel: 'error', appType: 'custom' },
  server: { middlewareMode: true, ws: false, watch: null },
  ...{ resolve: { conditions }, ssr: { resolve: { conditions } } },
});
const load = (name) =>
  vite.ssrLoadModule(fileURLToPath(new URL(`../../maycrawl/test/support/${name}.ts`, import.meta.url)));
const [{ makeRun }, { SHOP }] = await Promise.all([load('audit-runs'), load('audit-site')]);
const run = await makeRun(join(folder, 'shop.sqlite'), SHOP);
await writeReports(
  run,
  { html: join(folder, 'report.html') },
  { name: 'shop.sqlite', pageFolder: join(folder, 'page') },
);
await run.close();
await vite.close();

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const wide = { viewport: { width: 1280, height: 860 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const dark = { colorScheme: 'dark' };

const tab = (name) => (page) => page.getByRole('tab', { name }).click();
async function evidence(page) {
  await page.getByRole('tab', { name: 'URLs' }).click();
  await page.getByLabel('Verdict', { exact: true }).selectOption('not-indexable');
  await page
    .getByRole('row', { name: /\/old\b/ })
    .first()
    .click();
}
async function finding(page) {
  await page.locator('.finding summary', { hasText: 'in sitemaps' }).first().click();
}

/** Name, context options, and what is done first. */
const pictures = [
  ['audit-findings', wide, finding],
  ['audit-findings-dark', { ...wide, ...dark }],
  ['audit-findings-phone', phone, finding],
  ['audit-summary', wide, tab('Summary')],
  ['audit-urls', wide, evidence],
  ['audit-urls-phone-dark', { ...phone, ...dark }, evidence],
  ['audit-sitemaps', wide, tab('Sitemaps')],
  ['audit-slow', wide, tab('Slow pages')],
  ['audit-omitted', wide, tab('Omitted')],
  ['audit-outside', wide, tab('Out of scope')],
];
await mkdir(target, { recursive: true });
for (const [name, options, act] of pictures) {
  if (process.argv[2] === undefined && !documented.includes(name)) continue;
  const context = await browser.newContext({
    ...options,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  await page.locator('.report').waitFor();
  await act?.(page);
  await page.screenshot({ path: join(target, `${name}.png`), animations: 'disabled', caret: 'hide' });
  await context.close();
}
await browser.close();
await rm(folder, { recursive: true, force: true });
