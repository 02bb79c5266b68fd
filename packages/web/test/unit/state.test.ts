import { describe, expect, test } from 'vitest';
import { MAX_CRAWLERS, parseCrawler } from '../../src/tester/state/crawlers.ts';
import {
  initialState,
  withComputedFile,
  withCrawlers,
  withCurrentBaseline,
  withFile,
  withPastedText,
  withProfile,
  withSelected,
  withSitemapUrls,
  withText,
  withUrls,
} from '../../src/tester/state/page-state.ts';
import {
  createTextFile,
  decodeFile,
  getContent,
  getLoss,
  MAX_EDITED,
} from '../../src/tester/state/robots-file.ts';

const bytesOf = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)),
  );

describe('the file', () => {
  test('the original bytes are evaluated until the first edit', () => {
    const bytes = bytesOf('User-agent: *\r\nDisallow: /caf', [0xe9], '\r\n');
    const file = decodeFile(bytes);
    expect(getContent(file)).toEqual(bytes);
    expect(file.text).toBe('User-agent: *\nDisallow: /caf\ufffd\n');
    expect(getLoss(file)).toBe('imminent');
    const edited = withText(`${file.text}# more`)({ ...initialState(), file }).file;
    expect(getContent(edited)).toBe('User-agent: *\nDisallow: /caf\ufffd\n# more');
    expect(getLoss(edited)).toBe('lost');
    // Taking the edit back brings the bytes back.
    expect(getContent(withText(file.text)({ ...initialState(), file: edited }).file)).toEqual(bytes);
  });

  test('a byte order mark stays in the text, and nothing is lost', () => {
    const file = decodeFile(bytesOf([0xef, 0xbb, 0xbf], 'Allow: /'));
    expect(file.text).toBe('\ufeffAllow: /');
    expect(getLoss(file)).toBe('none');
  });

  test('a computed file has all its bytes, and does not replace a later edit', () => {
    const state = { ...initialState(), file: decodeFile(bytesOf('Dissallow: /caf', [0xe9])) };
    const fixed = bytesOf('Disallow: /caf', [0xe9]);
    const computed = withComputedFile(getContent(state.file), fixed);
    expect(getContent(computed(state).file)).toEqual(fixed);
    const edited = withText('# later')(state);
    expect(computed(edited)).toBe(edited);
  });

  test('a file that the size limit cuts within a character is UTF-8', () => {
    const bytes = bytesOf(`#${'x'.repeat(511_996)}\u00e9\u00e9`).slice(0, 512_000);
    expect(bytes.at(-1)).not.toBe(0x78);
    const cut = decodeFile(bytes);
    expect(getLoss(cut)).toBe('none');
    expect(cut.text).not.toContain('\ufffd');
    expect(getContent(cut)).toEqual(bytes);
    // A shorter file is complete.
    expect(getLoss(decodeFile(bytesOf('#', [0xc3])))).toBe('imminent');
  });

  test('a file that is too large is truncated', () => {
    expect(createTextFile('a'.repeat(MAX_EDITED + 1)).text).toHaveLength(MAX_EDITED);
    expect(decodeFile(new Uint8Array(MAX_EDITED + 1)).original?.bytes).toHaveLength(MAX_EDITED);
  });
});

