/** The first thing that a reader of a report sees is what is worst. Each site would be "fine" by its single pages. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  createSite,
  HEADER,
  NOINDEX,
  pagesOf,
} from '../../../maycrawl/test/audit/findings/site-of-folders.ts';
import { html, type Site } from '../../../maycrawl/test/support/audit-runs.ts';
import { writeAuditReport } from './support/audit-report.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { prepareReports } from './support/reports.ts';

const { write, start, getPath } = prepareReports(writeAuditReport);

const CATASTROPHES: readonly (readonly [name: string, site: Site, findings: readonly string[]])[] = [
  [
    'every page has noindex',
    createSite(pagesOf('/shop/', 30), (path) => ({ body: html(path), headers: HEADER })),
    [
      'error The home page cannot be indexed: noindex in a header, nearly the whole site',
      'error Most of the site cannot be indexed: 31 of 31 pages: 31 with noindex',
      'error 31 pages have noindex: noindex in a header, nearly the whole site: 31 of 31 pages',
    ],
  ],
  [
    'one line blocks 30 of 31 pages',
    createSite(pagesOf('/shop/', 30), undefined, 'User-agent: *\nDisallow: /s\n'),
    [
      'error Most of the site cannot be indexed: 30 of 31 pages: 30 blocked by robots.txt',
      'error 30 pages are blocked by robots.txt: robots.txt, line 2 (Disallow: /s): 30 of 31 pages',
    ],
  ],
  [
    'the robots.txt blocks everything',
    createSite([], undefined, 'User-agent: *\nDisallow: /\n'),
    ['error The home page cannot be indexed: robots.txt, line 2 (Disallow: /)'],
  ],
  [
    'all pages of a language are missing',
    createSite([...pagesOf('/ja/', 12), ...pagesOf('/en/', 30)], (path) =>
      path.startsWith('/ja/') ? { status: 404 } : { body: html(path) },
    ),
    [
      'error 12 URLs that pages link to were not found: status 404 (12)',
      'error 1 folder leads only to errors: /ja/: 100 % not found (12 URLs)',
    ],
  ],
  [
    'a large folder has noindex',
    createSite([...pagesOf('/a/', 40), ...pagesOf('/b/', 10)], (path) => ({
      body: html(path, [], path.startsWith('/b/') ? NOINDEX : ''),
    })),
    ['warning 10 pages have noindex: noindex in a meta element, /b/: 10 of 51 pages'],
  ],
];

test.skipIf(isChromiumMissing).each(CATASTROPHES)(`%s${NEEDS}`, async (name, site, findings) => {
  const page = await start(await write(name.replaceAll(' ', '-'), site));
  const titles = await page.locator('.finding-title').allInnerTexts();
  const texts = titles.map((title) => title.replaceAll(/\s+/g, ' ').trim());
  expect(texts.slice(0, findings.length)).toEqual(findings);
  await page.locator('details.finding').first().locator('summary').first().click();
  // It says what to do.
  await page
    .locator('details.finding')
    .first()
    .getByText(/^(?:Remove|See|Let|Restore|Correct)/)
    .first()
    .waitFor();
  expect(readFileSync(getPath(`${name.replaceAll(' ', '-')}.html`)).length).toBeLessThan(1_000_000);
});
