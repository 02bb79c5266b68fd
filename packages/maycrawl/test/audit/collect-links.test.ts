import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '@maycrawl/client/internal';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { collectLinks } from '../../src/audit/crawl/visit.ts';
import { LINK_TYPES } from '../../src/audit/run/records/link-list.ts';
import { StringTable } from '../../src/audit/run/tables/string-table.ts';
import { readPage } from '../../src/html/read-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-links-'));
afterAll(() => rmSync(folder, { recursive: true }));

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

test('a table of texts gives the ids that it gives to texts one by one', async () => {
  const tables = await Promise.all(
    ['many', 'single'].map(async (name) => {
      const database = await openSqlite(join(folder, `${name}.sqlite`));
      database.exec(
        'create table texts (id integer primary key, hash integer not null, text text not null); create index texts_hash on texts (hash)',
      );
      return { database, table: new StringTable(database, 'texts', 1) };
    }),
  );
  const [many, single] = tables as [(typeof tables)[0], (typeof tables)[0]];
  let runs = 0;
  const text = fc.option(fc.nat(500).map(String), { nil: undefined });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 100 }), (texts) => {
      // At first the cache has all texts, and later it has only some.
      if (++runs > 50) many.table.reset();
      const ids = many.table.addNew(texts).map((id, index) => id ?? many.table.add(texts[index] as string));
      expect(ids).toEqual(texts.map((each) => (each === undefined ? 0 : single.table.add(each))));
    }),
  );
  const [all, one] = [many, single].map(({ database }) => database.all('select * from texts order by id'));
  expect(all).toEqual(one);
  for (const { database } of tables) database.close();
});
