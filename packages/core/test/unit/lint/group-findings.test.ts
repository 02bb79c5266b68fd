import { expect, test } from 'vitest';
import { groupFindings, lint } from '../../../src/lint.ts';
import { formatLines } from '../../../src/model/diagnostics/format-lines.ts';
import { parse } from '../../../src/model/robots-txt.ts';

test.each([
  [[3], 'line 3'],
  [[3, 4], 'lines 3 and 4'],
  [[3, 4, 5], 'lines 3-5'],
  [[1, 3, 4, 5, 9], 'lines 1, 3-5 and 9'],
  [[1, 3, 5, 7, 9, 11, 12, 13], 'lines 1, 3, 5, 7, 9 and 3 more'],
  [[1, 2, 3, 5, 7, 9, 11, 12, 13], 'lines 1-3, 5, 7, 9 and 11-13'],
])('the lines %j are "%s"', (lines, text) => {
  expect(formatLines(lines)).toBe(text);
});

test('findings with the same message are a group, in the order of their first lines', () => {
  const rules = Array.from({ length: 27 }, (_, index) => `Disallow: /x/${index}\n`).join('');
  const findings = lint(
    parse(`Crawl-delay: 1\nUser-agent: *\nDisallow: /x\n${rules}Disallow: y\nCrawl-delay: 2\n`),
  );
  const groups = groupFindings(findings, ({ message }) => message);
  expect(groups.map(({ findings: [{ code }], lines }) => `${code}: ${lines}`)).toEqual([
    'partially-supported-record: lines 1 and 32',
    'redundant-rule: lines 4-30',
    'pattern-without-slash: line 31',
  ]);
  expect(groups.flatMap(({ findings: group }) => group).length).toBe(findings.length);
});

test('an HTML page is one finding', () => {
  const page = '<!doctype html>\n<title>Robots</title>\nUser-agent: x\nHost: y\nfont-size: 3px\nnoise\n';
  expect(lint(parse(page)).map(({ code }) => code)).toEqual(['html-content']);
});

test('a rule that is a full URL is not redundant as well', () => {
  const findings = lint(parse('User-agent: *\nDisallow: /a\nDisallow: https://a.example/b\n'));
  expect(findings.map(({ code, line }) => `${code} ${line}`)).toEqual(['url-as-pattern 3']);
});
