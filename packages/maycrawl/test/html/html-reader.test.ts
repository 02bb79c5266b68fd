import { expect, test } from 'vitest';
import { readHtml } from '../../src/html/html-reader.ts';
import { DOCUMENTS } from './documents.ts';
import { readTree, withoutTexts } from './oracle.ts';

test.each([...DOCUMENTS])('%s', (_, html) => {
  expect(withoutTexts(readHtml(html, Infinity))).toEqual(withoutTexts(readTree(html)));
});

test('a title is cut after 2,000 characters, between two of them', () => {
  const read = (title: string): string | null => readHtml(`<title>${title}</title>`, Infinity).title;
  expect(read('x'.repeat(2_000))).toHaveLength(2_000);
  expect(read('x'.repeat(5_000_000))).toBe('x'.repeat(2_000));
  expect(read(`${'x'.repeat(1_999)}\u{1f600}`)).toBe('x'.repeat(1_999));
});

test('at most 20 licences with 100,000 characters are read', () => {
  const read = (count: number, length: number): readonly [number | undefined, boolean] => {
    const script = `<script type="application/rsl+xml">${'x'.repeat(length)}</script>`;
    const { rsl, isTruncated } = readHtml(script.repeat(count), Infinity);
    return [rsl?.length, isTruncated];
  };
  expect(read(20, 5_000)).toEqual([20, false]);
  expect(read(21, 10)).toEqual([20, true]);
  expect(read(2, 50_001)).toEqual([1, true]);
});
