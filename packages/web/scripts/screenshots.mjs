// Builds the pages and takes pictures of their main states: `npm run screenshots -w @maycrawl/web [FOLDER]`. Without a folder it replaces
// the pictures that the documentation shows, in docs/screenshots.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { MemoryStore } from '../../maycrawl/dist/index.js';
import { createService } from '../../maycrawl/dist/serve/service.js';
import { fillMonitor } from './watched-sites.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const documented = ['verdicts', 'preferences', 'wishes', 'page', 'watch-site'];
const target = process.argv[2] ?? fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));
const isWanted = ([name]) => process.argv[2] !== undefined || documented.includes(name);
const outDir = await mkdtemp(join(tmpdir(), 'maycrawl-screenshots-'));
await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });

const file = await readFile(new URL('../../../examples/robots.txt', import.meta.url));
const html = `<meta charset=utf-8><title>Reading lamps</title><link rel=canonical href=/lamps/>
<link rel=alternate hreflang=de href=/de/lamps/><script src=/cart.js></script><link rel=stylesheet href=/site.css>
<img src=/lamps/desk.jpg><img src=/lamps/floor.jpg>`;
/** A site to load from: it has moved its file, and a page. */
const site = createServer(({ url }, response) => {
  if (url === '/robots.txt') response.writeHead(301, { location: '/files/robots.txt' }).end();
  else if (url === '/old-lamps') response.writeHead(301, { location: '/lamps/' }).end();
  else if (url === '/lamps/') response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  else response.writeHead(200, { 'cache-control': 'max-age=3600', etag: '"5f3c-1"' }).end(file);
});
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
const folder = await mkdtemp(join(tmpdir(), 'maycrawl-watched-'));
const monitor = await fillMonitor(folder, Date.now());
const service = await createService({
  store: new MemoryStore(),
  userAgent: 'maycrawl',
  allowPrivate: true,
  pageFolder: outDir,
  watch: monitor.database,
});
const url = await service.listen({ host: '127.0.0.1', port: 0 });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

const wide = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const dark = { colorScheme: 'dark' };

async function edit(page) {
  await page.getByRole('tab', { name: 'Compare' }).click();
  await page.locator('.cm-line', { hasText: 'Disallow: /private' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('/');
  await page.locator('.cm-line', { hasText: 'Disallow: /search' }).first().click();
  await page.keyboard.press('End');
  await page.keyboard.type('?');
  await page.getByText('Verdicts change.').waitFor();
}
const outage = (page) => page.getByRole('tab', { name: 'Outage' }).click();
const address = `http://127.0.0.1:${site.address().port}`;
async function load(page) {
  await page.getByLabel('Site', { exact: true }).fill(address);
  await page.getByRole('button', { name: 'Load from site' }).click();
  await page.getByText(`${address}: successful`).waitFor();
}

async function wish(page) {
  await page.getByRole('tab', { name: 'AI and use' }).click();
  await page.locator('.other-urls').waitFor();
  await page.getByRole('button', { name: 'Keep search, refuse training…' }).click();
  await page.locator('.diff').waitFor();
}

/** The tab after the dialog has written its lines. */
async function use(page) {
  await wish(page);
  await page.getByRole('button', { name: 'Put into the editor' }).click();
  await page
    .getByRole('row', { name: /^ClaudeBot/ })
    .getByText('disallowed')
    .click();
  await page.locator('.preference-details', { hasText: 'ClaudeBot' }).waitFor();
  await page.locator('.other-urls').waitFor();
}

async function check(page) {
  await load(page);
  await page.getByRole('tab', { name: 'Page' }).click();
  await page.getByLabel('URL of a page').fill(`${address}/old-lamps`);
  await page.getByRole('button', { name: 'Check page' }).click();
  await page.getByRole('heading', { name: 'All crawlers' }).waitFor();
}

/** Name, context options, and what is done first. */
const pictures = [
  ['verdicts', wide],
  ['verdicts-dark', { ...wide, ...dark }],
  ['verdicts-phone', phone],
  ['preferences', { viewport: { width: 1280, height: 1040 } }, use],
  ['preferences-dark', { ...wide, ...dark }, use],
  ['preferences-phone', { viewport: { width: 375, height: 1180 }, hasTouch: true }, use],
  ['wishes', { viewport: { width: 1280, height: 1040 } }, wish],
  ['wishes-phone-dark', { ...phone, ...dark }, wish],
  ['compare', wide, edit],
  ['outage', wide, outage],
  ['outage-phone-dark', { ...phone, ...dark }, outage],
  ['load', wide, load],
  ['page', { viewport: { width: 1280, height: 1180 } }, check],
  ['page-phone-dark', { ...phone, ...dark }, check],
  ['crawlers', wide, (page) => page.getByRole('button', { name: /Crawlers…/ }).click()],
];

const shop = `#/site/${encodeURIComponent(monitor.origins.shop)}`;
const siteIsThere = (page) => page.getByText('As a table').waitFor();
const tall = { viewport: { width: 1280, height: 1180 } };
/** The same of the pages of the monitor, with the fragment that leads there. */
const watched = [
  ['watch-sites', wide, '#/', (page) => page.getByText('Latest events').waitFor()],
  [
    'watch-sites-phone-dark',
    { ...phone, ...dark },
    '#/',
    (page) => page.getByText('Latest events').waitFor(),
  ],
  ['watch-site', tall, shop, siteIsThere],
  ['watch-site-dark', { ...wide, ...dark }, shop, siteIsThere],
  ['watch-site-phone', phone, shop, siteIsThere],
  [
    'watch-compare',
    wide,
    shop.replace('site', 'compare').concat('/2/3'),
    (page) => page.getByText('newly blocked').waitFor(),
  ],
  [
    'watch-compare-phone',
    phone,
    shop.replace('site', 'compare').concat('/1/3'),
    (page) => page.getByText('newly blocked').first().waitFor(),
  ],
  [
    'watch-edit',
    wide,
    shop,
    async (page) => {
      await siteIsThere(page);
      await page.getByRole('button', { name: 'Edit…' }).click();
      await page.getByText('Notifications').last().waitFor();
    },
  ],
];

await mkdir(target, { recursive: true });
/** Takes a picture of what is reached. */
async function take(name, options, path, reach) {
  const context = await browser.newContext({
    ...options,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(new URL(path, url).href);
  await reach(page);
  await page.screenshot({ path: join(target, `${name}.png`), animations: 'disabled', caret: 'hide' });
  await context.close();
}

for (const [name, options, act] of pictures.filter(isWanted))
  await take(name, options, '/', async (page) => {
    await page.locator('.explanation').waitFor();
    await page.locator('.findings, .findings-none').waitFor();
    await act?.(page);
    if (options.hasTouch && act !== undefined)
      await page.locator('.tabs').evaluate((tabs) => tabs.scrollIntoView());
  });
for (const [name, options, fragment, reach] of watched.filter(isWanted))
  await take(name, options, `/watch.html${fragment}`, reach);
await browser.close();
await service.close();
await monitor.close();
site.close();
for (const each of [outDir, folder]) await rm(each, { recursive: true, force: true });
