/** Properties of preferences: nothing throws, and nothing changes a verdict. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../src/index.ts';
import {
  findPageProblems,
  MAIN_PURPOSES,
  type PageSources,
  PreferenceReader,
  type PreferenceSources,
  READINGS,
  readPreferences,
  type SiteSources,
  selectPageSources,
} from '../../src/preferences.ts';
import { anyBytes, FUZZ_PARAMETERS, robotsFile } from '../support/arbitraries.ts';

const usage = fc.constantFrom(
  ...['train-ai=n', 'train-ai=y, search=n', 'ai=n', 'bots=y'],
  ...['Train-AI=n', '', 'train-ai=n,', 'all=n, ai-use=y'],
);
const signal = fc.constantFrom(
  'ai-train=no',
  'search=yes,ai-train=no,use=reference',
  'ai-input=no',
  'x',
  '=',
  'AI-Train=NO',
);
const path = fc.constantFrom('', '/ ', '/p/ ', '/p/*$ ', '/*a ', '/p\t');
const line = fc.oneof(
  fc.constantFrom('User-agent: *', 'User-agent: GPTBot', 'User-agent: a', 'User-agent: Google-Extended', ''),
  fc.constantFrom(
    'Allow: /',
    'Disallow: /',
    'Disallow: /p/',
    'Allow: /p/',
    'License: https://example.com/l.xml',
  ),
  fc
    .tuple(fc.constantFrom('Content-Usage:', 'content-usage :', 'Content-Usage '), path, usage)
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('Content-Signal: ', 'Content-Signals:'), path, signal)
    .map((parts) => parts.join('')),
);
const declaringFile = fc
  .array(line, { maxLength: 14 })
  .map((lines) => new TextEncoder().encode(lines.join('\n')));
const file = fc.oneof({ weight: 3, arbitrary: declaringFile }, robotsFile, anyBytes);
const header = fc.tuple(
  fc.constantFrom(
    ...['Content-Usage', 'content-signal', 'X-Robots-Tag', 'tdm-reservation'],
    ...['tdm-policy', 'Link', 'robots'],
  ),
  fc.oneof(
    usage,
    signal,
    fc.constantFrom('noai', 'GPTBot: noai, noarchive', '1', '0', '2', '<l>; rel=license'),
    fc.string(),
  ),
);
const rsl = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        ...['<rsl>', '</rsl>', '<content url="/">', "<content url='/p/'>", '</content>', '<license>'],
        ...['</license>', '<!--', '-->', '<![CDATA[', ']]>', '<permits type="usage">', '</permits>'],
        ...['<prohibits type="usage">', '</prohibits>', 'all', ' ai-train ', '&amp;', '&#x110000;', '<'],
        ...['>', '"', '<a b', '<?', '<!D'],
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join('')),
  fc.string(),
);
const tdmrep = fc.oneof(
  fc.constantFrom(
    '[{"location":"/","tdm-reservation":1}]',
    '[{"location":"/p/","tdm-reservation":0},{"location":"/*","tdm-reservation":1}]',
    '[',
    '{}',
    '[null,1]',
    '[{"location":1}]',
  ),
  fc.json(),
);
const agent = fc.constantFrom(
  ...['a', 'GPTBot', 'Googlebot', 'Google-Extended', 'bingbot'],
  ...['AdsBot-Google', 'Google-Safety', '*', 'other'],
);
const url = fc.constantFrom(
  ...['https://example.com/', 'https://example.com/p/x', 'https://example.com/p/a?b'],
  ...['https://other.example/', '/p/', 'x', ''],
);

interface Input {
  readonly bytes: Uint8Array;
  readonly sources: PreferenceSources;
}

const input: fc.Arbitrary<Input> = fc
  .tuple(file, fc.array(header, { maxLength: 4 }), fc.option(tdmrep), fc.option(rsl))
  .map(([bytes, headers, tdm, document]) => ({
    bytes,
    sources: {
      policy: { kind: 'rules', robots: parse(bytes) },
      headers,
      metas: headers.map(([name, content]) => ({ name, content })),
      ...(tdm === null ? {} : { tdmrep: tdm }),
      ...(document === null ? {} : { rsl: [{ url: null, text: document }], inlineRsl: [document] }),
    },
  }));

/** Compares the report of a URL with that of another one, if the crawler may fetch both. */
function expectUniform(reader: PreferenceReader, page: PageSources, target: string): void {
  const other = 'https://example.com/p/other?q';
  const [a, b] = [reader.read(target, page), reader.read(other, page)];
  if (a.crawl === 'allowed' && b.crawl === 'allowed') expect({ ...b, url: target }).toEqual(a);
}

