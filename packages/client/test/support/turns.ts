// How much of the event loop work leaves to others.
import { vi } from 'vitest';

/**
 * Counts the turns of the event loop until some work has settled. Each look at the clock takes 0.1 ms meanwhile, so that a fast machine does not
 * finish within one time slice.
 */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let time = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 0.1;
    return time;
  });
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    await work();
  } finally {
    isOver = true;
    clock.mockRestore();
  }
  return turns;
}
