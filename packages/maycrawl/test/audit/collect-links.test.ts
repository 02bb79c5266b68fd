import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectLinks } from '../../src/audit/crawl/visit.ts';
import { LINK_TYPES } from '../../src/audit/run/records/link-list.ts';
import { readPage } from '../../src/html/read-page.ts';

const URLS = ['/', '/a', '/b', '/c', '/d?x=1', 'https://other.example/'];
const TEXTS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'a text of more than thirteen characters'];

test('the links of a page are those of a search for each URL', () => {
  const link = fc.record({
    href: fc.constantFrom(...URLS),
    rel: fc.constantFrom('', 'nofollow'),
    text: fc.constantFrom(...TEXTS),
  });
  fc.assert(
    fc.property(
      fc.array(link, { maxLength: 40 }),
      fc.option(fc.constantFrom(...URLS)),
      (links, canonical) => {
        const tags = links.map(({ href, rel, text }) => `<a href="${href}" rel="${rel}">${text}</a>`);
        const head = canonical === null ? '' : `<link rel="canonical" href="${canonical}">`;
        const html = Buffer.from(`<title>t</title>${head}<body>${tags.join(' ')}`);
        const { links: found, ...facts } = readPage(
          { url: 'http://a.example/', status: 200, headers: [['content-type', 'text/html']] },
          html,
        );
        const canonicals = facts.canonicals.filter(({ ignored }) => ignored === null).map(({ url }) => url);
        const urls = [...new Set([...canonicals, ...found.map(({ url }) => url)])];
        const expected = urls.map((url) => {
          const same = found.filter((each) => each.url === url);
          const texts = [...new Set(same.map(({ text }) => text))].slice(0, 5);
          const types = [
            canonicals.includes(url) ? LINK_TYPES.canonical : 0,
            same.some(({ rel }) => !rel.includes('nofollow')) ? LINK_TYPES.link : 0,
            same.some(({ rel }) => rel.includes('nofollow')) ? LINK_TYPES.nofollow : 0,
          ].reduce((sum, type) => sum | type);
          return { url, types, ...(texts.length > 0 && { text: texts.join('\n') }) };
        });
        expect(collectLinks(facts, found)).toEqual({ urls: expected, isTruncated: false });
      },
    ),
  );
});
