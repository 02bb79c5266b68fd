import { expect, test } from 'vitest';
import { RunPolicies } from '../../src/audit/judge/run-policies.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';

test('a run that has lost the body of a robots.txt allows nothing of its site', () => {
  const stored = { origin: 'https://site.example', policy: { kind: 'rules' }, body: null };
  const run = { robots: { get: () => stored } } as unknown as RunStore;
  const verdict = new RunPolicies(run, ['Googlebot'], 'google').decide('https://site.example/a', 0);
  expect(verdict?.kind).not.toBe('allowed');
});
