import { expect, test } from 'vitest';
import { readHtml } from '../../../src/audit/html/html-reader.ts';
import { DOCUMENTS } from './documents.ts';
import { readTree, withoutTexts } from './oracle.ts';

test.each([...DOCUMENTS])('%s', (_, html) => {
  expect(withoutTexts(readHtml(html, Infinity))).toEqual(withoutTexts(readTree(html)));
});
