import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeLogs } from '../../../src/logs/input/merge-logs.ts';
import { sortRequests } from '../../../src/logs/input/sort-requests.ts';
import type { LogRequest } from '../../../src/logs/request.ts';
import { createRequest } from '../rules/log-of.ts';

async function* toBatches(
  requests: readonly LogRequest[],
  size: number,
): AsyncGenerator<readonly LogRequest[]> {
  for (let from = 0; from < requests.length; from += size) yield requests.slice(from, from + size);
}

async function collect(batches: AsyncIterable<readonly LogRequest[]>): Promise<LogRequest[]> {
  const all: LogRequest[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

function createRequests(times: readonly number[]): LogRequest[] {
  return times.map((time, index) => createRequest({ time, target: `/${index}` }));
}

describe('Requests of a log', () => {
  test('are sorted if each is out of order by less than ten thousand requests', async () => {
    const times = Array.from({ length: 60_000 }, (_, index) => index + ((index * 7_919) % 9_000));
    const sorted = await collect(sortRequests(toBatches(createRequests(times), 777)));
    expect(sorted.map(({ time }) => time)).toEqual([...times].sort((a, b) => a - b));
  });

  test('of the same time keep their order', async () => {
    const sorted = await collect(sortRequests(toBatches(createRequests([5, 5, 3, 5]), 2)));
    expect(sorted.map(({ target }) => target)).toEqual(['/2', '/0', '/1', '/3']);
  });
});

describe('Requests of several logs', () => {
  test('are merged as if one log had all of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(50), { minLength: 1, maxLength: 30 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (logs, size) => {
          const sorted = logs.map((times) => [...times].sort((a, b) => a - b));
          const merged = await collect(
            mergeLogs(
              sorted.map((times) => ({
                start: times[0] ?? 0,
                read: () => toBatches(createRequests(times), size),
              })),
            ),
          );
          expect(merged.map(({ time }) => time)).toEqual(sorted.flat().sort((a, b) => a - b));
        },
      ),
    );
  });

  test('are read only when their time comes, and a log that has ended is closed', async () => {
    const events: string[] = [];
    const read = (name: string, times: readonly number[]) =>
      async function* () {
        events.push(`open ${name}`);
        try {
          yield* toBatches(createRequests(times), 1);
        } finally {
          events.push(`close ${name}`);
        }
      };
    const merged = mergeLogs([
      { start: 20, read: read('second', [20, 30]) },
      { start: 1, read: read('first', [1, 10]) },
    ]);
    expect((await collect(merged)).map(({ time }) => time)).toEqual([1, 10, 20, 30]);
    expect(events).toEqual(['open first', 'close first', 'open second', 'close second']);
  });

  test('are closed if the caller stops', async () => {
    const closed: string[] = [];
    const read = async function* () {
      try {
        yield* toBatches(createRequests([1, 2]), 1);
      } finally {
        closed.push('log');
      }
    };
    for await (const _ of mergeLogs([{ start: 1, read }])) break;
    expect(closed).toEqual(['log']);
  });
});
