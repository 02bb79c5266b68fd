import { expect, test } from 'vitest';
import { readHtml } from '../../../src/audit/html/html-reader.ts';
import { DOCUMENTS } from './documents.ts';
import { readTree } from './oracle.ts';

test.each([...DOCUMENTS])('%s', (_, html) => {
  expect(readHtml(html, Infinity)).toEqual(readTree(html));
});
