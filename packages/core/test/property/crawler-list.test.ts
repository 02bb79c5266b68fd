import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DelayReader } from '../../src/crawler-list/delay-reader.ts';
import { FileClassifier } from '../../src/crawler-list/file-classifier.ts';
import { diagnose, PROFILES, parse } from '../../src/index.ts';
import { summarizeRecords } from '../../src/lint/record-summary.ts';
import { isPageWithoutRules } from '../../src/model/diagnostics/diagnostics.ts';
import { getRules } from '../../src/model/ruleset.ts';
import { AccessClassifier } from '../../src/proofs/access-class.ts';
import { agent, crawler, FUZZ_PARAMETERS, robotsFile, takeShare } from '../support/arbitraries.ts';

const PARAMETERS = takeShare(FUZZ_PARAMETERS, 5);

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
          const { isExempt } = getRules(ruleset).agentTokens;
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

test('a reader of delays gives each crawler the delay of its own ruleset', () => {
  let [delayed, lines] = [0, 0];
  const delay = fc
    .tuple(
      fc.constantFrom('Crawl-delay: ', 'crawl-Delay:', 'Crawl-delay '),
      fc.constantFrom('5', '0.5', '.25', 'soon', '1e3', ''),
    )
    .map((parts) => parts.join(''));
  const line = fc.oneof(
    delay,
    agent.map((name) => `User-agent: ${name}`),
    fc.constantFrom('User-agent: *', 'Disallow: /', 'Allow:', '', 'Crawl-delays: 4', 'Sitemap: /s'),
  );
  const text = fc.array(line, { maxLength: 20 }).map((all) => Buffer.from(all.join('\n')));
  const file = fc.tuple(text, robotsFile, text).map((parts) => new Uint8Array(Buffer.concat(parts)));
  fc.assert(
    fc.property(
      file,
      fc.array(crawler, { minLength: 1, maxLength: 12 }),
      profile,
      (bytes, crawlers, chosen) => {
        const robots = parse(bytes, { profile: chosen });
        const delays = new DelayReader(crawlers).read(robots);
        expect(delays).toEqual({
          lines: robots.records().filter(({ field }) => field.toLowerCase() === 'crawl-delay').length,
          seconds: crawlers.map((each) => robots.ruleset(each).crawlDelay),
        });
        delayed += delays.seconds.filter((each) => each !== null).length;
        lines += delays.lines;
      },
    ),
    PARAMETERS,
  );
  expect(delayed).toBeGreaterThan(PARAMETERS.numRuns / 2);
  expect(lines).toBeGreaterThan(PARAMETERS.numRuns);
});

test('records are counted like those that are read', () => {
  let sitemaps = 0;
  const line = fc.oneof(
    fc.constantFrom(
      ...['Sitemap: /s', ' SITE-MAP:x', 'sitemaps /s', 'sitemap', 'Sitemap: a sitemap: b', '# sitemap: x'],
      ...['x sitemap: y', '\0Sitemap: x', 'allow: /sitemap'],
      ...['Sitemap é', 'sitemap:\u{feff}', '\u{feff}Sitemap: x'],
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
      const counts = summarizeRecords(robots);
      const values = robots.groups().flatMap(({ userAgents }) => userAgents);
      const texts = new Map(values.map(({ text, productToken }) => [text, productToken]));
      expect(counts).toEqual({
        userAgents: count('user-agent'),
        rules: count('allow', 'disallow'),
        sitemaps: count('sitemap'),
        named: [...texts].map(([text, token]) => ({ token, text })),
        unnamed: 0,
      });
      sitemaps += counts.sitemaps;
    }),
    PARAMETERS,
  );
  expect(sitemaps).toBeGreaterThan(PARAMETERS.numRuns);
});

test('a page without rules is one for which only the page is diagnosed', () => {
  const start = fc.constantFrom(
    '',
    '<html>',
    '\u{feff}<!DOCTYPE html>',
    ' \n\t<?xml ?>',
    '# c\n<p>',
    '<',
    'x <html>',
    '\0<a>',
  );
  let pages = 0;
  fc.assert(
    fc.property(start, robotsFile, profile, (text, bytes, chosen) => {
      const content = new Uint8Array(Buffer.concat([Buffer.from(`${text}\n`), bytes]));
      const robots = parse(content, { profile: chosen });
      const [first] = diagnose(robots);
      const isPage = first?.code === 'html-content' && first.data['rules'] === 0;
      expect(isPageWithoutRules(robots)).toBe(isPage);
      if (isPage) pages++;
    }),
    PARAMETERS,
  );
  expect(pages).toBeGreaterThan(PARAMETERS.numRuns / 20);
});

test('a file whose lines all contain the name of a sitemap is counted in linear time', () => {
  const count = (lines: number): number =>
    summarizeRecords(parse(`${'x'.repeat(9)} sitemap sitemap\r`.repeat(lines), { maxBytes: 1e9 })).sitemaps;
  expect(count(100_000)).toBe(0);
  expect(summarizeRecords(parse('sitemap:'.repeat(60_000))).sitemaps).toBe(1);
});
