import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FINDING_KINDS } from '../../../src/audit/findings/finding-kinds.ts';
import { FINDING_CODES } from '../../../src/audit/run/finding.ts';

const PAGE = readFileSync(new URL('../../../../../docs/audit.md', import.meta.url), 'utf8');

test('the documentation has the words of every kind of findings, in order', () => {
  const rows = FINDING_CODES.map((code) => {
    const { severity, one, cost, action } = FINDING_KINDS[code];
    return `| \`${code}\` | ${severity} | ${one} | ${cost} | ${action} |`;
  });
  expect(PAGE).toContain(rows.join('\n'));
});

test('kinds are ordered by severity', () => {
  const severities = FINDING_CODES.map((code) => FINDING_KINDS[code].severity);
  expect([...new Set(severities)]).toEqual(['error', 'warning', 'notice']);
  expect(severities).toEqual([...severities].sort((a, b) => rank(a) - rank(b)));
});

function rank(severity: string): number {
  return ['error', 'warning', 'notice'].indexOf(severity);
}
