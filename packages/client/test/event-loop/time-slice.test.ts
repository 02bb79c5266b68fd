import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TimeSlices } from '../../src/event-loop/time-slice.ts';

/** Slices of 10 ms, by a clock that goes on by 1 ms with each step. */
function createSlices(): { readonly slices: TimeSlices; readonly step: () => void } {
  let time = 0;
  const step = (): void => {
    time++;
  };
  return { slices: new TimeSlices({ now: () => time }), step };
}

test('a loop gives way once for each 10 ms of its work', async () => {
  const { slices, step } = createSlices();
  for (let index = 0; index < 100; index++) {
    step();
    if (slices.isUsedUp()) await slices.giveWay();
  }
  expect(slices.count).toBe(9);
});

test('loops that run at the same time share the slice of a turn', async () => {
  const { slices, step } = createSlices();
  let isDone = false;
  /** Steps of all loops together in the turn under way, and the most in one turn. */
  let [inTurn, most] = [0, 0];
  const countTurns = async (): Promise<void> => {
    while (!isDone) {
      await nextTurn();
      most = Math.max(most, inTurn);
      inTurn = 0;
    }
  };
  const turns = countTurns();
  const loop = async (): Promise<void> => {
    for (let index = 0; index < 100; index++) {
      if (slices.isUsedUp()) await slices.giveWay();
      step();
      inTurn++;
    }
  };
  await Promise.all(Array.from({ length: 50 }, loop));
  isDone = true;
  await turns;
  // Two turns may fall between two looks; fifty slices may not.
  expect(most).toBeLessThanOrEqual(30);
});

test('loops resume in the order in which they gave way', async () => {
  const { slices } = createSlices();
  const order: number[] = [];
  await Promise.all(
    [0, 1, 2].map(async (index) => {
      await slices.giveWay();
      order.push(index);
    }),
  );
  expect(order).toEqual([0, 1, 2]);
});

test('a loop whose signal aborts while it waits ends with the reason of the signal', async () => {
  const { slices } = createSlices();
  const controller = new AbortController();
  const wait = slices.giveWay(controller.signal);
  controller.abort(new Error('the client is gone'));
  await expect(wait).rejects.toThrow('the client is gone');
  await expect(slices.giveWay(controller.signal)).rejects.toThrow('the client is gone');
});
