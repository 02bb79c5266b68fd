import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CRAWLERS, GLOBAL_CRAWLER, PROFILES, parse } from '../../src/index.ts';
import { countRecords } from '../../src/model/record-counts.ts';
import { AccessClassifier } from '../../src/proofs/access-class.ts';
import { FileClassifier } from '../../src/proofs/file-classifier.ts';
import { agent, FUZZ_PARAMETERS, robotsFile } from '../support/arbitraries.ts';

const PARAMETERS = { ...FUZZ_PARAMETERS, numRuns: Math.ceil(FUZZ_PARAMETERS.numRuns / 5) };

const crawler = fc.oneof(
  agent,
  fc.array(agent, { minLength: 1, maxLength: 3 }),
  fc.constantFrom(...CRAWLERS, GLOBAL_CRAWLER),
  fc
    .tuple(fc.array(agent, { maxLength: 3 }), fc.constantFrom('rules', 'own-rules', 'nothing'))
    .map(([tokens, obeys]) => ({ name: 'x', tokens, obeys }) as const),
);
const profile = fc.constantFrom(...PROFILES);

test('a classifier of files gives each crawler the class of its own ruleset, and crawlers with the same groups share it', () => {
  let [sharings, classified] = [0, 0];
  fc.assert(
    fc.property(
      robotsFile,
      fc.array(crawler, { minLength: 1, maxLength: 12 }),
      profile,
      (bytes, crawlers, chosen) => {
        const robots = parse(bytes, { profile: chosen });
        const classifier = new AccessClassifier(chosen);
        const { classes, classOfCrawler, groupKinds } = new FileClassifier(chosen, crawlers).classify(robots);
        sharings += crawlers.length - classes.length;
        for (const [place, each] of crawlers.entries()) {
          const ruleset = robots.ruleset(each);
          const { isExempt } = ruleset.preference;
          expect(classes[classOfCrawler[place] as number]).toEqual(classifier.classify(ruleset));
          expect(groupKinds[place]).toBe(isExempt ? 'none' : ruleset.groupKind);
          if (!isExempt && ruleset.groupKind !== 'none') classified++;
        }
        // Positions are in the order of the first crawlers, and all classes are those of crawlers.
        const first = [...new Set(classOfCrawler)];
        expect(first).toEqual(classes.map((_, index) => index));
      },
    ),
    PARAMETERS,
  );
  expect(sharings).toBeGreaterThan(PARAMETERS.numRuns);
  expect(classified).toBeGreaterThan(PARAMETERS.numRuns);
});

test('records are counted like those that are read', () => {
  let sitemaps = 0;
  const line = fc.oneof(
    fc.constantFrom(
      ...['Sitemap: /s', ' SITE-MAP:x', 'sitemaps /s', 'sitemap', 'Sitemap: a sitemap: b', '# sitemap: x'],
      ...[
        'x sitemap: y',
        '\0Sitemap: x',
        'allow: /sitemap',
        'Sitemap é',
        'sitemap:\u{feff}',
        '\u{feff}Sitemap: x',
      ],
    ),
    fc.constant(''),
  );
  const text = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 6 })
    .map((lines) => Buffer.from(lines.flat().join('')));
  const file = fc.tuple(text, robotsFile, text).map((parts) => new Uint8Array(Buffer.concat(parts)));
  fc.assert(
    fc.property(file, profile, (bytes, chosen) => {
      const robots = parse(bytes, { profile: chosen });
      const kinds = robots.records().map(({ kind }) => kind);
      const count = (...wanted: string[]): number => kinds.filter((kind) => wanted.includes(kind)).length;
      const counts = countRecords(robots);
      expect(counts).toEqual({
        userAgents: count('user-agent'),
        rules: count('allow', 'disallow'),
        sitemaps: count('sitemap'),
      });
      sitemaps += counts.sitemaps;
    }),
    PARAMETERS,
  );
  expect(sitemaps).toBeGreaterThan(PARAMETERS.numRuns);
});

test('a file whose lines all contain the name of a sitemap is counted in linear time', () => {
  const count = (lines: number): number =>
    countRecords(parse(`${'x'.repeat(9)} sitemap sitemap\r`.repeat(lines), { maxBytes: 1e9 })).sitemaps;
  expect(count(100_000)).toBe(0);
  expect(countRecords(parse('sitemap:'.repeat(60_000))).sitemaps).toBe(1);
});
