import { describe, expect, test } from 'vitest';
import { type Diagnostic, describeDiagnostic, diagnose, parse } from '../../../src/index.ts';
import { SEVERITIES } from '../../../src/model/diagnostics.ts';

const UA = 'User-agent: FooBot\n';
const bytes = (...parts: (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

/** A file and its diagnostics, each as `code line:column+length`. */
const ROWS: readonly [
  name: string,
  content: Uint8Array | string,
  expected: readonly string[],
  maxBytes?: number,
][] = [
  ['a file without problems', `${UA}Disallow: /x # c\n\nSitemap: https://a.example/s.xml\n`, []],
  ['an empty file', '', []],
  [
    'a file over the size limit',
    `${UA}Disallow: /abc\nDisallow: /def`,
    ['file-too-large 2:1+14'],
    UA.length + 14,
  ],
  [
    'a rule that the size limit cuts',
    `${UA}Disallow: /abc`,
    ['file-too-large 2:1+11', 'rule-truncated 2:1+11'],
    UA.length + 11,
  ],
  [
    'a cut between a rule and its comment',
    `${UA}Disallow: / # c\n`,
    ['file-too-large 2:1+11'],
    UA.length + 11,
  ],
  [
    'trailing white space that the size limit cuts',
    `${UA}Disallow: /  \n`,
    ['file-too-large 2:1+11'],
    UA.length + 11,
  ],
  ['a comment that the size limit cuts', `${UA}Disallow: / # abc`, ['file-too-large 2:1+15'], UA.length + 15],
  ['a byte order mark', bytes(0xef, 0xbb, 0xbf, UA), ['byte-order-mark 1:1+0']],
  ['a partial byte order mark', bytes(0xef, 0xbb, UA), ['partial-byte-order-mark 1:1+0']],
  [
    'an HTML page',
    '<!DOCTYPE html>\n<html lang="en">',
    [
      'html-content 1:1+15',
      'missing-colon 1:1+15',
      'unknown-field 1:1+9',
      'missing-colon 2:1+16',
      'unknown-field 2:1+5',
    ],
  ],
  ['an HTML page after blank lines', '\n\n<title>x\n', ['html-content 3:1+8', 'invalid-line 3:1+8']],
  ['bytes that are not UTF-8', bytes(UA, 'Disallow: /', 0xe9, '\n'), ['invalid-utf8 2:1+12']],
  [
    'a line over the limit',
    `${UA}Disallow: /${'x'.repeat(20_000)}`,
    [`line-too-long 2:16664+${20_011 - 16_663}`],
  ],
  ['a NUL', `${UA}Disallow: /a\0b`, ['nul-byte 2:13+2']],
  ['text that is not a record', `${UA}hello\n`, ['invalid-line 2:1+5']],
  ['three words', `${UA}  disallow /x y\n`, ['invalid-line 2:3+13']],
  ['an empty field name', `${UA} : /x\n`, ['empty-field-name 2:2+4']],
  ['a missing colon', `${UA}Disallow /x\n`, ['missing-colon 2:1+11']],
  ['a misspelling', `${UA}Dissallow: /x\n`, ['misspelled-field-name 2:1+9']],
  ['a misspelled user-agent', 'useragent: a\n', ['misspelled-field-name 1:1+9']],
  ['a field name with a suffix', `${UA}Disallowed: /x\n`, ['field-name-suffix 2:1+10']],
  [
    'a misspelled field name with a suffix',
    `${UA}site-maps: /x\n`,
    ['misspelled-field-name 2:1+9', 'field-name-suffix 2:1+9'],
  ],
  ['an unknown field', `${UA}Crawl-delay: 5\n`, ['unknown-field 2:1+11']],
  ['a rule before the first group', `Disallow: /x\n${UA}`, ['rule-before-group 1:1+12']],
  ['a user-agent value without product token', 'User-agent: 360Spider\n', ['invalid-product-token 1:13+9']],
  ['an empty user-agent value', 'User-agent:\n', ['invalid-product-token 1:12+0']],
  ['a product token with a version', 'User-agent: Googlebot/2.1\n', ['text-after-product-token 1:22+4']],
  ['text after the star', 'User-agent: * foo\n', ['text-after-product-token 1:14+4']],
  ['a star with text but no white space', 'User-agent: *foo\n', ['invalid-product-token 1:13+4']],
  ['a pattern without a slash', `${UA}Disallow: fish\n`, ['pattern-without-slash 2:11+4']],
  [
    'columns in UTF-16 code units',
    `${UA}Disallow: ツ𝒳x\0`,
    ['nul-byte 2:15+1', 'pattern-without-slash 2:11+4'],
  ],
];

const format = ({ code, line, column, length }: Diagnostic): string => `${code} ${line}:${column}+${length}`;

describe('diagnostics', () => {
  test.each(ROWS)('%s', (_name, content, expected, maxBytes) => {
    const robots = parse(content, maxBytes === undefined ? {} : { maxBytes });
    const diagnostics = diagnose(robots);
    expect(diagnostics.map(format)).toEqual(expected);
    for (const diagnostic of diagnostics) {
      expect(diagnostic.severity).toBe(SEVERITIES[diagnostic.code]);
      expect(describeDiagnostic(diagnostic)).toMatch(/^["A-Z].*\.$/s);
      expect(describeDiagnostic(diagnostic)).not.toContain('undefined');
    }
  });

  test('each code is tested', () => {
    const codes = new Set(ROWS.flatMap(([, , expected]) => expected.map((text) => text.split(' ')[0])));
    expect([...codes].sort()).toEqual(Object.keys(SEVERITIES).sort());
  });

  test('depend on the profile', () => {
    const codes = (profile: string, line: string): string[] =>
      diagnose(parse(UA + line, { profile })).map(({ code }) => code);
    expect(codes('rfc9309', 'Disallowed: /x')).toEqual(['unknown-field']);
    expect(codes('google-2013', 'Disallow: fish')).toEqual([]);
  });
});

test.each([
  ['the whole line', 'Disallow: /private\nx', 'Disallow: /private'],
  ['the last line', 'Disallow: /private', 'Disallow: /private'],
  ['one byte beyond the limit, as a client may store it', 'Disallow: /p', 'Disallow: /p…'],
  ['a line over 200 bytes', `Disallow: /${'p'.repeat(300)}`, `Disallow: /${'p'.repeat(200)}…`],
])('rule-truncated quotes the original rule: %s', (_name, line, written) => {
  const robots = parse(`${UA}${line}`, { maxBytes: UA.length + 'Disallow: /'.length });
  const cut = diagnose(robots).find(({ code }) => code === 'rule-truncated');
  expect(cut?.data).toEqual({ truncated: 'Disallow: /', written });
});
