import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLinkHeader } from '../../src/indexability/link-header.ts';
import { parseRefresh } from '../../src/indexability/refresh.ts';
import { resolveUrl } from '../../src/indexability.ts';
import { FUZZ_PARAMETERS } from '../support/arbitraries.ts';
import { parseDirectives, parseRobotsHeader } from '../support/directives.ts';

const piece = fc.constantFrom(
  ...['noindex', 'NONE', 'max-snippet', 'unavailable_after', 'googlebot', ':'],
  ...[':', ',', ',', ' ', '-1', '20'],
  ...['Tue', '21 Jul 2020', '15:00:00', 'GMT', '2020-07-21', '<', '>'],
  ...[';', '"', '\\', 'rel=', 'canonical', '=', '\u212a'],
  ...['0', '.', 'url', "'", '/x', '\n', '\ud800'],
);
const text = fc.oneof(
  fc
    .tuple(fc.array(piece, { maxLength: 16 }), fc.constantFrom('', ', '))
    .map(([pieces, separator]) => pieces.join(separator)),
  fc.array(piece, { maxLength: 6 }).map((pieces) => `<${pieces.join('')}>; rel=x`),
  fc.string({ unit: 'binary' }),
);

test('the parsers accept any text, and return only parts of it', () => {
  let known = 0;
  let links = 0;
  fc.assert(
    fc.property(text, (value) => {
      for (const { text: directive, kind } of parseDirectives(value)) {
        expect(value).toContain(directive);
        if (kind !== 'unknown') known++;
      }
      for (const { agent, directive } of parseRobotsHeader(value)) {
        expect(value).toContain(directive.text);
        if (agent !== null) expect(value.toLowerCase()).toContain(agent);
      }
      for (const { target } of parseLinkHeader(value)) {
        expect(value).toContain(`<${target}>`);
        links++;
      }
      const refresh = parseRefresh(value);
      if (refresh !== null) expect(value).toContain(refresh.href);
    }),
    FUZZ_PARAMETERS,
  );
  expect(known).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 50);
  expect(links).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 100);
});

const directive = fc.constantFrom(
  ...['noindex', 'nofollow', 'max-snippet: 3'],
  ...['max-image-preview:none', 'foo', 'unavailable_after: 2020-07-21'],
  'unavailable_after: Tuesday, 21 Jul 2020 15:00:00 GMT',
);

test('a list has the directives of its elements', () => {
  fc.assert(
    fc.property(fc.array(directive, { maxLength: 6 }), (values) => {
      // Each is listed once.
      expect(parseDirectives(values.join(', '))).toEqual([...new Set(values)].flatMap(parseDirectives));
    }),
    FUZZ_PARAMETERS,
  );
});

test('each directive of a header applies to the last agent before it', () => {
  const agent = fc.constantFrom(null, null, 'googlebot', 'OtherBot');
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(agent, directive), { maxLength: 6, selector: ([, value]) => value }),
      (values) => {
        const header = values
          .map(([name, value]) => (name === null ? value : `${name}: ${value}`))
          .join(', ');
        let last: string | null = null;
        const expected = values.flatMap(([name, value]) => {
          last = name?.toLowerCase() ?? last;
          return parseDirectives(value).map((each) => ({ agent: last, directive: each }));
        });
        expect(parseRobotsHeader(header)).toEqual(expected);
      },
    ),
    FUZZ_PARAMETERS,
  );
});

test('a resolved URL resolves to itself, regardless of the base', () => {
  let resolved = 0;
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), text), (href) => {
      const url = resolveUrl(href, 'https://h.example/dir/page?q');
      if (url === null) return;
      resolved++;
      expect(url).not.toContain('#');
      expect(resolveUrl(url, 'http://other.example/')).toBe(url);
    }),
    FUZZ_PARAMETERS,
  );
  expect(resolved).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 2);
});

test.each([
  ['commas', ','.repeat(1_000_000)],
  ['many dates', 'unavailable_after: 1,'.repeat(50_000)],
  ['many agents', 'a:'.repeat(200_000)],
  ['one long word', 'a'.repeat(1_000_000)],
  ['one long date', `unavailable_after:${' '.repeat(500_000)}x`],
  ['an unterminated link', `<a>; rel="${'\\a'.repeat(500_000)}`],
  ['many links', '<a>; rel=x,'.repeat(100_000)],
  ['many parameters', `<a>${';a'.repeat(300_000)}`],
  ['white space', `<a>${' '.repeat(500_000)}`],
  ['digits', '1'.repeat(1_000_000)],
  ['dots', `1${'.'.repeat(1_000_000)}x`],
])('the parsers take linear time for %s', (_name, value) => {
  const start = performance.now();
  for (const read of [parseDirectives, parseRobotsHeader, parseLinkHeader, parseRefresh]) read(value);
  // Linear parsers take milliseconds, quadratic ones minutes.
  expect(performance.now() - start).toBeLessThan(30_000);
});

test('resolveUrl equals the URL parser of the platform, on the fast path too', () => {
  const part = fc.constantFrom(
    ...['/', '//', '.', '..', '/.', '/..', 'a', 'B-_~', '0'],
    ...['%2e', '%2E', ' ', '?', '#', ':', '\\', 'é', '@'],
  );
  const href = fc.array(part, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const base = fc.constantFrom(
    'http://h',
    'HTTP://H:80/x/',
    'https://h:8443/a/b?c#d',
    'http://u:p@h/',
    'https://h/a b/%c3%a9/é/../x%2fy/z?q=/r/s',
    'ftp://h/',
    'data:,x',
    'none',
  );
  let [absolute, relative] = [0, 0];
  fc.assert(
    fc.property(
      fc.oneof(
        href,
        href.map((path) => `/${path}`),
      ),
      base,
      (path, from) => {
        let expected: string | null;
        try {
          const url = new URL(path, from);
          url.hash = '';
          // `hash = ''` can leave a `#`.
          expected = /^https?:$/.test(url.protocol) ? url.href.replace(/#$/, '') : null;
        } catch {
          expected = null;
        }
        if (/^\/[\w~/-]*(?:#|$)/.test(path)) absolute++;
        if (/^[\w~-][\w~/-]*(?:#|$)/.test(path)) relative++;
        const [authority = ''] = /^https?:\/\/[^/]*/.exec(expected ?? '') ?? [];
        const rest = expected?.slice(authority.length);
        // The parser of Node 20 leaves some dot segments, for example in `/.:/.`, against the URL Standard.
        if (rest !== undefined && /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(rest)) return;
        const inUpperCase = rest?.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
        expect(resolveUrl(path, from)).toBe(inUpperCase === undefined ? null : authority + inUpperCase);
      },
    ),
    FUZZ_PARAMETERS,
  );
  expect(Math.min(absolute, relative)).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 125);
});
