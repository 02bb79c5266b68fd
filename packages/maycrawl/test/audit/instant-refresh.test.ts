/** An instant refresh is a redirect: it is not indexable under its own URL, and findings say where it leads. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UrlReporter } from '../../src/audit/report/url-report.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';
import { html, makeRun } from '../support/audit-runs.ts';
import { createTestFolder } from '../support/folder.ts';

const ORIGIN = 'https://shop.example';
const at = (path: string): string => `${ORIGIN}${path}`;
const refresh = (content: string): string => `<meta http-equiv="refresh" content="${content}">`;
let run: RunStore;

beforeAll(async () => {
  const pages = ['/meta', '/header', '/late', '/self', '/gone', '/loop', '/chain', '/away', '/error'];
  run = await makeRun(join(createTestFolder('refresh'), 'run.sqlite'), {
    start: at('/'),
    answers: {
      [at('/')]: { body: html('Home', pages) },
      [at('/new')]: { body: html('New') },
      [at('/meta')]: { body: html('Meta', [], refresh('0; url=/new')) },
      [at('/header')]: { body: html('Header'), headers: { refresh: '0;url=/new' } },
      [at('/late')]: { body: html('Late', [], refresh('5; url=/new')) },
      [at('/self')]: { body: html('Self', [], refresh('0; url=/self')) },
      [at('/gone')]: { body: html('Gone', [], refresh('0; url=/missing')) },
      [at('/loop')]: { body: html('Loop', [], refresh('0; url=/loop-2')) },
      [at('/loop-2')]: { status: 301, headers: { location: '/loop' } },
      [at('/chain')]: { body: html('Chain', [], refresh('0; url=/meta')) },
      [at('/away')]: { body: html('Away', [], refresh('0; url=https://other.example/')) },
      [at('/error')]: { status: 500, body: html('Error', [], refresh('0; url=/new')) },
    },
  });
});
afterAll(() => run?.close());

test.each([
  ['/meta', 'redirect', [[200, '/new']]],
  ['/header', 'redirect', [[200, '/new']]],
  ['/late', null, []],
  ['/self', null, []],
  ['/error', 'error', []],
  [
    '/chain',
    'redirect',
    [
      [200, '/meta'],
      [200, '/new'],
    ],
  ],
])('%s has the reason %j', (path, reason, steps) => {
  const report = [...new UrlReporter(run, 'with-links').all(false)].find(({ url }) => url === at(path));
  expect(report?.reason).toBe(reason);
  expect(report?.redirects).toEqual(steps.map(([status, to]) => ({ status, to: at(String(to)) })));
});

test('findings about redirects include it', () => {
  const list = (code: string): (string | null)[] =>
    Array.from(run.findings.list(code, 0), ({ url }) => url.slice(ORIGIN.length));
  expect(list('redirect-to-error')).toEqual(['/gone']);
  expect(list('redirect-loop')).toEqual(['/loop', '/loop-2']);
  expect(list('redirect-chain')).toEqual(['/chain']);
  expect(list('redirect-to-unknown')).toEqual([]);
  expect(list('redirect-to-other-site')).toEqual(['/away']);
  // The page is wrong, not a link to the missing page.
  expect(list('broken-link')).toEqual([]);
});
