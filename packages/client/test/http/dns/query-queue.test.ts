import { expect, test } from 'vitest';
import { QueryQueue } from '../../../src/http/dns/query-queue.ts';

const LIMITS = { prompt: 10, total: 10, perGroup: 10, waiting: 10, slowAfter: 60_000, maxWait: 60_000 };

test.each([
  ['prompt', ['a', 'b', 'c']],
  ['total', ['a', 'b', 'c']],
  ['perGroup', ['a', 'a', 'a']],
] as const)(
  'no more queries run than the limit "%s", and the next one runs after the end of one',
  async (limit, groups) => {
    const queue = new QueryQueue({ ...LIMITS, [limit]: 2 });
    const { signal } = new AbortController();
    const running: (() => void)[] = [];
    for (const group of groups) void queue.enter(group, signal).then((end) => running.push(end));
    const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect(running.length).toBe(2);
    running[0]?.();
    await settle();
    expect(running.length).toBe(3);
    for (const end of running) end();
  },
);
