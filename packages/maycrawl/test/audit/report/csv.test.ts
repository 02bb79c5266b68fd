import { expect, test } from 'vitest';
import { CSV_HEAD, formatCsvRow } from '../../../src/audit/report/formats/csv.ts';
import type { UrlReport } from '../../../src/audit/report/url-report.ts';

const FORMULA = /^["\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Splits a file into cells in the way of a spreadsheet: a quote is special only at the start of a cell. */
function split(text: string, separator: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at++) {
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    }
    while (at < text.length && ![separator, '\r', '\n'].includes(text[at] as string)) cell += text[at++];
    at++;
    cells.push(cell);
  }
  return cells;
}

const report = (title: string): UrlReport =>
  ({
    ...{
      url: 'https://h.example/',
      agent: 'Googlebot',
      state: 'crawled',
      indexable: true,
      reason: 'ok',
      title,
    },
    ...{
      reasons: [],
      maskedReasons: [],
      crawl: null,
      canonical: null,
      findings: [],
      found: [],
      failure: null,
    },
  }) as unknown as UrlReport;

const HOSTILE = [
  ...['=1+1', '+1', '-1', '@a', '\t=1', '\r=1', '\n=1', '\uff1d1', ' =1', ' \u3000=1', '\ufeff=1'],
  ...['x|=1+1', '|=1', 'x|;=1', 'x; =1', 'x|\u00a0@a', 'x|"=1"', 'x|\uff1d1', 'x;=1+1', 'x;@a', 'x\n=1'],
  ...['x\r-1', 'x\t=1', 'x;"=1"', ';;=1', 'a,"b;=1'],
];

test.each(HOSTILE)('a spreadsheet runs no formula in %j with any separator', (title) => {
  const text = CSV_HEAD + formatCsvRow(report(title));
  for (const separator of [',', ';', '\t', '|'])
    expect(split(text, separator).filter((cell) => FORMULA.test(cell))).toEqual([]);
});

test('control characters are replaced: a terminal would execute them', () => {
  const row = formatCsvRow(report('\x1b]0;title\x07 \x9b31m \0 line\nline\ttab'));
  expect(row).toContain('"\ufffd]0;title\ufffd \ufffd31m \ufffd line\nline\ttab"');
});

test('a cell with a semicolon is quoted, and its content is unchanged', () => {
  const row = formatCsvRow(report('Prices; offers - and more'));
  expect(row).toContain('"Prices; offers - and more"');
});
