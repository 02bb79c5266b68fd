import { getPolicySummary, POLICY_CODES } from '@maycrawl/core';
import { expect, test } from 'vitest';
import { describeOriginPolicy } from '../../src/robots/outage/policy-text.ts';

const outage = { since: Date.UTC(2026, 10, 1), message: 'status 503' };
const nextPhaseAt = Date.UTC(2026, 10, 1, 12);

test.each([
  [
    'unreachable',
    'robots.txt is unreachable since 2026-11-01T00:00:00.000Z (status 503). All URLs are disallowed until 2026-11-01T12:00:00.000Z, if the outage continues.',
  ],
  [
    'rules',
    'robots.txt is unreachable since 2026-11-01T00:00:00.000Z (status 503). The rules of the last response still apply until 2026-11-01T12:00:00.000Z, if the outage continues.',
  ],
] as const)('an outage: %s', (code, text) => {
  expect(describeOriginPolicy({ policy: getPolicySummary(code), outage, nextPhaseAt })).toBe(text);
});

test('without an outage', () => {
  expect(describeOriginPolicy({ policy: { kind: 'rules' }, outage: null })).toBe(
    'The rules of the robots.txt apply.',
  );
});

test('each policy has its own sentence, during an outage and without one', () => {
  const texts = POLICY_CODES.flatMap((code) => {
    const policy = getPolicySummary(code);
    return [
      describeOriginPolicy({ policy, outage: null }),
      describeOriginPolicy({ policy, outage: { since: null, message: null } }, String),
    ];
  });
  expect(new Set(texts).size).toBe(2 * POLICY_CODES.length);
});
