import fc from 'fast-check';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import { CRAWLERS, type CrawlerInput, GLOBAL_CRAWLER } from '../../src/index.ts';

/** The number of inputs per property in quick files. `npm run fuzz` increases it. */
export const FUZZ_PARAMETERS: { numRuns: number } = {
  numRuns: getFuzzRuns(250),
};

/** The number of inputs per property in long files. */
export const LONG_PARAMETERS: typeof FUZZ_PARAMETERS = {
  numRuns: getFuzzRuns(600),
};

/** The parameters of a property whose inputs take long: a share of the inputs. @param divisor - of their number. */
export function takeShare(parameters: typeof FUZZ_PARAMETERS, divisor: number): typeof FUZZ_PARAMETERS {
  return { ...parameters, numRuns: Math.ceil(parameters.numRuns / divisor) };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

const AGENTS = ['FooBot', 'foobot', 'BarBot', 'foo_bot', 'a-b', 'b'];
const UNMATCHED_AGENTS = ['OtherBot', 'Foo.Bot'];
/** Extended tokens. */
const EXTENDED_AGENTS = ['360Spider', 'foobot2', 'archive.org_bot', '008'];

/** Tokens that a caller passes. */
export const agent: fc.Arbitrary<string> = fc.constantFrom(
  'FooBot',
  'FooBot',
  ...AGENTS,
  ...UNMATCHED_AGENTS,
  ...EXTENDED_AGENTS,
);

/** Strings that only the reference reading accepts: most of them name no group. */
const BARE_TOKENS = ['', '*', 'Foo Bar', 'AB42bot', 'foobot*', 'FooBot/1.0', 'foobot ', 'Б', 'foo\n', ':'];

/** Bare tokens that a caller passes. */
export const bareToken: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: agent },
  { weight: 1, arbitrary: fc.constantFrom(...BARE_TOKENS) },
);

const PATH_PARTS = [
  ...['/', '/', '/', 'a', 'b', 'x', '.', '..', '?', ';', '=', '&', ':', '%', '~', '%7E', '%2F', '%2f', '%g1'],
  ...['%C3%A9', '%c3%a9', 'é', 'ツ', 'index.html', 'index.htm', 'fish'],
  ...['.php', '$', '*', '+', '%61', '%', '\\'],
];
const PATTERN_PARTS = [...PATH_PARTS, '*', '*', '$', '**', '/index.htm'];

const parts = (from: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...from), { maxLength }).map((chosen) => chosen.join(''));

const pattern = fc.oneof(
  { weight: 6, arbitrary: parts(PATTERN_PARTS, 3).map((rest) => `/${rest}`) },
  { weight: 2, arbitrary: parts(PATTERN_PARTS, 4).map((rest) => `/*${rest}`) },
  { weight: 1, arbitrary: parts(PATTERN_PARTS, 4) },
  { weight: 2, arbitrary: parts(['*', 'a', 'b', '/', '$'], 9).map((rest) => `/${rest}`) },
);

/** URLs with paths of the same parts as the patterns, so that they often match. */
export const url: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: parts(PATH_PARTS, 6).map((path) => `https://example.com/${path}`) },
  { weight: 1, arbitrary: parts(['a', 'b', '/'], 12).map((path) => `https://example.com/${path}`) },
  { weight: 1, arbitrary: parts(PATH_PARTS, 3).map((rest) => `https://example.com?${rest}`) },
  { weight: 1, arbitrary: parts([...PATH_PARTS, '#', ' ', '\t'], 6).map((path) => `/x${path}`) },
);

const AGENT_FIELDS = ['useragent', 'User Agent', 'user-agents', 'USER-AGENT', 'User\ragent'];
const RULE_FIELDS = [
  ...['allow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw', 'allowed', 'Disallow-x'],
  ...['DISALLOW', 'disallow'],
];
const OTHER_FIELDS = ['Sitemap', 'site-map', 'Crawl-delay', 'Noindex', 'foo', '', ':', 'user', 'all ow', 'é'];
const AGENT_VALUES = [
  ...AGENTS,
  ...['foobot/2.1', '* x', '*x', '*\tx', '360spider/1', 'FooBot2'],
  ...['archive.org_bot', '008', '', 'FooBot é', '-'],
];

