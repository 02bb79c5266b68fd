// Takes pictures of the main states of the built pages: `npm run screenshots -w @maycrawl/web [FOLDER]`. Without a folder it replaces
// the pictures that the documentation shows, in docs/screenshots.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore } from '../../maycrawl/dist/index.js';
import { createService } from '../../maycrawl/dist/serve/service.js';
import { dark, phone, preparePictures } from './pictures.mjs';
import { fillMonitor } from './watched-sites.mjs';

const documented = ['verdicts', 'preferences', 'wishes', 'page', 'watch-site'];
const { loadSource, takePictures, close } = await preparePictures(documented);
const { findBuiltPage } = await loadSource('web/test/page/support/built-page.ts');

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
  allowPrivateAddresses: true,
  pageFolder: findBuiltPage('web'),
  watch: monitor.database,
});
const url = await service.listen({ host: '127.0.0.1', port: 0 });

const wide = { viewport: { width: 1280, height: 800 } };

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

/** On a phone, the tabs are below the editor. */
const scrollToTabs = (page) => page.locator('.tabs').evaluate((tabs) => tabs.scrollIntoView());
const pages = pictures.map(([name, options, act]) => [
  name,
  options,
  async (page) => {
    await act?.(page);
    if (options.hasTouch && act !== undefined) await scrollToTabs(page);
  },
]);
await takePictures(url, ['.explanation', '.findings, .findings-none'], pages);

const tall = { viewport: { width: 1280, height: 1180 } };
const shop = `#/site/${encodeURIComponent(monitor.origins.shop)}`;
const compare = shop.replace('site', 'compare');
const latestEvents = (page) => page.getByText('Latest events').waitFor();
const table = (page) => page.getByText('As a table').waitFor();
const newlyBlocked = (page) => page.getByText('newly blocked').first().waitFor();
async function editSite(page) {
  await table(page);
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByText('Notifications').last().waitFor();
}

const watched = [
  ['watch-sites', wide, latestEvents, '#/'],
  ['watch-sites-phone-dark', { ...phone, ...dark }, latestEvents, '#/'],
  ['watch-site', tall, table, shop],
  ['watch-site-dark', { ...wide, ...dark }, table, shop],
  ['watch-site-phone', phone, table, shop],
  ['watch-compare', wide, newlyBlocked, `${compare}/2/3`],
  ['watch-compare-phone', phone, newlyBlocked, `${compare}/1/3`],
  ['watch-edit', wide, editSite, shop],
];
await takePictures(new URL('/watch.html', url), [], watched);

await close();
await service.close();
await monitor.close();
site.close();
await rm(folder, { recursive: true, force: true });
