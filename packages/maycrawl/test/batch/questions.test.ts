import { parse } from '@maycrawl/core';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { CachedFile, FileCache, hashSample } from '../../src/batch/file-cache.ts';
import { MAX_FIELD_CHARS, QuestionError, readQuestion } from '../../src/batch/question.ts';
import { QuestionJudge } from '../../src/batch/questions.ts';
import type { ResultPiece } from '../../src/batch/result-lines.ts';
import { answerNaively } from './naive-answer.ts';

const getPieces = (lines: string, judge = new QuestionJudge()): ResultPiece[] => [
  ...judge.judge(Buffer.from(lines)),
];
const getText = (lines: string, judge?: QuestionJudge): string =>
  getPieces(lines, judge)
    .map(({ text }) => text)
    .join('');
const getResults = (lines: readonly string[], judge?: QuestionJudge): Record<string, unknown>[] =>
  getText(lines.join('\n'), judge)
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));

const ROBOTS = [
  'User-agent: a\nDisallow: /x\n',
  'User-agent: *\nDisallow: /"q"\nAllow: /x',
  'é \\ "robots":"',
];
const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...ROBOTS,
    'YQ==',
    'dXNlci1hZ2VudDoqCmRpc2FsbG93Oi8=',
    'not base64',
    7,
    null,
    true,
  ),
  fc.constantFrom<unknown>('a', 'b', 'Googlebot', ['a', 'b'], [], {}, { robots: ROBOTS[0] }),
  fc.constantFrom<unknown>('/x', '/x/y', 'https://h.example/x?y', 'http://[', 'é', '\ufffd'),
  fc.constantFrom<unknown>(
    'google',
    'rfc9309',
    'AdsBot-Google',
    'https://h.example/robots.txt',
    false,
    1e300,
  ),
);
const usual = fc
  .tuple(fc.integer(), fc.constantFrom(...ROBOTS), fc.constantFrom('a', 'b'), fc.constantFrom('/x', '/y'))
  .map(([id, robots, agent, url]) => [
    ['id', id],
    ['robots', robots],
    ['agent', agent],
    ['url', url],
  ]);
const field = fc.constantFrom(
  'robots',
  'robotsBase64',
  'robots_base64',
  'agent',
  'agents',
  'crawler',
  'url',
  'profile',
  'id',
);
const unusual = fc.array(
  fc.tuple(
    fc.oneof(field, fc.constant('robots_url'), fc.constant('robotsUrl'), fc.constant('normalize')),
    value,
  ),
  {
    maxLength: 6,
  },
);
/** Questions as JSON in different spellings: a field can occur twice, or within another field. */
const question = fc
  .tuple(
    fc.oneof(usual, usual, unusual),
    fc.array(fc.tuple(field, value), { maxLength: 1 }),
    fc.constantFrom(['', ''], ['', ' '], [' ', ' '], ['\t', '']),
    fc.constantFrom('', '', '', ',', ' ', '"', '\\u0000'),
    fc.oneof({ weight: 30, arbitrary: fc.constant('\\n') }, { weight: 1, arbitrary: fc.constant('\\q') }),
  )
  .map(([fields, more, [before, after], end, lineEnd]) => {
    const written = [...fields, ...more].map(
      ([name, content]) => `"${String(name)}"${before}:${after}${JSON.stringify(content)}`,
    );
    // An invalid escape in the file, which is decoded after other fields were read.
    return `{${written.join(`,${after}`)}${end}}`.replaceAll('\\n', lineEnd);
  });

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 3000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

test('questions that are scanned and files that are recognized have the results of JSON.parse and a parsed file', () => {
  let lines = 0;
  let scanned = 0;
  let recognized = 0;
  fc.assert(
    fc.property(fc.array(question, { minLength: 1, maxLength: 8 }), (questions) => {
      const judge = new QuestionJudge();
      const text = questions.map((line) => `${line}\n`).join('');
      const expected = questions.map((line) => `${answerNaively(Buffer.from(line))}\n`).join('');
      // A file is decided in one pass twice, parsed the third time, and recognized from then on.
      for (let round = 0; round < 4; round++) expect(getText(text, judge)).toBe(expected);
      lines += questions.length;
      scanned += judge.scanned;
      recognized += judge.recognized;
    }),
    { numRuns: RUNS, seed: SEED },
  );
  // Not vacuous: every fourth line is scanned, and most of those are recognized in the last round.
  expect(scanned).toBeGreaterThan(lines);
  expect(recognized).toBeGreaterThan(lines / 4);
});

test('the former names of fields are accepted, but not together with the current names', () => {
  const robotsBase64 = Buffer.from('user-agent: *\ndisallow: /x').toString('base64');
  const robotsUrl = 'https://h.example/robots.txt';
  const agentAndUrl = { agent: 'a', url: 'https://h.example/x' };
  const judge = new QuestionJudge();
  const lines = [
    { robotsBase64, robotsUrl, ...agentAndUrl },
    { robots_base64: robotsBase64, robots_url: robotsUrl, ...agentAndUrl },
    { robots_base64: robotsBase64, ...agentAndUrl },
  ].map((each) => JSON.stringify(each));
  const [first, ...others] = getResults([...lines, ...lines], judge);
  expect(first).toMatchObject({ allowed: false, line: 2 });
  expect(others).toEqual(others.map(() => first));
  expect(judge.scanned).toBe(6);
  // The third line adds the file, the fourth the file with its URL.
  expect(judge.recognized).toBe(2);
  const both = { id: 7, robots_base64: robotsBase64, robotsBase64, ...agentAndUrl };
  const error = { id: 7, error: { code: 'invalid-field' } };
  expect(getResults([JSON.stringify(both)], judge)).toMatchObject([error]);
  expect(getResults([JSON.stringify({ ...both, robots_base64: '' })], judge)).toMatchObject([error]);
});