function toSources(bytes: Uint8Array): Input {
  return { bytes, sources: { policy: { kind: 'rules', robots: parse(bytes) } } };
}

test('no input throws, every report is complete, and no preference changes the verdict', () => {
  fc.assert(
    fc.property(input, agent, url, ({ bytes, sources }, crawler, target) => {
      const crawlerInput = crawler === '*' ? { name: '*', tokens: [], obeys: 'rules' as const } : crawler;
      const report = readPreferences(sources, crawlerInput, target);
      expect(report.crawl).toBe(parse(bytes).ruleset(crawlerInput).decide(target).kind);
      expect(Object.keys(report.purposes)).toEqual(expect.arrayContaining([...MAIN_PURPOSES]));
      for (const { value, format, line: number, readings, statements } of Object.values(report.purposes)) {
        expect(readings[READINGS[0].name]).toBe(value);
        expect(value === 'not-applicable').toBe(report.crawl === 'disallowed');
        expect(format !== null).toBe(value === 'allowed' || value === 'disallowed');
        for (const { countsUnder } of statements) expect(new Set(countsUnder).size).toBe(countsUnder.length);
        if (format !== null) expect(statements[0]).toMatchObject({ format, line: number, value });
      }
    }),
    FUZZ_PARAMETERS,
  );
});

test('without declarations everything is unknown', () => {
  fc.assert(
    fc.property(robotsFile, agent, url, (bytes, crawler, target) => {
      fc.pre(!/content-|license|extended/i.test(new TextDecoder('latin1').decode(bytes)));
      const name = crawler === '*' ? 'other' : crawler;
      const report = readPreferences({ policy: { kind: 'rules', robots: parse(bytes) } }, name, target, {
        policyTokens: [],
      });
      const values = new Set(Object.values(report.purposes).map(({ value }) => value));
      expect([...values]).toEqual([report.crawl === 'disallowed' ? 'not-applicable' : 'unknown']);
      expect(report.conflicts).toEqual([]);
    }),
    FUZZ_PARAMETERS,
  );
});

test('a reader of many URLs reports the same as single reports, and is silent only if it has nothing to report', () => {
  let silent = 0;
  fc.assert(
    fc.property(fc.oneof(input, robotsFile.map(toSources)), agent, ({ sources }, name) => {
      const crawler = name === '*' ? 'other' : name;
      const { policy, tdmrep, rsl, ...page } = sources;
      const reader = new PreferenceReader({ policy, tdmrep, rsl } as SiteSources, crawler);
      if (reader.isSilent) silent++;
      for (const target of [
        'https://example.com/',
        'https://example.com/p/x',
        '/p/',
        'https://example.com/',
      ]) {
        expect(reader.read(target, page)).toEqual(readPreferences(sources, crawler, target));
        if (reader.isUniform && !sources.inlineRsl?.length) expectUniform(reader, page, target);
        const { crawl, purposes, licenses } = reader.read(target);
        if (!reader.isSilent || crawl !== 'allowed') continue;
        expect(licenses).toEqual([]);
        for (const { statements } of Object.values(purposes)) expect(statements).toEqual([]);
      }
    }),
    FUZZ_PARAMETERS,
  );
  expect(silent).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 50);
});

test('the selected sources of a page say the same as all of its headers and elements', () => {
  fc.assert(
    fc.property(
      fc.array(header, { maxLength: 4 }),
      fc.array(header, { maxLength: 4 }),
      agent,
      (headers, pairs, name) => {
        const metas = pairs.map(([each, content]) => ({ name: each, content }));
        const page = { title: null, base: null, robots: [], refreshes: [], links: [], references: [] };
        const html = { ...page, metas, isTruncated: false };
        const target = 'https://example.com/';
        const selected = selectPageSources({ url: target, headers }, html) ?? {};
        const crawler = name === '*' ? 'other' : name;
        expect(readPreferences(selected, crawler, target)).toEqual(
          readPreferences({ headers, metas }, crawler, target),
        );
        expect(findPageProblems(selected)).toEqual(findPageProblems({ headers, metas }));
      },
    ),
    FUZZ_PARAMETERS,
  );
});
