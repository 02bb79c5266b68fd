import { readFile } from 'node:fs/promises';
import { parse } from '@maycrawl/core';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { MatrixRun } from '../../src/tester/judging/matrix.ts';
import { SAMPLE_TEXT } from '../../src/tester/state/sample.ts';
import { formatTestFile } from '../../src/tester/state/test-file.ts';

const HOSTILE = [
  '/a: b',
  '/# no comment',
  '- x',
  '/"quoted"',
  "/'",
  '/\u202e\u0000',
  '/😀\ud800',
  '{}',
  '!!js/function x',
  '/a\\b',
];

function testFileFor(urls: readonly string[], crawlers: readonly string[]): string {
  const run = new MatrixRun(parse(SAMPLE_TEXT), urls, crawlers);
  run.advance(() => false);
  return formatTestFile({ urls, crawlers, cells: run.cells }, 'google');
}

test('the command reads the test file, with any URLs', async () => {
  const urls = [
    'https://shop.example/private/x',
    '/private/press/1',
    ...HOSTILE.filter((url) => url.startsWith('/')),
  ];
  const expectations: unknown = parseYaml(
    testFileFor([...urls, ...HOSTILE], ['Googlebot Image', 'GPTBot', 'null', 'yes', 'x']),
  );
  const schema: unknown = JSON.parse(
    await readFile(new URL('../../../../docs/robots.test.schema.json', import.meta.url), 'utf8'),
  );
  const validate = new Ajv().compile(schema as object);
  expect(validate(expectations), JSON.stringify(validate.errors)).toBe(true);
  expect(expectations).toMatchObject([
    { agent: 'Googlebot Image', block: ['https://shop.example/private/x'] },
    { agent: 'GPTBot', block: expect.arrayContaining(urls) },
    { agent: 'null' },
    { agent: 'yes' },
    { agent: 'x' },
  ]);
});

test('URLs that would be patterns are omitted with a comment', () => {
  const text = testFileFor(['/a*', '/b$', '/c'], ['GPTBot']);
  expect(parseYaml(text)).toEqual([{ agent: 'GPTBot', block: ['/c'] }]);
  expect(text).toContain('# Omitted: 2 URLs');
});

test('the test file is readable', () => {
  expect(
    testFileFor(['https://shop.example/?a=1', '/private'], ['Googlebot']),
  ).toBe(`# What this robots.txt must do. Check it with: maycrawl verify robots.txt
- agent: Googlebot
  allow:
    - https://shop.example/?a=1
  block:
    - /private
`);
});

test('the test file names the profile of its verdicts', () => {
  const judged = { urls: ['/a'], crawlers: ['b'], cells: Uint8Array.of(2) };
  expect(formatTestFile(judged, 'google')).toMatch(/maycrawl verify robots\.txt$/m);
  expect(formatTestFile(judged, 'rfc9309')).toMatch(/maycrawl verify robots\.txt --profile rfc9309$/m);
});
