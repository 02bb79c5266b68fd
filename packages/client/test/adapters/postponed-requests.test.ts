import { expect, test } from 'vitest';
import { PostponedRequests } from '../../src/adapters/postponed-requests.ts';

test('lines whose time has come take turns, each in its order', () => {
  const postponed = new PostponedRequests();
  for (const line of ['a', 'b', 'c']) {
    postponed.begin(line);
    for (const request of [1, 2]) postponed.join(line, { url: `${line}${request}` });
    postponed.end(line, null);
  }
  const taken: (string | undefined)[] = [];
  while (postponed.size > 0) {
    const due = postponed.takeDue(Date.now());
    taken.push(due?.request.url);
    if (due !== undefined) postponed.end(due.line, null);
  }
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});
