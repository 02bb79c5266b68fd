import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import { LineError, MAX_FIELD_CHARS, readContent, readJsonLine } from '../../src/batch/json-line.ts';
import { JsonLineJudge } from '../../src/batch/json-line-judge.ts';
import type { ResultPiece } from '../../src/batch/result-lines.ts';

const getPieces = (lines: string): ResultPiece[] => [...new JsonLineJudge().judge(Buffer.from(lines))];
const getResults = (lines: readonly string[]): Record<string, unknown>[] =>
  getPieces(lines.join('\n'))
    .map(({ text }) => text)
    .join('')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));

const RUNS = getFuzzRuns(3000);

const base64 = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc
    .array(
      fc.constantFrom('QUJD', 'QUI=', 'QQ==', 'QR==', 'Q', '=', '-', '_', ' ', '/+', 'é', '\u0141', '\n'),
      {
        maxLength: 5,
      },
    )
    .map((pieces) => pieces.join('')),
);

test('base64 has its characters and padding, and is decoded; other texts are refused', () => {
  let valid = 0;
  fc.assert(
    fc.property(base64, (robotsBase64) => {
      const isValid = robotsBase64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(robotsBase64);
      valid += isValid ? 1 : 0;
      if (!isValid) expect(() => readContent({ robotsBase64 })).toThrow('is not base64');
      else expect(readContent({ robotsBase64 })).toEqual(Buffer.from(robotsBase64, 'base64'));
    }),
    { numRuns: RUNS },
  );
  expect(valid).toBeGreaterThan(RUNS / 3);
});

test('the former names of fields are accepted, but not together with the current names', () => {
  const robotsBase64 = Buffer.from('user-agent: *\ndisallow: /x').toString('base64');
  const robotsUrl = 'https://h.example/robots.txt';
  const agentAndUrl = { agent: 'a', url: 'https://h.example/x' };
  const lines = [
    { robotsBase64, robotsUrl, ...agentAndUrl },
    { robots_base64: robotsBase64, robots_url: robotsUrl, ...agentAndUrl },
    { robots_base64: robotsBase64, ...agentAndUrl },
  ].map((each) => JSON.stringify(each));
  const [first, ...others] = getResults(lines);
  expect(first).toMatchObject({ allowed: false, line: 2 });
  expect(others).toEqual(others.map(() => first));
  const both = { id: 7, robots_base64: robotsBase64, robotsBase64, ...agentAndUrl };
  const error = { id: 7, error: { code: 'invalid-field' } };
  expect(getResults([JSON.stringify(both)])).toMatchObject([error]);
  expect(getResults([JSON.stringify({ ...both, robots_base64: '' })])).toMatchObject([error]);
});

test.each([
  ['{"x":{"robots":"user-agent: a\\ndisallow: /"},"robots":"","agent":"a","url":"/"}', true],
  ['{"robots":"user-agent: a\\ndisallow: /","robots":"","agent":"a","url":"/"}', true],
  ['{"robots":"user-agent: a\\ndisallow: /","r\\u006fbots":"","agent":"a","url":"/"}', true],
  ['["robots":"user-agent: a\\ndisallow: /"]', undefined],
  ['{"robots":"user-agent: a\\ndisallow: /","agent":"a","url":"/"', undefined],
])('the last field of a name applies, and none within another field: %s', (line, allowed) => {
  expect(getResults([line])[0]?.['allowed']).toBe(allowed);
});

test('lines without a file do not cause repeated searches', () => {
  const start = performance.now();
  const pieces = getPieces('{}\n'.repeat(200_000));
  expect(pieces.reduce((sum, { failed }) => sum + failed, 0)).toBe(200_000);
  // The results are not joined to one long text either.
  expect(pieces.length).toBeGreaterThan(50);
  // If each line searched all the following lines, this would take minutes.
  expect(performance.now() - start).toBeLessThan(30_000);
});

test('a field that is nested too deeply is an error of its line only', () => {
  const good = '{"robots":"","agent":"a","url":"/"}';
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const lines = [good, `{"robots":"","agents":${deep},"url":"/"}`, good];
  expect(getResults(lines).map((result) => 'error' in result)).toEqual([false, true, false]);
});

