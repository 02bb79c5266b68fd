import { GOOGLE, resolveAgent } from '@maycrawl/core';
import { expect, test } from 'vitest';
import type { DecisionRequest } from '../../../src/serve/decide/agents.ts';
import { createServicePageTools, type PageParts } from '../../../src/serve/page/service-page-tools.ts';

test('the questions of one crawler follow each other, so that one task of a thread answers many', async () => {
  const names: string[] = [];
  const decider = {
    decideAll: async function* (questions: readonly DecisionRequest[]): AsyncGenerator<string[]> {
      names.push(...questions.map(({ agent }) => agent.name));
      yield questions.map(({ url, agent }) =>
        JSON.stringify({ allowed: true, line: 0, rule: null, reason: `${url} ${agent.name}`, group: 'none' }),
      );
    },
  };
  const tools = createServicePageTools({ decider } as unknown as PageParts, GOOGLE, {} as never);
  const rows = await tools.decide(['/a', '/b', '/c'], ['GPTBot', 'CCBot'].map(resolveAgent));
  expect(names).toEqual(['GPTBot', 'GPTBot', 'GPTBot', 'CCBot', 'CCBot', 'CCBot']);
  expect(rows.map((row) => row.map(({ reason }) => reason))).toEqual([
    ['/a GPTBot', '/a CCBot'],
    ['/b GPTBot', '/b CCBot'],
    ['/c GPTBot', '/c CCBot'],
  ]);
});
