/** The evidence about rendered pages in the report of an audit, in Chromium. */
import { beforeAll, describe, expect, test } from 'vitest';
import { evaluateRun } from '../../../maycrawl/src/audit/evaluate-run.ts';
import { LINK_TYPES } from '../../../maycrawl/src/audit/run/records/link-list.ts';
import type { RenderOutcome } from '../../../maycrawl/src/audit/run/records/rendering.ts';
import { html, makeRun } from '../../../maycrawl/test/support/audit-runs.ts';
import { writeAuditReport } from './support/audit-report.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { prepareReports } from './support/reports.ts';

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
    refused: [{ url: `${ORIGIN}/app.js`, reason: 'robots' }],
    isStopped: true,
  },
  '/failed': { kind: 'failure', code: 'timeout', detail: 'its scripts do not end' },
};

describe.skipIf(isChromiumMissing)(`the evidence about rendered pages${NEEDS}`, () => {
  const { write, start, getPath } = prepareReports(writeAuditReport);
  let report: string;

  beforeAll(async () => {
    const paths = Object.keys(OUTCOMES);
    const run = await makeRun(getPath('run.sqlite'), {
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
    report = await write('scripts', run);
  });

  /** Opens the evidence about a URL, of which nothing is cut. @returns its text. */
  async function readEvidence(path: string, width: number): Promise<string> {
    const page = await start(report, { viewport: { width, height: 900 } });
    const url = encodeURIComponent(`${ORIGIN}${path}`);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#/urls?url=${url}`);
    await page.reload();
    const evidence = page.locator('.evidence');
    await evidence.waitFor();
    expect(await evidence.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThan(2);
    return (await evidence.innerText()).replace(/\s+/g, ' ');
  }

  test.each([1280, 390])(`the evidence has what scripts change, in a window of %i pixels`, async (width) => {
    const text = await readEvidence('/changed', width);
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
  });

  test(`the evidence says when nothing changed, and why a page failed`, async () => {
    expect(await readEvidence('/', 1280)).toContain('After scripts no difference');
    expect(await readEvidence('/failed', 1280)).toContain(
      'After scripts not rendered: its scripts do not end',
    );
  });
});
