// Writes the report of an audit and takes pictures of it: `npm run report-screenshots -w @maycrawl/web [FOLDER]`. Without a folder it
// replaces the pictures that the documentation shows, in docs/screenshots.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dark, phone, preparePictures } from './pictures.mjs';

const wide = { viewport: { width: 1280, height: 860 } };

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

const { loadSource, takePictures, close } = await preparePictures(['audit-findings', 'audit-urls']);
const { writeAuditReport } = await loadSource('web/test/page/support/audit-report.ts');
const { SHOP } = await loadSource('maycrawl/test/support/audit-site.ts');
const folder = await mkdtemp(join(tmpdir(), 'maycrawl-report-'));
const path = await writeAuditReport(folder, 'shop.sqlite', SHOP);
await takePictures(pathToFileURL(path), ['.report'], pictures);
await close();
await rm(folder, { recursive: true });
