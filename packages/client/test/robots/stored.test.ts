import { getPolicyCode, getPolicySummary, POLICY_CODES } from '@maycrawl/core';
import { expect, test } from 'vitest';
import type { OriginHistory } from '../../src/robots/history.ts';
import { fromStored, fromStoredEvents, fromStoredPolicy, toStored } from '../../src/robots/stored.ts';
import { RESPONSE_DETAILS } from '../support/histories.ts';

const HISTORY: OriginHistory = {
  response: {
    ...{ kind: 'successful', fetchedAt: 1, staleAt: 2, status: 200, code: null, message: null },
    ...{ bytes: new TextEncoder().encode('User-agent: *\nDisallow: /x\n'), ...RESPONSE_DETAILS },
  },
  outage: {
    ...{ since: 3, lastAt: 4, failures: 2, code: 'http-status', status: 503, message: 'status 503' },
    ...{
      retryAt: null,
      saysNotFound: false,
      hops: [],
      timings: { total: 1 },
      startsAfter: { tooManyRequests: 4 },
    },
  },
};
const EVENT = { at: 1, kind: 'unavailable', status: 404, code: 'http-status', hash: null, bytes: 0 };

test('a history is read as it was written, with and without a file', () => {
  expect(fromStored(toStored(HISTORY))).toEqual(HISTORY);
  const unavailable = { ...HISTORY.response, kind: 'unavailable', bytes: new Uint8Array() } as const;
  const history = { response: unavailable as OriginHistory['response'], outage: null };
  expect(toStored(history).body).toBeNull();
  expect(fromStored(toStored(history))).toEqual(history);
});

test('what has another hash than its own is damaged', () => {
  const row = toStored(HISTORY);
  expect(
    fromStored({ ...row, response: (row.response as string).replace('"staleAt":2', '"staleAt":3') }),
  ).toBeUndefined();
  expect(fromStored({ ...row, outage: JSON.stringify(HISTORY.outage) })).toBeUndefined();
});

test('damaged events are omitted', () => {
  expect(fromStoredEvents(JSON.stringify([EVENT]))).toEqual([EVENT]);
  const damaged = [null, 1, { ...EVENT, kind: 'x' }, { ...EVENT, at: 1e300 }];
  expect(fromStoredEvents(JSON.stringify([...damaged, EVENT]))).toEqual([EVENT]);
  for (const text of ['', '{', 'null', '{}']) expect(fromStoredEvents(text)).toEqual([]);
});

test('the code of a stored policy is read, and another word is none', () => {
  for (const code of POLICY_CODES) {
    const policy = fromStoredPolicy(code);
    expect(policy).toEqual(getPolicySummary(code));
    expect(policy && getPolicyCode(policy)).toBe(code);
  }
  for (const other of ['absent', 'toString', '', null]) expect(fromStoredPolicy(other)).toBeUndefined();
});
