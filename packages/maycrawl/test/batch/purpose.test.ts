import { expect, test } from 'vitest';
import { JsonLineJudge } from '../../src/batch/json-line-judge.ts';

const ROBOTS =
  'User-agent: *\nContent-Usage: train-ai=n, search=y\nDisallow: /private/\n\nUser-agent: Google-Extended\nDisallow: /\n';

/** Judges lines about the same file, as lines in one block. */
function judge(lines: readonly object[]): Record<string, unknown>[] {
  const texts = lines.map((line) =>
    JSON.stringify({ robots: ROBOTS, agent: 'GPTBot', url: 'https://h.example/a', ...line }),
  );
  const pieces = [...new JsonLineJudge().judge(Buffer.from(texts.join('\n')))];
  return pieces.flatMap(({ text }) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

test('a purpose adds the preference to the verdict, which stays the same', () => {
  const [without, disallowed] = judge([{}, { purpose: 'ai-train' }]);
  expect(without).not.toHaveProperty('preference');
  expect(disallowed).toEqual({
    ...without,
    preference: { value: 'disallowed', format: 'content-usage', line: 2 },
  });
  expect(disallowed).toMatchObject({ allowed: true, line: 0 });
});

test.each([
  [{ purpose: 'search' }, { value: 'allowed', format: 'content-usage', line: 2 }],
  [{ purpose: 'ai-input' }, { value: 'unknown', format: null, line: null }],
  [
    { purpose: 'ai-input', agent: 'Googlebot' },
    { value: 'disallowed', format: 'policy-token', line: 6 },
  ],
  [{ purpose: 'tdm' }, { value: 'unknown', format: null, line: null }],
  [
    { purpose: 'ai-train', url: '/private/x' },
    { value: 'not-applicable', format: null, line: null },
  ],
  [
    { purpose: 'tdm', url: '/private/x' },
    { value: 'not-applicable', format: null, line: null },
  ],
  [
    { purpose: 'search', agent: '' },
    { value: 'allowed', format: 'content-usage', line: 2 },
  ],
  [
    { purpose: 'search', agent: undefined, agents: ['a', 'b'] },
    { value: 'allowed', format: 'content-usage', line: 2 },
  ],
  [
    { purpose: 'ai-train', robots: undefined, robotsBase64: Buffer.from(ROBOTS).toString('base64') },
    { value: 'disallowed', format: 'content-usage', line: 2 },
  ],
])('%j has the preference %j', (line, preference) => {
  expect(judge([line])).toMatchObject([{ preference }]);
});

test.each([
  [{ purpose: 'train-ai' }, 'unknown-purpose'],
  [{ purpose: '' }, 'unknown-purpose'],
  [{ purpose: 'AI-train' }, 'unknown-purpose'],
  [{ purpose: null }, 'invalid-field'],
  [{ purpose: ['ai-train'] }, 'invalid-field'],
  [{ purpose: 'ai-train', normalize: false }, 'invalid-field'],
  [{ purpose: 'ai-train', url: 'mailto:a@h.example' }, 'unsupported-scheme'],
])('%j is an error of its line only', (line, code) => {
  const [first, second] = judge([line, {}]);
  expect(first).toMatchObject({ error: { code } });
  expect(first).not.toHaveProperty('preference');
  expect(second).toMatchObject({ allowed: true });
});

test('an unknown purpose is described in a short message with the known ones', () => {
  const [answered] = judge([{ purpose: 'x'.repeat(100_000) }]);
  expect(answered).toMatchObject({
    error: { message: expect.stringContaining(': give search, ai-train, ') },
  });
  expect(JSON.stringify(answered).length).toBeLessThan(500);
});

test('a purpose is read from a field whose name is escaped', () => {
  const line = JSON.stringify({ robots: ROBOTS, agent: 'GPTBot', url: '/a', purpose: 'search' });
  const [piece] = [...new JsonLineJudge().judge(Buffer.from(line.replace('purpose', 'p\\u0075rpose')))];
  expect(JSON.parse(piece?.text ?? '')).toMatchObject({ preference: { value: 'allowed' } });
});
