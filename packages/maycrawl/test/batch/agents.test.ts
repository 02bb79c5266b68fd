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
