import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROFILES } from '../../src/crawler/profile.ts';
import type { RobotsTxt } from '../../src/model/robots-txt.ts';
import { parse } from '../../src/model/robots-txt.ts';
import { serialize } from '../../src/model/serialize.ts';
import { readPreferences } from '../../src/preferences.ts';
import { minify } from '../../src/proofs/minify.ts';
import { FUZZ_PARAMETERS, takeShare } from '../support/arbitraries.ts';

const line = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('User-agent: a', 'User-agent: A', 'User-agent: b', 'User-agent: *'),
  },
  { weight: 2, arbitrary: fc.constantFrom('Disallow: /x', 'Disallow: /x/y', 'Allow: /p*', 'Disallow:') },
  fc.constantFrom(
    ...['Content-Usage: train-ai=n', 'Content-Usage: /p/ train-ai=y', 'Content-Usage train-ai=n'],
    ...['Content-Signal: ai-train=no', 'Content-Signals: /p/ search=yes', 'content-usage: search=n'],
    ...['License: https://h.example/l.xml', 'License https://h.example/m.xml', 'Crawl-delay: 5', '# text'],
  ),
);
const file = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

const URLS = ['http://localhost/', 'http://localhost/p/q', 'http://localhost/x/y'];

/** Describes the preferences for all agents, apart from the lines that declare them. */
function describePreferences(robots: RobotsTxt): object[] {
  const policy = { kind: 'rules', robots } as const;
  return ['a', 'b', 'other', 'AdsBot-Google'].flatMap((agent) =>
    URLS.map((url) => {
      const { crawl, purposes, licenses } = readPreferences({ policy }, agent, url);
      const values = Object.entries(purposes).map(([purpose, { value, readings }]) => [
        purpose,
        value,
        readings,
      ]);
      return { agent, url, crawl, values, licenses: new Set(licenses.map((each) => each.url)) };
    }),
  );
}

test.each(PROFILES.map(({ name }) => name))(
  'minify and serialize keep the preferences of every agent (%s)',
  (profile) => {
    let saved = 0;
    fc.assert(
      fc.property(file, (text) => {
        const before = parse(text, { profile });
        const { bytes } = minify(before);
        const expected = describePreferences(before);
        expect(describePreferences(parse(bytes, { profile }))).toEqual(expected);
        expect(describePreferences(parse(serialize(before), { profile }))).toEqual(expected);
        saved += text.length - bytes.length;
      }),
      takeShare(FUZZ_PARAMETERS, 10),
    );
    expect(saved).toBeGreaterThan(250);
  },
);
