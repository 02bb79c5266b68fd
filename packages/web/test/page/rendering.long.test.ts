/** The evidence about rendered pages in the report of an audit, in Chromium. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateRun } from '../../../maycrawl/src/audit/evaluate-run.ts';
import { writeReports } from '../../../maycrawl/src/audit/report/write-report.ts';
import { LINK_TYPES } from '../../../maycrawl/src/audit/run/records/link-list.ts';
import type { RenderOutcome } from '../../../maycrawl/src/audit/run/records/rendering.ts';
import { html, makeRun } from '../../../maycrawl/test/support/audit-runs.ts';
import { isChromiumMissing, launch, NEEDS } from './support/browser.ts';
import { buildReportPage, openReport } from './support/report-browser.ts';

const ORIGIN = 'https://scripts.example';
const NONE = { count: 0, urls: [] };
const PLAIN = { title: 'Plain', robots: [], canonicals: [] };
const SAME = {
  ...({ kind: 'rendered', before: PLAIN, after: PLAIN, added: NONE, removed: NONE } as const),
  ...{ redirect: null, refused: [], requests: 0, isStopped: false },
};
const HOSTILE = '</script><img src=x onerror=alert(1)>\u202e';

const OUTCOMES: Readonly<Record<string, RenderOutcome>> = {
  '/': SAME,
  '/changed': {
    ...SAME,
    before: { ...PLAIN, title: 'Loading' },
    after: { ...PLAIN, title: HOSTILE },
    added: { count: 30, urls: Array.from({ length: 20 }, (_, index) => `${ORIGIN}/new/${index}`) },
    redirect: `${ORIGIN}/`,
    refused: [{ url: `${ORIGIN}/app.js`, why: 'robots' }],
    isStopped: true,
  },
  '/failed': { kind: 'failure', code: 'timeout', detail: 'its scripts do not end' },
};

let folder: string;
let page: Awaited<ReturnType<typeof buildReportPage>>;
let browser: Browser;
let report: string;

beforeAll(async () => {
  if (isChromiumMissing) return;
  folder = await mkdtemp(join(tmpdir(), 'maycrawl-rendering-'));
  page = await buildReportPage();
  const paths = Object.keys(OUTCOMES);
  const run = await makeRun(join(folder, 'run.sqlite'), {
    start: `${ORIGIN}/`,
    answers: Object.fromEntries(paths.map((path) => [`${ORIGIN}${path}`, { body: html('Plain', paths) }])),
    settings: { render: { limit: null } },
  });
  for (const [path, outcome] of Object.entries(OUTCOMES)) {
    const key = (await run.findKey(`${ORIGIN}${path}`)) as number;
    const named = path === '/changed' ? [{ url: `${ORIGIN}/new/0`, types: LINK_TYPES.link }] : [];
    const links = { depth: 0, named, classify: () => ({ state: 'waiting' }) as const };
    await run.recordRendering({ key, at: 1, milliseconds: 2, outcome }, links);
  }
  await evaluateRun(run, 1);
  report = join(folder, 'report.html');
  await writeReports(run, { html: report }, { name: 'scripts', pageFolder: join(page.folder, 'page') });
  await run.close();
  browser = await launch();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await page?.remove();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

/** Opens the evidence about a URL, and returns its text. */
async function readEvidence(path: string, width: number): Promise<{ text: string; wrongs: string[] }> {
  const opened = await openReport(browser, report, { viewport: { width, height: 900 } });
  const url = encodeURIComponent(`${ORIGIN}${path}`);
  await opened.page.evaluate((hash) => {
    location.hash = hash;
  }, `#/urls?url=${url}`);
  await opened.page.reload();
  const evidence = opened.page.locator('.evidence');
  await evidence.waitFor();
  const text = (await evidence.innerText()).replace(/\s+/g, ' ');
  const isCut = await evidence.evaluate((element) => element.scrollWidth > element.clientWidth + 1);
  await opened.page.context().close();
  return { text, wrongs: isCut ? [...opened.wrongs, 'cut'] : opened.wrongs };
}

test.skipIf(isChromiumMissing).each([1280, 390])(
  `the evidence has what scripts change, in a window of %i pixels${NEEDS}`,
  async (width) => {
    const { text, wrongs } = await readEvidence('/changed', width);
    expect(wrongs).toEqual([]);
    for (const part of [
      'Its scripts change its title.',
      'before Loading',
      'after </script><img src=x onerror=alert(1)>',
      `30 links added by scripts: ${ORIGIN}/new/0`,
      'and 25 others',
      `Scripts lead to: ${ORIGIN}/`,
      `${ORIGIN}/app.js robots.txt disallows it`,
      'Its requests or scripts had not ended when its time was over.',
    ])
      expect(text).toContain(part);
  },
);

test.skipIf(isChromiumMissing)(
  `the evidence says when nothing changed, and why a page failed${NEEDS}`,
  async () => {
    expect((await readEvidence('/', 1280)).text).toContain('After scripts no difference');
    expect((await readEvidence('/failed', 1280)).text).toContain(
      'After scripts not rendered: its scripts do not end',
    );
  },
);
