import { expect, test } from 'vitest';
import { describeOtherOperators } from '../../src/watch/analysis/impact/other-operators.ts';

const COPY =
  'the last successful response applies, or without one all URLs are allowed, after 30 days all URLs are allowed.';

test.each(['whenUnavailable', 'whenUnreachable'] as const)(
  'without agents, all operators but Google are described: %s',
  (failure) => {
    expect(describeOtherOperators(failure, [])).toEqual([`As documented, for crawlers of Amazon: ${COPY}`]);
  },
);

test('with agents, only those are described whose operators document it', () => {
  const agents = ['Googlebot', 'Amazonbot', 'GPTBot', 'unknown-bot'];
  expect(describeOtherOperators('whenUnreachable', agents)).toEqual([
    `As documented, for Amazonbot: ${COPY}`,
  ]);
  expect(describeOtherOperators('whenUnreachable', ['Googlebot'])).toEqual([]);
});
