import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import { fix, lint } from '../../src/lint.ts';
import { parse } from '../../src/model/robots-txt.ts';
import { readPreferences } from '../../src/preferences.ts';

/** Applies the fixes of one code. @returns the text, or `undefined` if there is none. */
function applyFixes(text: string, code: string): string | undefined {
  const robots = parse(text);
  const findings = lint(robots).filter((each) => each.code === code && each.fix !== undefined);
  const { bytes, resolved } = fix(robots, findings);
  return resolved.length === 0 ? undefined : Buffer.from(bytes).toString();
}

const RUNS = { numRuns: getFuzzRuns(500) };

const LINES = fc.constantFrom(
  ...[
    'User-agent: *',
    'User-agent: GPTBot',
    'User-agent: bingbot',
    'Disallow: /',
    'Disallow: /a',
    'Allow: /a',
    '',
  ],
  ...['Content-Signal: ai-train=no', 'Content-Signal: ai-train=yes, search=yes', 'Content-Usage: train-ai=n'],
  ...['Content-Usage: /a ai-use=y', 'Content-Usage: X=n', 'Sitemap: https://a.example/s.xml', '# comment'],
);

/** Lines of groups without declarations. */
const OTHERS = LINES.filter((line) => !line.startsWith('Content'));
const DECLARED = fc.array(
  LINES.filter((line) => line.startsWith('Content')),
  { minLength: 1, maxLength: 3 },
);

/** The values that crawlers read, by crawler, path, purpose and reading. */
function readValues(text: string): Map<string, string> {
  const policy = { kind: 'rules', robots: parse(text) } as const;
  const values = new Map<string, string>();
  for (const agent of ['GPTBot', 'bingbot', 'MyBot', 'AdsBot-Google'])
    for (const path of ['/', '/a', '/b']) {
      const { purposes } = readPreferences({ policy }, agent, `https://a.example${path}`);
      for (const [purpose, { readings }] of Object.entries(purposes))
        for (const reading of ['grouped', 'global'])
          values.set(`${reading} ${agent} ${path} ${purpose}`, readings[reading] ?? 'unknown');
    }
  return values;
}

const getGlobal = (values: Map<string, string>): [string, string][] =>
  [...values].filter(([key, value]) => key.startsWith('global') && value !== 'unknown');

test('a move changes no value for readers of the whole site, and takes no value from readers by group', () => {
  let moved = 0;
  fc.assert(
    fc.property(fc.array(LINES, { maxLength: 5 }), fc.array(LINES, { maxLength: 10 }), (above, below) => {
      const text = [...above.filter((line) => !/^User/.test(line)), ...below].join('\n');
      const after = applyFixes(text, 'preference-before-group');
      if (after === undefined) return;
      moved++;
      const [old, read] = [readValues(text), readValues(after)];
      expect(getGlobal(read)).toEqual(getGlobal(old));
      for (const [key, value] of old)
        if (value !== 'unknown') expect([key, read.get(key)]).toEqual([key, value]);
    }),
    RUNS,
  );
  expect(moved).toBeGreaterThan(20);
});

test('repeating the lines of the last group takes no value from any reader, and permits nothing but search', () => {
  let repeated = 0;
  fc.assert(
    fc.property(fc.array(OTHERS, { maxLength: 6 }), DECLARED, (lines, declared) => {
      const text = [
        'User-agent: *',
        'Disallow: /a',
        ...lines,
        'User-agent: GPTBot',
        'Disallow: /b',
        '',
        ...declared,
      ].join('\n');
      const after = applyFixes(text, 'preference-after-last-group');
      if (after === undefined) return;
      repeated++;
      const [old, read] = [readValues(text), readValues(after)];
      for (const [key, value] of read)
        if (old.get(key) !== value) {
          expect([key, old.get(key)]).toEqual([key, 'unknown']);
          expect([key, value]).toEqual([key, key.endsWith(' search') ? 'allowed' : 'disallowed']);
        }
    }),
    RUNS,
  );
  expect(repeated).toBeGreaterThan(20);
});