test('an id is returned unchanged or refused', () => {
  const judgeId = (id: string): unknown => getResults([`{"id":${id},"robots":"","agent":"a","url":"/"}`])[0];
  for (const id of ['"9007199254740993"', '-9007199254740991', '0.5', '[1,{"a":null}]'])
    expect(judgeId(id)).toMatchObject({ id: JSON.parse(id), allowed: true });
  for (const id of ['9007199254740993', '-9007199254740993', '1e300'])
    expect(judgeId(id)).toEqual({
      error: {
        code: 'invalid-field',
        message: '"id" is a number beyond 2^53, which would lose digits: write it as a string',
      },
    });
});

test('a field that is longer than any URL is an error of its line, and the result stays short', () => {
  const long = 'x'.repeat(MAX_FIELD_CHARS + 1);
  const good = { robots: 'user-agent: a\ndisallow: /x', agent: 'a', url: '/x' };
  const lines = [
    good,
    good,
    { ...good, url: `/${long}` },
    { ...good, id: [long] },
    { ...good, agents: [long] },
    good,
  ];
  const results = getResults(lines.map((line) => JSON.stringify(line)));
  expect(
    results.map(({ error, allowed }) => (error as { message: string } | undefined)?.message ?? allowed),
  ).toEqual([
    ...[false, false],
    ...['url', 'id', 'agents'].map((field) => `"${field}" is longer than ${MAX_FIELD_CHARS} characters`),
    false,
  ]);
});

test('errors of lines capture no stack, and other errors do', () => {
  const limits: number[] = [];
  const parseJson = JSON.parse;
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text) => {
    limits.push(Error.stackTraceLimit);
    return parseJson(text);
  });
  let error: unknown;
  try {
    readJsonLine(Buffer.from('a'));
  } catch (cause) {
    error = cause;
  } finally {
    spy.mockRestore();
  }
  expect(error).toBeInstanceOf(LineError);
  expect((error as Error).stack).not.toMatch(/\n\s+at /);
  expect(limits).toEqual([0]);
  expect(new Error('another').stack).toMatch(/\n\s+at /);
});

test('a field that is null is an error', () => {
  const good = { robots: 'user-agent: a\ndisallow: /x', agents: ['a'], url: '/x' };
  const wrong = ['profile', 'robots_url', 'agent', 'crawler'].map((name) => ({ ...good, [name]: null }));
  const lines = [good, ...wrong].map((line) => JSON.stringify(line));
  const [first, ...others] = getResults(lines);
  expect(first).toMatchObject({ allowed: false });
  for (const result of others) expect(result).toMatchObject({ error: { code: 'invalid-field' } });
});

test.each(['1e400', '-1e999', '[1e400]', '{"a":[12345678901234567890]}'])(
  'an id of %s is refused because it would change',
  (id) => {
    const line = `{"id":${id},"robots":"","agent":"a","url":"/"}`;
    expect(getResults([line, line])).toEqual(
      Array(2).fill({ error: { code: 'invalid-field', message: expect.stringContaining('lose digits') } }),
    );
  },
);

test('an id of exact numbers is returned unchanged', () => {
  const line = '{"id":{"a":[1.5,-3,9007199254740991,null,"x"]},"robots":"","agent":"a","url":"/"}';
  expect(getResults([line])).toMatchObject([{ id: { a: [1.5, -3, 9_007_199_254_740_991, null, 'x'] } }]);
});

test('fields other than the file are bounded before parsing: nested lists take fifty times their length in memory', () => {
  const file = 'x'.repeat(10_000_000);
  expect(getResults([JSON.stringify({ robots: file, agent: 'a', url: '/' })])).toMatchObject([
    { allowed: true },
  ]);
  const read = vi.spyOn(JSON, 'parse');
  try {
    const lists = '['.repeat(9_000_000);
    for (const line of [`{"robots":"${file}","id":${lists}`, `{"robots":${lists}`])
      expect(() => readJsonLine(Buffer.from(line))).toThrow(/besides the text of "robots"/);
    expect(read).not.toHaveBeenCalled();
  } finally {
    read.mockRestore();
  }
});
