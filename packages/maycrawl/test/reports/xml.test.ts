import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import { formatJunit } from '../../src/reports/junit.ts';
import { escapeXml, formatXml } from '../../src/reports/xml.ts';

/** The characters that XML 1.0 allows in a document (section 2.2). */
const CHARACTERS = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

describe('XML', () => {
  test.each([
    ['markup', '<a b="c">&\'', "&lt;a b=&quot;c&quot;&gt;&amp;'"],
    ['the end of a CDATA section', ']]>', ']]&gt;'],
    ['line ends', '\n\r\n', '\n&#13;\n'],
    ['control characters', '\0\x08\x1b\x7f', '\ufffd\ufffd\ufffd\x7f'],
    ['code points that are no characters', '\ufffe\uffff', '\ufffd\ufffd'],
    ['halves of surrogate pairs', '\ud83d \ude00 😀', '\ufffd \ufffd 😀'],
  ])('%s', (_name, text, escaped) => {
    expect(escapeXml(text)).toBe(escaped);
  });

  test('a parser reads back elements, attributes and text', () => {
    const xml = formatXml({
      name: 'a',
      attributes: { b: 'x\n\t"y"<', c: 1 },
      content: [{ name: 'd', content: ' e\n' }, { name: 'f' }, { name: 'g', content: [] }],
    });
    expect(xml).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<a b="x&#10;&#9;&quot;y&quot;&lt;" c="1">\n  <d> e\n</d>\n  <f/>\n  <g/>\n</a>\n',
    );
    expect(XMLValidator.validate(xml)).toBe(true);
  });

  test('the document is well-formed with any text', () => {
    const anyText = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 });
    fc.assert(
      fc.property(anyText, (units) => {
        const text = String.fromCharCode(...units);
        const xml = formatXml({ name: 'a', attributes: { b: text }, content: text });
        expect(xml).toMatch(CHARACTERS);
        expect(XMLValidator.validate(xml)).toBe(true);
      }),
      { numRuns: getFuzzRuns(1_000) },
    );
  });
});

test('JUnit contains no character that XML forbids', () => {
  const xml = formatJunit('\ufffe', [
    { name: '\uffff', className: 'a\0', problem: { kind: 'failure', message: '\ufffe', text: '\ud800' } },
    { name: 'b', className: 'c', problem: { kind: 'error', message: 'd' } },
    { name: 'e', className: 'f' },
  ]);
  expect(xml).toMatch(CHARACTERS);
  const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(xml);
  expect(testsuites.testsuite).toMatchObject({ name: '\ufffd', tests: '3', failures: '1', errors: '1' });
});