describe('the state', () => {
  const SITE = { origin: 'https://a.example', url: 'https://a.example/cart?x' };

  test('the URL that was typed is tested first, then the home page and an example for each rule of the site', () => {
    const text =
      'User-agent: *\nDisallow: /a\nDisallow: /*/b*\nAllow: /c$\nDisallow: *.pdf$\nDisallow: /\nAllow: x\n';
    const selected = withSelected(3, 2)(initialState());
    const { urls, selected: cell } = withFile(createTextFile(text), 'live', SITE)(selected);
    expect(urls).toEqual(
      ['/cart?x', '/', '/a', '/x/b', '/c', '/.pdf'].map((path) => `https://a.example${path}`),
    );
    expect(cell).toEqual({ row: 0, column: 2 });
  });

  test('the sample of another site is replaced; URLs that the user chose stay', () => {
    const first = withFile(createTextFile('Allow: /'), 'a', SITE)(initialState());
    const other = { origin: 'https://b.example', url: 'https://b.example/' };
    expect(withFile(createTextFile(''), 'b', other)(first).urls).toEqual(['https://b.example/']);
    const own = withUrls(['/mine'])(first);
    expect(withFile(createTextFile(''), 'b', other)(own).urls).toEqual(['https://b.example/', '/mine']);
  });

  test('entries of the sitemaps follow the home page, and the explained URL stays the same', () => {
    const live = withFile(createTextFile('Disallow: /a'), 'live', SITE)(initialState());
    const selected = withSelected(2, 1)(live);
    const sampled = withSitemapUrls('https://a.example', ['https://a.example/blog/1', 'https://a.example/a'])(
      selected,
    );
    expect(sampled.urls).toEqual(['/cart?x', '/', '/blog/1', '/a'].map((path) => `https://a.example${path}`));
    expect(sampled.selected).toEqual({ row: 3, column: 1 });
    expect(sampled.hasOwnUrls).toBe(false);
    expect(withSitemapUrls('https://a.example', [])(live)).toBe(live);
    const home = { origin: 'https://a.example', url: 'https://a.example/' };
    const loaded = withFile(createTextFile('Disallow: /a'), 'live', home)(initialState());
    expect(withSitemapUrls('https://a.example', ['https://a.example/blog/1'])(loaded).urls).toEqual(
      ['/', '/blog/1', '/a'].map((path) => `https://a.example${path}`),
    );
    // Another site, or URLs of the user.
    expect(withSitemapUrls('https://b.example', ['https://b.example/1'])(live)).toBe(live);
    const own = withUrls(['/mine'])(live);
    expect(withSitemapUrls('https://a.example', ['https://a.example/1'])(own)).toBe(own);
  });

  test.each([
    ['the sample', initialState(), { name: 'the pasted text', content: 'Disallow: /' }],
    [
      'another text',
      withPastedText('Allow: /')(initialState()),
      { name: 'the text before the paste', content: 'Allow: /' },
    ],
    [
      'an edited live file',
      withText('Allow: /x')(withFile(createTextFile('Allow: /'), 'live', SITE)(initialState())),
      { name: 'live', content: 'Allow: /' },
    ],
  ])('later edits of a paste over %s are compared with what that leaves', (_, state, baseline) => {
    expect(withText('Allow: /y')(withPastedText('Disallow: /')(state)).baseline).toEqual(baseline);
  });

  test('the same text changes nothing', () => {
    const state = initialState();
    expect(withText(state.file.text)(state)).toBe(state);
  });

  test('edits are compared with the last loaded file', () => {
    const loaded = withFile(createTextFile('Allow: /'), 'a.txt', SITE)(initialState());
    const edited = withText('Disallow: /')(loaded);
    expect(edited.baseline).toEqual({ name: 'a.txt', content: 'Allow: /' });
    expect(edited.origin).toBe('https://a.example');
    expect(withCurrentBaseline('now')(edited).baseline).toEqual({ name: 'now', content: 'Disallow: /' });
  });

  test('the selected cell stays in the matrix', () => {
    const state = withSelected(8, 4)(initialState());
    expect(state.selected).toEqual({ row: 8, column: 4 });
    expect(withUrls(['/a', '/b'])(state).selected).toEqual({ row: 1, column: 4 });
    expect(withCrawlers(['a'])(state).selected).toEqual({ row: 8, column: 0 });
    expect(withUrls([])(state).selected).toEqual({ row: 0, column: 4 });
    expect(withSelected(-1, 99)(state).selected).toEqual({ row: 0, column: 4 });
  });

  test('each crawler is listed once, and their number is limited', () => {
    const names = Array.from({ length: MAX_CRAWLERS + 10 }, (_, index) => `a${'b'.repeat(index)}`);
    expect(withCrawlers(['a', 'a', 'b'])(initialState()).crawlers).toEqual(['a', 'b']);
    expect(withCrawlers(names)(initialState()).crawlers).toHaveLength(MAX_CRAWLERS);
  });

  test('an unknown profile changes nothing', () => {
    const state = initialState();
    expect(withProfile('none')(state)).toBe(state);
    expect(withProfile('rfc9309')(state).profile).toBe('rfc9309');
  });
});

test.each([
  [' googlebot ', 'Googlebot'],
  ['googlebot-image', 'Googlebot Image'],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot'],
  ['MyBot', 'MyBot'],
  ['My Bot', null],
  ['Mozilla/5.0 (Windows NT 10.0)', null],
  ['*', '*'],
  ['<img src=x>', null],
  ['', null],
  ['a'.repeat(101), null],
])('by %j is meant %j', (written, name) => {
  expect(parseCrawler(written)).toBe(name);
});
