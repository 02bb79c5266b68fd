import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FailSafeStore } from '../../src/origins/fail-safe-store.ts';
import { MemoryStore } from '../../src/store/memory.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a store that does not respond delays one call in a pause, and all calls use it again when it responds', async () => {
  const memory = new MemoryStore();
  let isFrozen = true;
  let calls = 0;
  const errors: unknown[] = [];
  vi.spyOn(memory, 'get').mockImplementation(() => {
    calls++;
    return isFrozen ? new Promise(() => {}) : Promise.resolve({ response: null, outage: null });
  });
  const store = new FailSafeStore(
    memory,
    (_origin, error) => errors.push(error),
    () => {},
  );
  const getAll = (): Promise<unknown[]> =>
    Promise.all(Array.from({ length: 10 }, (_, index) => store.get(`http://${index}.example`)));

  const first = getAll();
  await vi.advanceTimersByTimeAsync(3000);
  expect(await first).toEqual(Array(10).fill(undefined));
  expect([calls, errors.length]).toEqual([10, 10]);
  // No timer runs: the calls return immediately.
  expect(await getAll()).toEqual(Array(10).fill(undefined));
  expect(calls).toBe(10);

  for (let pause = 1; pause <= 3; pause++) {
    // A pause is five times as long as the call that failed.
    await vi.advanceTimersByTimeAsync(14_999);
    getAll();
    expect(calls).toBe(9 + pause);
    await vi.advanceTimersByTimeAsync(1);
    const next = getAll();
    await vi.advanceTimersByTimeAsync(3000);
    await next;
    expect(calls).toBe(10 + pause);
  }

  isFrozen = false;
  await vi.advanceTimersByTimeAsync(15_000);
  expect((await getAll()).filter((history) => history !== undefined).length).toBe(1);
  expect((await getAll()).filter((history) => history !== undefined).length).toBe(10);
});

test('a store that fails immediately is tried again after a second', async () => {
  const memory = new MemoryStore();
  const get = vi.spyOn(memory, 'get').mockRejectedValue(new Error('no connection'));
  const store = new FailSafeStore(
    memory,
    () => {},
    () => {},
  );
  for (let second = 1; second <= 3; second++) {
    for (let call = 0; call < 5; call++) expect(await store.get('http://a.example')).toBeUndefined();
    expect(get).toHaveBeenCalledTimes(second);
    await vi.advanceTimersByTimeAsync(1000);
  }
});

test('a response that comes while this process is busy is no failure of the store', async () => {
  vi.useRealTimers();
  const memory = new MemoryStore();
  const history = { response: null, outage: null };
  vi.spyOn(memory, 'get').mockImplementation(
    () => new Promise((resolve) => setTimeout(() => resolve(history), 3_050)),
  );
  const errors: unknown[] = [];
  const store = new FailSafeStore(
    memory,
    (_origin, error) => errors.push(error),
    () => {},
  );
  const read = store.get('http://a.example');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_100);
  expect(await read).toEqual(history);
  expect(errors).toEqual([]);
});

test('calls over the number in flight wait, and their time begins when it is their turn; renewals do not wait', async () => {
  const memory = new MemoryStore();
  let inFlight = 0;
  let most = 0;
  const history = { response: null, outage: null };
  vi.spyOn(memory, 'get').mockImplementation(async () => {
    most = Math.max(most, ++inFlight);
    // 200 calls take 7 of these times, which are together longer than a call may take.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    inFlight--;
    return history;
  });
  const renew = vi.spyOn(memory, 'renew');
  const errors: unknown[] = [];
  const store = new FailSafeStore(
    memory,
    (_origin, error) => errors.push(error),
    () => {},
  );
  const results = Promise.all(
    Array.from({ length: 200 }, (_, index) => store.get(`http://${index}.example`)),
  );
  await store.renew([{ origin: 'http://a.example', owner: 'a' }], 1_000);
  expect(renew).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(14_000);
  expect(await results).toEqual(Array(200).fill(history));
  expect([most, inFlight, errors]).toEqual([32, 0, []]);
});

test('when a store does not respond, the calls that wait for their turn do not use it', async () => {
  const memory = new MemoryStore();
  const get = vi.spyOn(memory, 'get').mockImplementation(() => new Promise(() => {}));
  const store = new FailSafeStore(
    memory,
    () => {},
    () => {},
  );
  const results = Promise.all(
    Array.from({ length: 200 }, (_, index) => store.get(`http://${index}.example`)),
  );
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await results).toEqual(Array(200).fill(undefined));
  expect(get).toHaveBeenCalledTimes(32);
});
