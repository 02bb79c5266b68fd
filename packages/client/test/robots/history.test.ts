import { describe, expect, test } from 'vitest';
import {
  getLatestHistory,
  NO_HISTORY,
  type OriginHistory,
  withFailure,
  withResponse,
} from '../../src/robots/history.ts';
import { createFailure, createResponse } from '../support/histories.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 21, 12);

const respond = (fetchedAt: number): OriginHistory =>
  withResponse(createResponse(fetchedAt, { staleAt: fetchedAt + HOUR }));
const fail = (history: OriginHistory, at: number): OriginHistory => withFailure(history, createFailure(at));

describe('the latest history of a store and of the memory', () => {
  const old = respond(NOON - HOUR);

  test('one of them if there is only one', () => {
    expect(getLatestHistory(undefined, undefined, NOON)).toBe(NO_HISTORY);
    expect(getLatestHistory(old, undefined, NOON)).toBe(old);
    expect(getLatestHistory(undefined, old, NOON)).toBe(old);
  });

  test('the memory if its last failure is later', () => {
    const cached = fail(old, NOON - 1);
    expect(getLatestHistory(old, cached, NOON)).toBe(cached);
    expect(getLatestHistory(fail(old, NOON - 2), cached, NOON)).toBe(cached);
  });

  test('the store if its response or failure is later, and if both are equally late', () => {
    const cached = fail(old, NOON - 2);
    for (const stored of [respond(NOON - 1), fail(old, NOON - 1), fail(old, NOON - 2)])
      expect(getLatestHistory(stored, cached, NOON)).toBe(stored);
  });

  test('the memory with the response of the store if that is between the response and the failure', () => {
    const stored = respond(NOON - 2);
    const latest = getLatestHistory(stored, fail(fail(old, NOON - 3), NOON - 1), NOON);
    expect(latest.response).toBe(stored.response);
    expect(latest.outage).toMatchObject({ lastAt: NOON - 1, failures: 2 });
  });

  test('times that a wrong clock wrote do not count', () => {
    const future = NOON + 24 * HOUR;
    expect(getLatestHistory(old, fail(NO_HISTORY, future), NOON)).toBe(old);
    const cached = fail(old, NOON - 1);
    expect(getLatestHistory(respond(future), cached, NOON)).toBe(cached);
  });
});
