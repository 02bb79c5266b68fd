import { expect, test } from 'vitest';
import { HostSpacing } from '../../../src/serve/limits/host-spacing.ts';

/** A spacing with a clock that the test moves. */
function createSpacing() {
  let now = 0;
  const waits: number[] = [];
  const spacing = new HostSpacing({
    limits: { hostSpacing: 250, hostRequests: 2 },
    now: () => now,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
  });
  return { spacing, waits };
}

const { signal } = new AbortController();

test('requests to one host run one at a time, with a pause between their starts', async () => {
  const { spacing, waits } = createSpacing();
  const running: string[] = [];
  const run = (name: string, host: string): Promise<number> =>
    spacing.run(host, {}, signal, async () => {
      running.push(name);
      await new Promise((resolve) => setImmediate(resolve));
      return running.push(`end of ${name}`);
    });
  await Promise.all([run('a', 'h.example'), run('b', 'h.example'), run('c', 'i.example')]);
  expect(running.indexOf('b')).toBeGreaterThan(running.indexOf('end of a'));
  expect(running.indexOf('c')).toBeLessThan(running.indexOf('end of a'));
  expect(waits).toEqual([250]);
});

test('a failed request lets the next one pass', async () => {
  const { spacing } = createSpacing();
  await expect(spacing.run('h.example', {}, signal, () => Promise.reject(new Error('x')))).rejects.toThrow(
    'x',
  );
  expect(await spacing.run('h.example', {}, signal, async () => 1)).toBe(1);
});

test('few requests wait for one host', async () => {
  const { spacing } = createSpacing();
  let end: () => void = () => {};
  const first = spacing.run('h.example', {}, signal, () => new Promise<void>((resolve) => (end = resolve)));
  const others = [1, 2].map((count) => spacing.run('h.example', {}, signal, async () => count));
  await expect(spacing.run('h.example', {}, signal, async () => 3)).rejects.toMatchObject({
    name: 'Problem',
  });
  end();
  await first;
  expect(await Promise.all(others)).toEqual([1, 2]);
});

test('an aborted client does not wait', async () => {
  const { spacing } = createSpacing();
  const controller = new AbortController();
  let end: () => void = () => {};
  const first = spacing.run('h.example', {}, signal, () => new Promise<void>((resolve) => (end = resolve)));
  const second = spacing.run('h.example', {}, controller.signal, async () => 2);
  controller.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  end();
  await first;
});
