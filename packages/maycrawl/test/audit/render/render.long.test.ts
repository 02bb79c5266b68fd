/** Renders pages on loopback in Chromium, and compares what is stored with lists written by hand (cases.ts). */
import { beforeAll, expect, test } from 'vitest';
import { FINDING_CODES, type FindingCode } from '../../../src/audit/findings/finding-kinds.ts';
import { findLinks } from '../../../src/audit/links/page-links.ts';
import type { UrlLink } from '../../../src/audit/links/url-link.ts';
import { createRenderPass } from '../../../src/audit/render/render-pass.ts';
import { summarizeRun } from '../../../src/audit/report/summary.ts';
import { UrlReporter } from '../../../src/audit/report/url-report.ts';
import type { StoredUrl } from '../../../src/audit/run/records/url.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { type Crawled, closeAtEnd, crawlAll, getRecord } from '../crawling.ts';
import { CASES, FILES } from './cases.ts';
import { createFiles, type RenderSite, startRenderSite } from './site.ts';
import { isChromiumMissing, NEEDS, RENDER } from './support.ts';

const [GOOGLEBOT, DUCKDUCKBOT] = [0, 1];
let site: RenderSite;
let crawled: Crawled;

beforeAll(async () => {
  if (isChromiumMissing) return;
  const other = closeAtEnd(await startRenderSite(FILES));
  site = closeAtEnd(await startRenderSite(createFiles(CASES, FILES), { OTHER: other.origin }));
  crawled = await crawlAll([`${site.origin}/`], {
    extend: createRenderPass({ ...RENDER, limit: 0 }),
    settings: { render: { limit: null }, agents: ['Googlebot', 'DuckDuckBot'] },
  });
});

function readRendering(run: RunStore, path: string): unknown {
  const key = run.findKey(`${site.origin}${path}`);
  return key === undefined ? undefined : run.renderings.get(key)?.outcome;
}

const withOrigin = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll('ORIGIN', site.origin)) as T;

test.skipIf(isChromiumMissing).each(CASES)(`$path${NEEDS}`, async ({ path, expected }) => {
  expect(readRendering(crawled.run, path)).toMatchObject(withOrigin({ kind: 'rendered', ...expected }));
});

const RENDERING_CODES: ReadonlySet<string> = new Set(
  FINDING_CODES.filter((code) => code.startsWith('rendered-') || code === 'not-rendered'),
);

function listFindings(path: string, agent: number): string[] {
  const key = crawled.run.findKey(`${site.origin}${path}`) as number;
  return crawled.run.findings
    .ofUrl(key, agent)
    .map(({ code }) => code)
    .filter((code) => RENDERING_CODES.has(code));
}

test.skipIf(isChromiumMissing).each(CASES)(`findings of $path${NEEDS}`, async ({ path, findings }) => {
  expect(listFindings(path, GOOGLEBOT)).toEqual(findings);
});

test.skipIf(isChromiumMissing)(`details of findings say what to look at${NEEDS}`, async () => {
  const list = (code: FindingCode): unknown[] =>
    Array.from(crawled.run.findings.list(code, GOOGLEBOT), ({ url, detail, targets }) => [
      url.slice(site.origin.length),
      detail,
      targets.map((target) => target.slice(site.origin.length)),
    ]).sort();
  expect(list('rendered-canonical-changed')).toEqual([
    ['/canonical-added', 'added', ['/plain']],
    ['/canonical-changed', 'replaced', ['/plain']],
    ['/canonical-removed', 'removed', ['/canonical-removed']],
    ['/canonical-second', 'several different ones after the scripts', ['/plain']],
  ]);
  expect(list('rendered-resource-blocked')).toEqual([
    ['/needs-script-moved-to-blocked', 'line 2: Disallow: /blocked/', ['/blocked/app.js']],
  ]);
  const { rendered } = summarizeRun(crawled.run);
  expect(rendered).toBe(
    `${CASES.length + 8} pages were rendered, and 2 could not be: all HTML pages with status 200.`,
  );
});

test.skipIf(isChromiumMissing)(
  `noindex of a script counts for crawlers that run scripts${NEEDS}`,
  async () => {
    const reporter = new UrlReporter(crawled.run, 'without-links');
    const read = async (path: string, agent: number): Promise<unknown> => {
      const key = crawled.run.findKey(`${site.origin}${path}`) as number;
      const url = crawled.run.url(key) as StoredUrl;
      const { indexable, reasons } = await reporter.report(getRecord(crawled.run, url), agent);
      return { indexable, reasons };
    };
    const noindex = { indexable: false, reasons: ['noindex'] };
    const indexable = { indexable: true, reasons: [] };
    expect(await read('/noindex-added', GOOGLEBOT)).toEqual(noindex);
    expect(await read('/noindex-added', DUCKDUCKBOT)).toEqual(indexable);
    expect(await read('/noindex-for-another', GOOGLEBOT)).toEqual(indexable);
    // Google may not run the script that removes it.
    expect(await read('/noindex-removed', GOOGLEBOT)).toEqual(noindex);
    expect(await read('/noindex-removed', DUCKDUCKBOT)).toEqual(noindex);
    expect(listFindings('/noindex-added', DUCKDUCKBOT)).toEqual([]);
    expect(listFindings('/noindex-removed', DUCKDUCKBOT)).toEqual(['rendered-noindex-removed']);
  },
);

/** The pages that only scripts link to. */
const FOUND = ['base', 'history', 'location', 'script']
  .map((name) => `by-${name}`)
  .concat(['deeper', 'in-frame', 'in-shadow', 'late'])
  .map((name) => `/found/${name}`);

test.skipIf(isChromiumMissing)(`links of scripts lead crawlers that run scripts${NEEDS}`, async () => {
  const listUnreached = (agent: number): string[] =>
    Array.from(crawled.run.findings.list('not-reachable', agent), ({ url }) => url.slice(site.origin.length));
  expect(listUnreached(GOOGLEBOT)).toEqual([]);
  expect(listUnreached(DUCKDUCKBOT)).toEqual(FOUND);
  const key = crawled.run.findKey(`${site.origin}/found/by-script`) as number;
  const links: UrlLink[] = [];
  for (const link of findLinks(crawled.run, { to: key })) links.push(link);
  expect(links).toMatchObject([
    {
      from: `${site.origin}/links-only`,
      to: `${site.origin}/found/by-script`,
      types: ['link', 'rendered'],
      texts: ['new'],
      followed: ['Googlebot'],
    },
  ]);
});

test.skipIf(isChromiumMissing)(
  `pages that only scripts link to are crawled and rendered${NEEDS}`,
  async () => {
    const paths = crawled.urls
      .filter(({ url, state }) => state === 'fetched' && url.includes('/found/'))
      .map(({ url }) => url.slice(site.origin.length))
      .sort();
    expect(paths).toEqual(FOUND);
    expect(readRendering(crawled.run, '/found/deeper')).toMatchObject({ kind: 'rendered' });
  },
);

test.skipIf(isChromiumMissing)(
  `a file that a failing server does not send is requested again${NEEDS}`,
  () => {
    expect(site.requests.filter((request) => request === 'GET /failing.js')).toHaveLength(2);
  },
);

test.skipIf(isChromiumMissing)(`the site gets GET requests only, and each file once${NEEDS}`, () => {
  expect(site.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  expect(site.requests.filter((request) => request === 'GET /data.json')).toHaveLength(1);
  expect(site.requests).not.toContain('GET /blocked/app.js');
  expect(site.requests).not.toContain('GET /image.png');
  expect(site.requests).not.toContain('GET /favicon.ico');
});
