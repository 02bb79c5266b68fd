/** Properties of preferences: nothing throws, and nothing changes a verdict. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../src/index.ts';
import { MAIN_PURPOSES, type PreferenceSources, READINGS, readPreferences } from '../../src/preferences.ts';
import { anyBytes, FUZZ_PARAMETERS, robotsFile } from '../support/arbitraries.ts';

const usage = fc.constantFrom(
  'train-ai=n',
  'train-ai=y, search=n',
  'ai=n',
  'bots=y',
  'Train-AI=n',
  '',
  'train-ai=n,',
  'all=n, ai-use=y',
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
    'Content-Usage',
    'content-signal',
    'X-Robots-Tag',
    'tdm-reservation',
    'tdm-policy',
    'Link',
    'robots',
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
        '<rsl>',
        '</rsl>',
        '<content url="/">',
        "<content url='/p/'>",
        '</content>',
        '<license>',
        '</license>',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<permits type="usage">',
        '</permits>',
        '<prohibits type="usage">',
        '</prohibits>',
        'all',
        ' ai-train ',
        '&amp;',
        '&#x110000;',
        '<',
        '>',
        '"',
        '<a b',
        '<?',
        '<!D',
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
  'a',
  'GPTBot',
  'Googlebot',
  'Google-Extended',
  'bingbot',
  'AdsBot-Google',
  'Google-Safety',
  '*',
  'other',
);
const url = fc.constantFrom(
  'https://example.com/',
  'https://example.com/p/x',
  'https://example.com/p/a?b',
  'https://other.example/',
  '/p/',
  'x',
  '',
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
      ...(document === null ? {} : { rsl: [{ url: null, text: document }] }),
    },
  }));

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
