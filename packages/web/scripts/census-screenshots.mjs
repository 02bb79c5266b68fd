// Builds the report of a census of invented sites and takes pictures of it: `npm run census-screenshots -w @maycrawl/web [FOLDER]`.
// Without a folder it replaces the pictures that the documentation shows, in docs/screenshots.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { build, createServer } from 'vite';
import { createCensusHtml } from '../../maycrawl/dist/census/report/html-report.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const documented = ['census-blocked', 'census-time'];
const target = process.argv[2] ?? fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'maycrawl-census-report-'));
const pageFolder = join(folder, 'page');
await build({
  root,
  configFile: join(root, 'vite.report.config.ts'),
  mode: 'census',
  logLevel: 'warn',
  build: { outDir: pageFolder },
});

/** The sites that the tests have, too: Vite reads its TypeScript. */
const conditions = ['@maycrawl/source'];
const vite = await createServer({
  ...{ root, configFile: false, logLevel: 'error', appType: 'custom' },
  server: { middlewareMode: true, ws: false, watch: null },
  ...{ resolve: { conditions }, ssr: { resolve: { conditions } } },
});
const { createReportData } = await vite.ssrLoadModule(
  fileURLToPath(new URL('../../maycrawl/test/support/census-report.ts', import.meta.url)),
);
const path = join(folder, 'report.html');
const data = createReportData(3_000, 9);
await writeFile(
  path,
  await createCensusHtml({ ...data, title: `of invented sites, ${data.title}` }, { pageFolder }),
);
await vite.close();

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const wide = { viewport: { width: 1180, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const dark = { colorScheme: 'dark' };
const sections = [
  'access',
  'time',
  'changes',
  'ranks',
  'weights',
  'tlds',
  'matrix',
  'use',
  'software',
  'readings',
];

const section = (name) => (page) => page.locator(`#${name}`);
async function examples(page) {
  await page.getByRole('button', { name: /^GPTBot, blocked by name/ }).click();
  return page;
}

/** Name, context options, and what is in the picture: the page, or an element of it. */
const pictures = [
  ['census-blocked', wide, (page) => page],
  ['census-time', wide, section('time')],
  ['census-examples', wide, examples],
  ['census-phone', phone, (page) => page],
  ...sections.flatMap((name) => [
    [`census-${name}-light`, wide, section(name)],
    [`census-${name}-dark`, { ...wide, ...dark }, section(name)],
    [`census-${name}-phone`, phone, section(name)],
  ]),
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
  await page.goto(pathToFileURL(path).href);
  await page.locator('.sections').waitFor();
  const shown = await act(page);
  await shown.screenshot({ path: join(target, `${name}.png`), animations: 'disabled', caret: 'hide' });
  await context.close();
}
await browser.close();
await rm(folder, { recursive: true, force: true });