/** Nine of ten values are usual, the others rare. */
function mostly<T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

const separator = mostly(
  fc.constant(': '),
  fc.constantFrom(':', ' : ', '\t:\t', ' ', '\t', '::', '', ':\v', '  '),
);
const ending = mostly(fc.constant('\n'), fc.constantFrom('\r', '\r\n', '\r\r\n', '\n\r', ''));
const leading = mostly(fc.constant(''), fc.constantFrom(' ', '\t', '\f'));
const trailing = mostly(fc.constant(''), fc.constantFrom(' ', '\t', '#c', ' # c', '\f', '\0x'));
const encoding = mostly(fc.constant(bytes), fc.constant(latin1));

function record(field: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(encoding, leading, field, separator, value, trailing, ending)
    .map(([encode, ...written]) => encode(written.join('')));
}

const agentRecord = record(
  mostly(fc.constant('User-agent'), fc.constantFrom(...AGENT_FIELDS)),
  fc.oneof(fc.constant('*'), fc.constant('FooBot'), fc.constantFrom(...AGENT_VALUES)),
);
const ruleRecord = record(
  mostly(fc.constantFrom('Allow', 'Disallow', 'Disallow'), fc.constantFrom(...RULE_FIELDS)),
  pattern,
);
const otherRecord = record(fc.constantFrom(...OTHER_FIELDS), pattern);

const overlong = fc
  .tuple(
    fc.integer({ min: 16_640, max: 16_670 }),
    fc.constantFrom('Disallow: /', 'Allow: /a*', 'x'),
    fc.constantFrom(' ', '*', '/'),
  )
  .map(([length, text, fill]) =>
    bytes(fill === ' ' ? `${fill.repeat(length)}${text}\n` : `${text}${fill.repeat(length)}\n`),
  );

const mark = fc.constantFrom([], [], [], [], [0xef, 0xbb, 0xbf], [0xef, 0xbb], [0xef], [0xbb, 0xbf]);

const line = fc.oneof(
  { weight: 20, arbitrary: agentRecord },
  { weight: 60, arbitrary: ruleRecord },
  { weight: 8, arbitrary: otherRecord },
  { weight: 3, arbitrary: fc.uint8Array({ maxLength: 12 }) },
  { weight: 1, arbitrary: overlong },
);

/** A damaged byte: a position in the file, from 0 to 1, and the bits that change. One bit separates lower case from upper case, and `-` from CR. */
const damage = fc.tuple(
  fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  mostly(fc.constant(0x20), fc.integer({ min: 1, max: 0xff })),
);

/** Files similar to a robots.txt, with all kinds of syntax problems. */
export const robotsFile: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    mark,
    mostly(agentRecord, line),
    fc.array(line, { maxLength: 16 }),
    mostly(fc.constant<[number, number][]>([]), fc.array(damage, { maxLength: 3 })),
  )
  .map(([start, first, lines, damages]) => {
    const content = concatenate([new Uint8Array(start), first, ...lines]);
    for (const [place, bits] of damages) {
      const at = Math.floor(place * content.length);
      if (at < content.length) content[at] = (content[at] as number) ^ bits;
    }
    return content;
  });

/** Any bytes at all. */
export const anyBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  robotsFile,
  fc.string({ unit: 'binary', maxLength: 200 }).map(bytes),
);

/** What names a crawler: an agent name, bare tokens, or a crawler of the catalogue or with any tokens. */
export const crawler: fc.Arbitrary<CrawlerInput> = fc.oneof(
  agent,
  fc.array(bareToken, { minLength: 1, maxLength: 3 }),
  fc.constantFrom(...CRAWLERS, GLOBAL_CRAWLER),
  fc
    .tuple(fc.array(agent, { maxLength: 3 }), fc.constantFrom('rules', 'own-rules', 'nothing'))
    .map(([tokens, obeys]) => ({ name: 'x', tokens, obeys }) as const),
);
