// Writes the report of an invented log and takes pictures of it: `npm run logs-screenshots -w @maycrawl/web [FOLDER]`.
// Without a folder it replaces the picture that the documentation shows, in docs/screenshots.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dark, phone, preparePictures } from './pictures.mjs';

const wide = { viewport: { width: 1180, height: 1000 } };
const sections = ['findings', 'crawlers', 'rules', 'what-if', 'audit', 'meaning'];
const section = (name) => (page) => page.locator(`#${name}`);
const open = (name) => async (page) => {
  await page.getByRole('button', { name, exact: true }).last().click();
  return page.locator('.crawlers .details');
};

/** Each is of the page, or of an element of it. */
const pictures = [
  ['logs', { viewport: { width: 1180, height: 1200 } }],
  ['logs-dark', { ...wide, ...dark }],
  ['logs-phone', phone],
  ...['Bytespider', 'Googlebot'].flatMap((name) => [
    [`logs-${name}`, wide, open(name)],
    [`logs-${name}-phone`, phone, open(name)],
    [`logs-${name}-dark`, { ...wide, ...dark }, open(name)],
  ]),
  ...sections.flatMap((name) => [
    [`logs-${name}-light`, wide, section(name)],
    [`logs-${name}-dark`, { ...wide, ...dark }, section(name)],
    [`logs-${name}-phone`, phone, section(name)],
  ]),
];

const { loadSource, takePictures, close } = await preparePictures(['logs']);
const { writeLogsReport } = await loadSource('web/test/page/support/logs-report.ts');
const { createLogSummary } = await loadSource('maycrawl/test/support/log-summary.ts');
const folder = await mkdtemp(join(tmpdir(), 'maycrawl-logs-'));
const path = await writeLogsReport(folder, 'report', createLogSummary());
await takePictures(pathToFileURL(path), ['.sections'], pictures);
await close();
await rm(folder, { recursive: true });
