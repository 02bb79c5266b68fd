import { expect, test } from 'vitest';
import { fix, lint } from '../../../src/lint.ts';
import { parse } from '../../../src/model/robots-txt.ts';

test('a space in a pattern does not make one rule equal to two', () => {
  const robots = parse('User-agent: *\nDisallow: /a -/b\n');
  const [finding] = lint(parse('User-agent: *\nDisalow: /a\n'));
  if (finding === undefined) throw new Error('no finding');
  const wrong = { ...finding, line: 2, fix: { line: 2, replacement: 'Disallow: /a\nDisallow: /b' } };
  expect(fix(robots, [wrong]).resolved).toEqual([]);
});

test('a file that is longer than its limit is not changed, because its rest was not read', () => {
  const robots = parse(
    `User-agent: *\nDisallow: /a\nDisallow: /a/b\n${'#'.repeat(600_000)}\nDisallow: /tail\n`,
  );
  const findings = lint(robots);
  expect(findings.some((finding) => finding.fix !== undefined)).toBe(true);
  const { bytes, resolved } = fix(robots, findings);
  expect(resolved).toEqual([]);
  expect(bytes.length).toBe(robots.bytes.length);
});

test('a misspelling that no parser accepts has a suggestion, which no fix applies, because it changes verdicts', () => {
  const robots = parse('User-agent: *\nDisallow: /a\nUseragent: b\nDisllow /ü # é\n');
  const findings = lint(robots);
  const finding = findings.find(({ code }) => code === 'unrecognized-field-name');
  expect(finding).toMatchObject({ severity: 'error', line: 4, suggestion: 'Disallow: /ü # é' });
  expect(finding?.fix).toBeUndefined();
  const { bytes, resolved } = fix(robots, findings);
  expect(resolved.map(({ code }) => code)).toEqual(['misspelled-field-name']);
  expect(Buffer.from(bytes).toString()).toContain('\nDisllow /ü # é\n');
});
