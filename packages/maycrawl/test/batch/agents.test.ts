import { expect, test } from 'vitest';
import { JsonLineJudge } from '../../src/batch/json-line-judge.ts';

function answer(agents: readonly string[]): unknown {
  const line = { robots: 'User-agent: b\nDisallow: /x', agents, url: '/x' };
  const [piece] = new JsonLineJudge().judge(Buffer.from(JSON.stringify(line)));
  return JSON.parse(piece?.text ?? '');
}

test('a line has at most 1,000 agents, because each of them is compared with each user-agent line', () => {
  const agents = [...Array.from({ length: 999 }, () => 'a'), 'b'];
  expect(answer(agents)).toMatchObject({ allowed: false, line: 2 });
  expect(answer([...agents, 'c'])).toEqual({
    error: { code: 'invalid-field', message: '"agents" has more than 1000 product tokens' },
  });
});

test.each([
  ['profil', 'profile'],
  ['robotsURL', 'robotsUrl'],
  ['normalise', 'normalize'],
  ['agnets', 'agents'],
  ['purposes', 'purpose'],
])(
  'the field "%s" of a line is an error, because ignored it would decide for another reader',
  (name, field) => {
    const line = { robots: 'User-agent: *', agent: 'a', url: '/', [name]: 'x' };
    const [piece] = new JsonLineJudge().judge(Buffer.from(JSON.stringify(line)));
    expect(JSON.parse(piece?.text ?? '')).toMatchObject({
      error: { code: 'invalid-field', message: expect.stringContaining(`Did you mean "${field}"?`) },
    });
  },
);

test('a line can have the fields of results and test cases', () => {
  const line = {
    robots: 'User-agent: *',
    agent: 'a',
    url: '/',
    allowed: true,
    line: 0,
    source: 's',
    note: 'n',
    error: 'e',
    group: 'g',
    rule: 'r',
    kind: 'k',
  };
  const [piece] = new JsonLineJudge().judge(Buffer.from(JSON.stringify(line)));
  expect(JSON.parse(piece?.text ?? '')).toMatchObject({ allowed: true });
});
