// Writes the report of a census of invented sites and takes pictures of it: `npm run census-screenshots -w @maycrawl/web [FOLDER]`.
// Without a folder it replaces the pictures that the documentation shows, in docs/screenshots.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dark, phone, preparePictures } from './pictures.mjs';

const wide = { viewport: { width: 1180, height: 900 } };
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
const examples = (page) => page.getByRole('button', { name: /^GPTBot, blocked by name/ }).click();

/** Each is of the page, or of an element of it. */
const pictures = [
  ['census-blocked', wide],
  ['census-time', wide, section('time')],
  ['census-examples', wide, examples],
  ['census-phone', phone],
  ...sections.flatMap((name) => [
    [`census-${name}-light`, wide, section(name)],
    [`census-${name}-dark`, { ...wide, ...dark }, section(name)],
    [`census-${name}-phone`, phone, section(name)],
  ]),
];

const { loadSource, takePictures, close } = await preparePictures(['census-blocked', 'census-time']);
const { writeCensusReport } = await loadSource('web/test/page/support/census-report.ts');
const { createReportData } = await loadSource('maycrawl/test/support/census-report.ts');
const folder = await mkdtemp(join(tmpdir(), 'maycrawl-census-'));
const data = createReportData(3_000, 9);
const path = await writeCensusReport(folder, 'report', {
  ...data,
  title: `of invented sites, ${data.title}`,
});
await takePictures(pathToFileURL(path), ['.sections'], pictures);
await close();
await rm(folder, { recursive: true });
