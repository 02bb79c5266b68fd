import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse, type RobotsTxt } from '../../src/index.ts';
import { findRequestPathStart, findTarget, getScope } from '../../src/matching/target.ts';
import { FUZZ_PARAMETERS } from '../support/arbitraries.ts';

const scheme = fc.constantFrom(
  'http://',
  'https://',
  'https://',
  'ftp://',
  'HTTP://',
  'ws://',
  'http:',
  'mailto:',
);
const host = fc.oneof(
  fc.constantFrom(
    'example.com',
    'a.b.example',
    'localhost',
    'EXAMPLE.com',
    'exämple.com',
    'xn--exmple-cua.com',
  ),
  fc.constantFrom(
    ...['127.0.0.1', '0x7f.1', '0xaf', '1.0xf', 'a.1', '[::1]', ''],
    ...['.', 'a..b', 'a-', 'xn--a', 'a_b', 'a.'],
  ),
  fc
    .array(fc.constantFrom('a', 'b', '0', '9', '.', '-', 'x', 'xn--', '%41'), { maxLength: 8 })
    .map((parts) => parts.join('')),
);
const rest = fc
  .array(
    fc.constantFrom(
      ...['/', '/', '/', 'a', 'Z', '0', '.', '..', '/.', '/..'],
      ...['?', '#', '%', '%2', '%2F', '%2f', '%2e', '%2E', '%g1'],
      ...[' ', '\t', '\n', '\\', '"', "'", '<', '>', '`', '{', '}', '|'],
      ...['^', '[', ']', '~', '!', '*', '$', '&', '\0', 'é', '\ud800'],
      ...[';', '=', '@', ':', ',', '+', '(', ')', '-', '_'],
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const authority = fc.tuple(
  fc.constantFrom('', '', '', 'u@', 'u:p@'),
  host,
  fc.constantFrom('', '', '', ':80', ':443', ':8080', ':', ':99999'),
);
const address = fc.oneof(
  fc
    .tuple(
      scheme,
      authority.map((parts) => parts.join('')),
      rest,
    )
    .map((parts) => parts.join('')),
  rest,
  rest.map((path) => `/${path}`),
);
const scope = fc.constantFrom(
  undefined,
  ...['https://example.com', 'http://example.com', 'http://127.0.0.1', 'https://example.com:8080'].map(
    (origin) => getScope(`${origin}/robots.txt`),
  ),
  getScope('https://example.com/x/robots.txt'),
);

test('the fast path returns the same target as parsing the URL', () => {
  let fast = 0;
  fc.assert(
    fc.property(address, scope, (url, place) => {
      const start = findRequestPathStart(url, place);
      if (start < 0) return;
      fast++;
      expect(findTarget(url, place, true)).toEqual({ path: url.slice(start), normalized: false });
    }),
    FUZZ_PARAMETERS,
  );
  expect(fast).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 25);
});

test.each([
  'https://example.com/',
  'http://www.example.co/a/b.html?c=d&e=%20f',
  '/path',
  'https://a1.b-2.example/%E3%83%84/(x)!,;~@:*$+[|]',
])('the fast path accepts %s', (url) => {
  expect(findRequestPathStart(url, undefined)).toBeGreaterThanOrEqual(0);
});

test('scope: a file applies exactly to the URLs of its own origin', () => {
  let inside = 0;
  fc.assert(
    fc.property(
      scheme,
      authority,
      fc.option(fc.tuple(scheme, authority), { nil: undefined }),
      rest,
      (fileScheme, fileAuthority, other, path) => {
        const file = `${fileScheme}${fileAuthority.join('')}/robots.txt`;
        const [urlScheme, urlAuthority] = other ?? [fileScheme, fileAuthority];
        const url = `${urlScheme}${urlAuthority.join('')}/${path}`;
        // Scheme, host and port according to the runtime's URL class.
        const parts = (text: string): string | undefined => {
          try {
            const { protocol, hostname, port } = new URL(text);
            return ['http:', 'https:', 'ftp:'].includes(protocol)
              ? `${protocol}|${hostname}|${port}`
              : undefined;
          } catch {
            // Not URL.canParse: in Node 20 it is wrong for non-ASCII strings once it is optimised.
            return undefined;
          }
        };
        const parseFile = (): RobotsTxt => parse('user-agent: *\ndisallow: /', { url: file });
        if (parts(file) === undefined) {
          expect(parseFile).toThrow(RangeError);
          return;
        }
        const isInside = parts(file) === parts(url) && new URL(file).pathname === '/robots.txt';
        const verdict = parseFile().ruleset('a').decide(url);
        expect(verdict.kind !== 'out-of-scope').toBe(isInside);
        if (isInside) inside++;
      },
    ),
    FUZZ_PARAMETERS,
  );
  expect(inside).toBeGreaterThan(FUZZ_PARAMETERS.numRuns / 100);
});
