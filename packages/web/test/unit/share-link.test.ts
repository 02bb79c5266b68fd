import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { initialState, type PageState, withFile, withText } from '../../src/tester/state/page-state.ts';
import { decodeFile, getContent } from '../../src/tester/state/robots-file.ts';
import { fromFragment, MAX_LINK, toFragment } from '../../src/tester/state/share-link.ts';

const roundTrip = async (state: PageState): Promise<PageState | null> =>
  fromFragment((await toFragment(state)) ?? '', initialState());

/** Creates a fragment with any JSON. */
const fragmentOf = (json: unknown): string =>
  `#v1.${deflateRawSync(JSON.stringify(json)).toString('base64url')}`;

describe('a link', () => {
  test('contains the input', async () => {
    const edited = withText('User-agent: ☃\nDisallow: /ü')(initialState());
    const state: PageState = {
      ...edited,
      profile: 'google-2013',
      urls: ['/a', '/b?c'],
      selected: { row: 1, column: 2 },
    };
    const fragment = await toFragment(state);
    expect(fragment).toMatch(/^#v1\.[\w-]+$/);
    expect(await fromFragment(fragment ?? '', initialState())).toEqual({ ...state, hasOwnUrls: true });
  });

  test('contains bytes that are not UTF-8, and line ends', async () => {
    for (const bytes of [Uint8Array.of(0x2f, 0xe9, 0x0d, 0x0a), Uint8Array.of(0x2f, 0x0d, 0x0a)]) {
      const state = withFile(decodeFile(bytes), 'a.txt', {
        origin: 'https://a.example',
        url: 'https://a.example/',
      })(initialState());
      const shared = await roundTrip(state);
      expect(shared === null ? null : getContent(shared.file)).toEqual(bytes);
      expect(shared?.origin).toBe('https://a.example');
    }
  });

  test('contains the previous file, although both have the same text', async () => {
    const [before, after] = [0xe8, 0xe9].map((byte) => Uint8Array.of(0x2f, byte));
    const state = withFile(decodeFile(after as Uint8Array), 'a.txt', null)(initialState());
    const shared = await roundTrip({ ...state, baseline: { name: 'b.txt', content: before as Uint8Array } });
    expect(shared?.baseline).toEqual({ name: 'b.txt', content: before });
  });

  test('that would be too long is null', async () => {
    const noise = Array.from(
      { length: 40_000 },
      (_, index) => `/${[Math.sin, Math.cos, Math.tan, Math.exp, Math.cbrt].map((of) => of(index / 99))}`,
    );
    expect(await toFragment({ ...initialState(), urls: noise })).toBeNull();
  });
});

describe('a hostile fragment', () => {
  test.each([
    ['', 'nothing'],
    ['#', 'an empty one'],
    ['#other', 'another'],
    ['#v1.', 'nothing in it'],
    ['#v1.%%%', 'no base64'],
    ['#v1.AAAA', 'no deflate'],
    [`#v1.${deflateRawSync('{"file":').toString('base64url')}`, 'no JSON'],
    [`#v1.${'A'.repeat(MAX_LINK)}`, 'too long'],
    [fragmentOf(null), 'null'],
    [fragmentOf([]), 'a list'],
    [fragmentOf({}), 'no file'],
    [fragmentOf({ file: 7 }), 'a file that is a number'],
    [fragmentOf({ file: { base64: '%' } }), 'invalid base64'],
    [fragmentOf({ file: 'x'.repeat(1024 * 1024 + 1) }), 'a file that is too large'],
  ])('is none: $1', async (fragment) => {
    expect(await fromFragment(fragment, initialState())).toBeNull();
  });

  test('is not unpacked beyond a limit', async () => {
    const bomb = `#v1.${deflateRawSync(Buffer.alloc(200 * 1024 * 1024, 0x20)).toString('base64url')}`;
    expect(bomb.length).toBeLessThan(MAX_LINK);
    expect(await fromFragment(bomb, initialState())).toBeNull();
  });

  test('yields only its valid parts', async () => {
    const hostile = {
      file: 'Allow: /',
      before: { name: 7, file: [] },
      origin: 'javascript:alert(1)',
      urls: ['/a', 7, null, { toString: 'x' }, '/a', ' '],
      crawlers: ['Googlebot', '<img src=x onerror=alert(1)>', 8],
      profile: '__proto__',
      selected: [1e9, 'x'],
      panel: 'none',
      __proto__: { polluted: true },
    };
    expect(await fromFragment(fragmentOf(hostile), initialState())).toEqual({
      ...initialState(),
      hasOwnUrls: true,
      file: { text: 'Allow: /', original: null },
      baseline: { name: 'the shared file', content: 'Allow: /' },
      urls: ['/a'],
      crawlers: ['Googlebot'],
      selected: { row: 0, column: 0 },
    });
  });
});
