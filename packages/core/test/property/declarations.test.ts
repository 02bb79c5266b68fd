/** The declarations of a robots.txt, compared with the naive oracle under every reading. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../src/index.ts';
import { readPreferences } from '../../src/preferences.ts';
import { type OracleReading, oraclePreference, readOracleFile } from '../oracle/declarations.ts';
import { FUZZ_PARAMETERS } from '../support/arbitraries.ts';

const ORACLE_READINGS: Readonly<Record<string, OracleReading>> = {
  grouped: { grouping: 'own' },
  global: { grouping: 'own', isGlobal: true },
  'robots-groups': { grouping: 'robots' },
  'label-by-label': { grouping: 'own', isByLabel: true },
  'path-prefix': { grouping: 'own', isPrefix: true },
  'current-labels': { grouping: 'own', isCurrentOnly: true },
};

const label = fc.constantFrom('train-ai', 'search', 'ai-use', 'ai', 'all', 'bots', 'x');
const usage = fc.oneof(
  fc
    .array(fc.tuple(label, fc.constantFrom('=y', '=n', '=maybe', '', '=n;p=1')), { maxLength: 4 })
    .map((members) => members.map((parts) => parts.join('')).join(', ')),
  fc.constantFrom('Train-AI=n', 'train-ai=n,', 'train-ai=n é', 'search=(y n)'),
);
const signal = fc
  .array(
    fc.tuple(
      fc.constantFrom('search', 'ai-input', 'AI-Train', 'x', ''),
      fc.constantFrom('=yes', '=no', ' = NO', '=', ''),
    ),
    { maxLength: 4 },
  )
  .map((members) => members.map((parts) => parts.join('')).join(','));
const path = fc.constantFrom('', '', '/ ', '/p/ ', '/p/*x ', '/*$ ', '/p/x\t', '/é ', '/p/x$ ');
const line = fc.oneof(
  fc.constantFrom('User-agent: *', 'User-agent: a', 'User-agent: b', 'user-agent:a', ''),
  fc.constantFrom('Allow: /', 'Allow: /p', 'Disallow: /q', '# comment'),
  fc.tuple(fc.constantFrom('Content-Usage: ', 'content-usage :'), path, usage).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('Content-Signal: ', 'Content-Signals:'), path, signal)
    .map((parts) => parts.join('')),
);
const file = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([lines, end]) => new TextEncoder().encode(lines.join(end)));
const url = fc.constantFrom('https://e.example/', 'https://e.example/p/x', 'https://e.example/%C3%A9/p');

test('every reading gives the value of the naive oracle, for files that are read in turn', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 3 }), url, (files, target) => {
      const documents = files.map((bytes) => ({ naive: readOracleFile(bytes), robots: parse(bytes) }));
      for (const token of ['a', 'b', 'other'])
        for (const { naive, robots } of documents) {
          const report = readPreferences({ policy: { kind: 'rules', robots } }, [token], target, {
            policyTokens: [],
          });
          expect(report.crawl).toBe('allowed');
          for (const purpose of ['ai-train', 'search', 'ai-input', 'genai-train', 'all']) {
            const readings = report.purposes[purpose]?.readings ?? {};
            for (const [name, reading] of Object.entries(ORACLE_READINGS)) {
              const expected = oraclePreference(naive, token, target, purpose, reading);
              // A report omits values that equal that of `grouped`, and purposes that no declaration is about.
              const value = readings[name] ?? readings['grouped'];
              if (value !== undefined) expect(value, `${purpose} by ${name}`).toBe(expected);
              else expect(['genai-train', 'all']).toContain(purpose);
            }
          }
        }
    }),
    FUZZ_PARAMETERS,
  );
});
