/** Variants of pages by parameters, and pages of series. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isPageOfSeries } from '../../../src/audit/findings/variants/url-variants.ts';
import { html, makeRun } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';

const ORIGIN = 'https://shop.example';
const folder = createTestFolder('variants');
const canonical = (path: string): string => `<link rel="canonical" href="${path}">`;

test.each([
  ['/blog/?page=2', '/blog/', true],
  ['/blog/?sort=a&p=3', '/blog/?sort=a', true],
  ['/blog/page/2/', '/blog/', true],
  ['/blog/page/2', '/blog/', true],
  ['/blog/?page=all', '/blog/', false],
  ['/blog/?page=2', '/', false],
  ['/blog/?sort=a', '/blog/', false],
  ['/blog/?page=2', '/blog/?page=2', false],
  ['/blog/?page=2', '/blog/?page=1', false],
])('whether %s is a page of %s: %s', (page, series, expected) => {
  expect(isPageOfSeries(ORIGIN + page, ORIGIN + series)).toBe(expected);
});

test('variants by a parameter are counted with their share of the requests, and pages of a series are found', async () => {
  const products = Array.from({ length: 20 }, (_, index) => `/p/${index}`);
  const sorted = products.slice(0, 12).map((path) => `${path}?sort=price`);
  const articles = Array.from({ length: 15 }, (_, index) => `/article?id=${index}`);
  const all = [...products, ...sorted, ...articles, '/blog/?page=2', '/p/1?colour=red'];
  const answers = Object.fromEntries(
    all.map((path) => {
      const [plain = ''] = path.split('?');
      return [ORIGIN + path, { body: html(path, [], path.startsWith('/article') ? '' : canonical(plain)) }];
    }),
  );
  const run = await makeRun(join(folder, 'run.sqlite'), {
    start: `${ORIGIN}/`,
    agents: ['Googlebot', 'GPTBot'],
    answers: { ...answers, [`${ORIGIN}/`]: { body: html('Home', all) } },
  });
  const list = (code: string, agent: number): string[] =>
    Array.from(run.findings.list(code, agent), ({ url, severity, detail, targets }) =>
      [severity, url.slice(ORIGIN.length), detail, ...targets].join(' '),
    );
  // The series of a page is requested, too.
  const detail = '?sort: 12 of 51 requests (23 %)';
  const expected = sorted.map((path) => `warning ${path} ${detail}`).sort();
  expect(list('parameter-variants', 0)).toEqual(expected);
  expect(list('parameter-variants', 1)).toHaveLength(12);
  expect(list('page-of-series-canonicalised', 0)).toEqual([`warning /blog/?page=2  ${ORIGIN}/blog/`]);
  expect(list('page-of-series-canonicalised', 1)).toEqual([]);
  run.close();
});

test('folders whose URLs lead to no pages of their own are counted, and those with pages are not', async () => {
  const pages = Array.from({ length: 30 }, (_, index) => `/p/${index}`);
  const prints = pages.slice(0, 10).map((path) => `/print${path}`);
  const moved = pages.slice(0, 9).map((path) => `/old${path}`);
  const mixed = pages.slice(0, 20).map((path) => `/mixed${path}`);
  const all = [...pages, ...prints, ...moved, ...mixed];
  const answers = Object.fromEntries(
    all.map((path, index) => {
      const [, target = ''] = /^\/(?:print|old|mixed)(.*)$/.exec(path) ?? [];
      const isVariant = target !== '' && (!path.startsWith('/mixed') || index % 2 === 0);
      return [ORIGIN + path, { body: html(path, [], isVariant ? canonical(target) : '') }];
    }),
  );
  const run = await makeRun(join(folder, 'folders.sqlite'), {
    start: `${ORIGIN}/`,
    agents: ['Googlebot'],
    answers: { ...answers, [`${ORIGIN}/`]: { body: html('Home', all) } },
  });
  const found = Array.from(run.findings.list('folder-variants', 0), ({ url, severity, detail }) =>
    [severity, url.slice(ORIGIN.length), detail].join(' '),
  );
  expect(found).toEqual(prints.map((path) => `info ${path} /print/: 10 of 70 requests (14 %)`).sort());
  run.close();
});

test('URLs that were not requested because they are endless are found, unless robots.txt disallows them', async () => {
  const links = ['/calendar?day=1', '/calendar?day=2', '/private?day=1', '/other'];
  const run = await makeRun(join(folder, 'endless.sqlite'), {
    start: `${ORIGIN}/`,
    agents: ['Googlebot', 'GPTBot'],
    trap: '?day=',
    robots: 'User-agent: GPTBot\nDisallow: /calendar\n\nUser-agent: *\nDisallow: /private',
    answers: { [`${ORIGIN}/`]: { body: html('Home', links) }, [`${ORIGIN}/other`]: { body: html('Other') } },
  });
  const list = (agent: number): string[] =>
    Array.from(run.findings.list('endless-urls', agent), ({ url, severity, detail }) =>
      [severity, url.slice(ORIGIN.length), detail].join(' '),
    );
  expect(list(0)).toEqual([1, 2].map((day) => `warning /calendar?day=${day} no end of it`));
  expect(list(1)).toEqual(['warning /private?day=1 no end of it']);
  run.close();
});