test('the content of another field is not mistaken for the file', () => {
  const judge = new QuestionJudge();
  const known = '{"robots":"user-agent: a\\ndisallow: /","agent":"a","url":"/"}';
  const lines = [
    ...[known, known, known, known],
    '{"x":{"robots":"user-agent: a\\ndisallow: /"},"robots":"","agent":"a","url":"/"}',
    '{"robots":"user-agent: a\\ndisallow: /","robots":"","agent":"a","url":"/"}',
    '{"robots":"user-agent: a\\ndisallow: /","r\\u006fbots":"","agent":"a","url":"/"}',
    '{"x":["robots","user-agent: a\\ndisallow: /"],"robots":"","agent":"a","url":"/"}',
    '["robots":"user-agent: a\\ndisallow: /"]',
    '{"robots":"user-agent: a\\ndisallow: /","agent":"a","url":"/"',
  ];
  expect(getResults(lines, judge).map(({ allowed }) => allowed)).toEqual([
    ...[false, false, false, false, true, true, true, true],
    ...[undefined, undefined],
  ]);
  expect(judge.recognized).toBe(1);
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

test('the size of the cache includes its rulesets, also after they grow', () => {
  const cache = new FileCache();
  const rules = Array.from({ length: 300 }, (_, rule) => `disallow: /*a${rule}*b\n`).join('');
  const written = Buffer.from(JSON.stringify(`user-agent: *\n${rules}`));
  const file = new CachedFile(written);
  let reads = 0;
  const read = () => {
    reads++;
    return parse(JSON.parse(written.toString()) as string);
  };
  const rulesets = Array.from({ length: 40 }, (_, agent) =>
    file.compile(`a${agent}`, 'usual', read, `a${agent}`),
  );
  // One document for all of them.
  expect(reads).toBe(1);
  cache.add(file);
  const before = cache.sizeInBytes;
  expect(before).toBe(file.sizeInBytes);
  for (const { ruleset } of rulesets)
    for (let url = 0; url < 50; url++) ruleset.decide(`/a${url}-${'a1b'.repeat(url)}`);
  expect(cache.find(written, hashSample(written))).toBe(file);
  expect(cache.sizeInBytes).toBe(file.sizeInBytes);
  expect(cache.sizeInBytes).toBeGreaterThan(2 * before);
});

test('a file is worth parsing the third time, but files that differ in a few bytes never are', () => {
  const cache = new FileCache();
  const see = (file: string): boolean => {
    const written = Buffer.from(file);
    return cache.isWorthAdding(written, hashSample(written));
  };
  const rules = 'disallow: /a-long-path/to-nothing\\n'.repeat(50);
  expect([1, 2, 3, 4].map(() => see(rules))).toEqual([false, false, true, true]);
  // The sample has no byte of the number.
  const files = Array.from({ length: 100 }, (_, number) => `${rules}#${1000 + number}${rules}`);
  expect(new Set(files.map((file) => hashSample(Buffer.from(file)))).size).toBe(1);
  expect(files.filter(see)).toEqual([]);
});

test('of more files in turn than the cache can store, some are recognized, and few are parsed', () => {
  const judge = new QuestionJudge();
  const add = vi.spyOn(FileCache.prototype, 'add');
  try {
    // Files of 100 kB: 600 of them are about four times the cache.
    const lines = Array.from({ length: 600 }, (_, number) => {
      const robots = `user-agent: *\ndisallow: /${number}\n${`#${number}${'x'.repeat(500)}\n`.repeat(200)}`;
      return Buffer.from(`${JSON.stringify({ robots, agent: 'a', url: `/${number}` })}\n`);
    });
    for (let round = 0; round < 4; round++)
      for (const line of lines) for (const { disallowed } of judge.judge(line)) expect(disallowed).toBe(1);
    expect(judge.recognized).toBeGreaterThan(50);
    // An LRU cache without this would parse 1,200 files, and recognise none.
    expect(add.mock.calls.length).toBeLessThan(500);
  } finally {
    add.mockRestore();
  }
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
    readQuestion(Buffer.from('a'));
  } catch (cause) {
    error = cause;
  } finally {
    spy.mockRestore();
  }
  expect(error).toBeInstanceOf(QuestionError);
  expect((error as Error).stack).not.toMatch(/\n\s+at /);
  expect(limits).toEqual([0]);
  expect(new Error('another').stack).toMatch(/\n\s+at /);
});

test('a field that is null is an error, even if the question without it has a cached result', () => {
  const good = { robots: 'user-agent: a\ndisallow: /x', agents: ['a'], url: '/x' };
  const wrong = ['profile', 'robots_url', 'agent', 'crawler'].map((name) => ({ ...good, [name]: null }));
  const lines = [good, ...wrong].map((question) => JSON.stringify(question));
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
      expect(() => readQuestion(Buffer.from(line))).toThrow(/besides the text of "robots"/);
    expect(read).not.toHaveBeenCalled();
  } finally {
    read.mockRestore();
  }
});
