/** Hosts that request pauses between requests. */
import { expect, test } from 'vitest';
import { HostTurns } from '../../src/audit/crawl/external/host-turns.ts';

test.each([
  ['two long pauses', [3_600_000, 3_600_000], true],
  ['one long pause', [3_600_000], false],
  ['many short pauses', Array.from({ length: 120 }, () => 1_000), true],
  ['no pause', [0, 0, 0], false],
])('a host that requested %s: overloaded is %s', async (_name, pauses, isOverloaded) => {
  // An aborted signal ends the pauses, but not the count.
  const turns = new HostTurns(0, AbortSignal.abort());
  for (const pause of [...pauses, 0])
    await turns.take(
      'slow.example',
      0,
      async () => pause,
      (response) => response,
    );
  expect(turns.isOverloaded('slow.example')).toBe(isOverloaded);
  expect(turns.isOverloaded('other.example')).toBe(false);
});

test('a request without a response counts no pause', async () => {
  const turns = new HostTurns(0, AbortSignal.abort());
  const fail = (): Promise<never> => Promise.reject(new Error('no response'));
  for (let request = 0; request < 3; request++)
    await expect(turns.take('down.example', 0, fail, () => 3_600_000)).rejects.toThrow('no response');
  expect(turns.isOverloaded('down.example')).toBe(false);
});
