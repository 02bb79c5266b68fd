import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QuestionAnswerer } from '../../src/cli/questions.ts';

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
  'robots_base64',
  'agent',
  'agents',
  'crawler',
  'url',
  'profile',
  'id',
);
const unusual = fc.array(
  fc.tuple(fc.oneof(field, fc.constant('robots_url'), fc.constant('normalize')), value),
  {
    maxLength: 6,
  },
);
/** A question as JSON, written in one way or another: a field may come twice, and stand within another. */
const question = fc
  .tuple(
    fc.oneof(usual, usual, unusual),
    fc.array(fc.tuple(field, value), { maxLength: 1 }),
    fc.constantFrom(['', ''], ['', ' '], [' ', ' '], ['\t', '']),
    fc.constantFrom('', '', '', ',', ' ', '"', '\\u0000'),
  )
  .map(([fields, more, [before, after], end]) => {
    const written = [...fields, ...more].map(
      ([name, content]) => `"${String(name)}"${before}:${after}${JSON.stringify(content)}`,
    );
    return `{${written.join(`,${after}`)}${end}}`;
  });

test('a file that is recognised as it is written gives the answer of a question read in full', () => {
  let recognised = 0;
  fc.assert(
    fc.property(fc.array(question, { minLength: 1, maxLength: 8 }), (questions) => {
      const answerer = new QuestionAnswerer();
      const block = Buffer.from(questions.map((line) => `${line}\n`).join(''));
      const inFull = questions.map((line) => new QuestionAnswerer().answer(Buffer.from(line)).text).join('');
      expect(answerer.answer(block).text).toBe(inFull);
      expect(answerer.answer(block).text).toBe(inFull);
      recognised += answerer.recognised;
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 3000), seed: Number(process.env['FUZZ_SEED'] ?? 1) },
  );
  // Not vacuous: about every second line was.
  expect(recognised).toBeGreaterThan(Number(process.env['FUZZ_RUNS'] ?? 3000) / 2);
});

test('what stands in another field is not taken for the file', () => {
  const answerer = new QuestionAnswerer();
  const known = '{"robots":"user-agent: a\\ndisallow: /","agent":"a","url":"/"}';
  const lines = [
    known,
    known,
    '{"x":{"robots":"user-agent: a\\ndisallow: /"},"robots":"","agent":"a","url":"/"}',
    '{"robots":"user-agent: a\\ndisallow: /","robots":"","agent":"a","url":"/"}',
    '{"robots":"user-agent: a\\ndisallow: /","r\\u006fbots":"","agent":"a","url":"/"}',
    '{"x":["robots","user-agent: a\\ndisallow: /"],"robots":"","agent":"a","url":"/"}',
    '["robots":"user-agent: a\\ndisallow: /"]',
    '{"robots":"user-agent: a\\ndisallow: /","agent":"a","url":"/"',
  ];
  const answers = answerer
    .answer(Buffer.from(lines.join('\n')))
    .text.trimEnd()
    .split('\n');
  expect(answers.map((text) => JSON.parse(text).allowed)).toEqual([
    ...[false, false, true, true, true, true],
    ...[undefined, undefined],
  ]);
  expect(answerer.recognised).toBe(1);
});

test('lines without a file do not make it search again and again', () => {
  const answerer = new QuestionAnswerer();
  const start = performance.now();
  expect(answerer.answer(Buffer.from('{}\n'.repeat(200_000))).failed).toBe(200_000);
  // Were each line to look through all that follow, this would be minutes.
  expect(performance.now() - start).toBeLessThan(30_000);
});

test('a field that is nested too deeply is the fault of its line alone', () => {
  const answerer = new QuestionAnswerer();
  const good = '{"robots":"","agent":"a","url":"/"}';
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const lines = [good, `{"robots":"","agents":${deep},"url":"/"}`, good];
  const answers = answerer
    .answer(Buffer.from(lines.join('\n')))
    .text.trimEnd()
    .split('\n');
  expect(answers.map((text) => 'error' in JSON.parse(text))).toEqual([false, true, false]);
});
