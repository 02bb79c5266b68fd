/** What the check of a page lists about the use of its content. */
import { expect, test } from 'vitest';
import { type JudgedPage, judgePage } from '../../../src/audit/page/judge-page.ts';

const judge = (html: string, headers: readonly (readonly [string, string])[] = []): JudgedPage['page'] =>
  judgePage({
    ...{ url: 'https://example.com/a', status: 200, crawlers: [], now: 0 },
    headers: [['content-type', 'text/html'], ...headers],
    body: Buffer.from(html),
  }).page;

test('headers, meta elements, licences and RSL documents are listed, with problems', () => {
  const page = judge(
    `<meta name="robots" content="noai"><meta name="tdm-reservation" content="yes">
     <link rel="license" type="application/rsl+xml" href="/l.xml">
     <script type="application/rsl+xml"> <rsl/> </script><title>A</title>`,
    [
      ['Content-Usage', 'train-ai=n'],
      ['Content-Signal', 'ai-train'],
    ],
  );
  expect(page.use).toEqual([
    { from: 'header', name: 'Content-Usage', text: 'train-ai=n', problem: null },
    {
      ...{ from: 'header', name: 'Content-Signal', text: 'ai-train' },
      problem: 'no part of it has the form "label=yes" or "label=no"',
    },
    { from: 'meta', name: 'robots', text: 'noai', problem: null },
    { from: 'meta', name: 'tdm-reservation', text: 'yes', problem: 'its value is neither 0 nor 1' },
    { from: 'link', name: 'license', text: 'https://example.com/l.xml', problem: null },
    { from: 'script', name: 'application/rsl+xml', text: '<rsl/>', problem: null },
  ]);
  expect(page.isTruncated).toBe(false);
});

test('a page that says nothing has an empty list', () => {
  expect(judge('<meta name="robots" content="noindex">').use).toEqual([]);
});

test('the list of a hostile page is short', () => {
  const metas = Array.from(
    { length: 2_000 },
    (_, n) => `<meta name="content-usage" content="X${n}${'x'.repeat(2_000)}">`,
  ).join('');
  const page = judge(metas);
  expect(page.use).toHaveLength(100);
  expect(JSON.stringify(page.use).length).toBeLessThan(120_000);
  expect(page.isTruncated).toBe(true);
});
