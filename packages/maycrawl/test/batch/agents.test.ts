import { expect, test } from 'vitest';
import { QuestionJudge } from '../../src/batch/questions.ts';

function answer(agents: readonly string[]): unknown {
  const question = { robots: 'User-agent: b\nDisallow: /x', agents, url: '/x' };
  const [piece] = new QuestionJudge().judge(Buffer.from(JSON.stringify(question)));
  return JSON.parse(piece?.text ?? '');
}

test('a question has at most 1,000 agents, because each of them is compared with each user-agent line', () => {
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
  'the field "%s" of a question is an error, because ignored it would decide for another reader',
  (name, field) => {
    const question = { robots: 'User-agent: *', agent: 'a', url: '/', [name]: 'x' };
    const [piece] = new QuestionJudge().judge(Buffer.from(JSON.stringify(question)));
    expect(JSON.parse(piece?.text ?? '')).toMatchObject({
      error: { code: 'invalid-field', message: expect.stringContaining(`Did you mean "${field}"?`) },
    });
  },
);

test('a question can have the fields of results and test cases', () => {
  const question = {
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
  const [piece] = new QuestionJudge().judge(Buffer.from(JSON.stringify(question)));
  expect(JSON.parse(piece?.text ?? '')).toMatchObject({ allowed: true });
});
