import { getPolicySummary, POLICY_CODES } from '@maycrawl/core';
import { expect, test } from 'vitest';
import {
  fromStored,
  fromStoredEvent,
  fromStoredKind,
  fromStoredPolicy,
  toStored,
  toStoredKind,
  toStoredPolicy,
} from '../../src/robots/stored.ts';
import { RESPONSE_DETAILS } from '../support/response-details.ts';

const body = new TextEncoder().encode('User-agent: *\nDisallow: /x\n');
/** A row of the first version. */
const ANSWER = {
  ...{ kind: 'found', fetchedAt: 1, freshUntil: 2, status: 200, code: null, reason: null },
  ...RESPONSE_DETAILS,
};
const OUTAGE = {
  ...{ since: 3, lastAt: 4, failures: 2, code: 'http-status', status: 503, reason: 'status 503' },
  ...{ retryAt: null, saysNotFound: false, hops: [], timings: { total: 1 } },
};

test('a row of the first version is read with the current names', () => {
  const history = fromStored({ answer: JSON.stringify(ANSWER), outage: JSON.stringify(OUTAGE), body });
  expect(history?.response).toMatchObject({ kind: 'successful', message: null, bytes: body });
  expect(history?.outage).toMatchObject({ since: 3, message: 'status 503' });
  expect(history?.response).not.toHaveProperty('reason');
  expect(history?.outage).not.toHaveProperty('reason');
});

test('a row of the first version without a file is read', () => {
  const absent = { ...ANSWER, kind: 'absent', status: 404, code: 'http-status', reason: 'status 404' };
  const history = fromStored({ answer: JSON.stringify(absent), outage: null, body: null });
  expect(history?.response).toMatchObject({ kind: 'unavailable', message: 'status 404' });
});

test('a row is written with the names of the first version', () => {
  const history = fromStored({ answer: JSON.stringify(ANSWER), outage: JSON.stringify(OUTAGE), body });
  const row = toStored(history ?? { response: null, outage: null });
  expect(JSON.parse(row.answer ?? '')).toMatchObject(ANSWER);
  expect(JSON.parse(row.outage ?? '')).toMatchObject(OUTAGE);
  expect(fromStored(row)).toEqual(history);
});

test('the beginnings of an outage by class of failures are stored, and invalid ones damage the row', () => {
  const read = (startsAfter: unknown): ReturnType<typeof fromStored> =>
    fromStored({ answer: null, outage: JSON.stringify({ ...OUTAGE, startsAfter }), body: null });
  const history = read({ tooManyRequests: 4 });
  expect(history?.outage?.startsAfter).toEqual({ tooManyRequests: 4 });
  expect(fromStored(toStored(history ?? { response: null, outage: null }))).toEqual(history);
  for (const invalid of [null, 4, { notFound: '4' }, { notFound: null }])
    expect(read(invalid)).toBeUndefined();
});

test.each([
  ['found', 'successful'],
  ['absent', 'unavailable'],
  ['unreachable', 'unreachable'],
] as const)('the stored kind %s is %s', (stored, kind) => {
  expect(fromStoredKind(stored)).toBe(kind);
  expect(toStoredKind(kind)).toBe(stored);
});

test('an event with an unknown kind is a failure', () => {
  const event = { at: 1, status: null, code: null, hash: null, bytes: 0 };
  expect(fromStoredEvent({ ...event, kind: 'found' as never }).kind).toBe('successful');
  expect(fromStoredEvent({ ...event, kind: 'x' as never }).kind).toBe('unreachable');
});

test('each policy has a stored word, and words of all versions are read', () => {
  for (const code of POLICY_CODES) {
    const policy = getPolicySummary(code);
    expect(fromStoredPolicy(toStoredPolicy(policy))).toEqual(policy);
  }
  expect(fromStoredPolicy('absent')).toEqual({ kind: 'allow-all', reason: 'unavailable' });
  expect(fromStoredPolicy('outage-allows')).toEqual({ kind: 'allow-all', reason: 'outage-expired' });
  for (const other of ['unavailable', 'toString', '', null]) expect(fromStoredPolicy(other)).toBeUndefined();
});
