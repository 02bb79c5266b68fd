import { describe, expect, test } from 'vitest';
import { type Diagnostic, describeDiagnostic, diagnose, parse } from '../../../src/index.ts';
import { DIAGNOSTIC_KINDS } from '../../../src/model/diagnostics/diagnostic-kinds.ts';

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
  ['an HTML page', '<!DOCTYPE html>\n<html lang="en">\ncolor: red', ['html-content 1:1+15']],
  ['an HTML page after blank lines', '\n\n<title>x\n', ['html-content 3:1+8']],
  [
    'an HTML page with rules',
    `<!-- robots -->\ncolor: red\n${UA}Dissallow: /x\nnoise\n`,
    ['html-content 1:1+15', 'misspelled-field-name 4:1+9'],
  ],
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
  ['a misspelling that no parser accepts', `${UA}Disllow: /x\n`, ['unrecognized-field-name 2:1+7']],
  ['the same without a colon', `${UA}Disllow /x\n`, ['unrecognized-field-name 2:1+7']],
  ['an unknown field', `${UA}Crawl-delay: 5\n`, ['unknown-field 2:1+11']],
  [
    'an unresolved merge',
    `${UA}<<<<<<< HEAD\nDisallow: /a\n=======\nDisallow: /b\n>>>>>>> branch: b\n`,
    ['merge-conflict-marker 2:1+12'],
  ],
  [
    'an unresolved merge with the common version',
    `${UA}<<<<<<< a\n||||||| b\n=======\n>>>>>>> c\n=======\n`,
    ['merge-conflict-marker 2:1+9', 'invalid-line 6:1+7'],
  ],
  [
    'lines that are similar to markers',
    `${UA}<<<<<<<< a\n=======\n`,
    ['missing-colon 2:1+10', 'unknown-field 2:1+8', 'invalid-line 3:1+7'],
  ],
  ['a rule before the first group', `Disallow: /x\n${UA}`, ['rule-before-group 1:1+12']],
  ['a name that begins with digits', 'User-agent: 360Spider/2\n', ['extended-token 1:13+9']],
  ['a name with digits', 'User-agent: MJ12bot\n', ['extended-token 1:13+7']],
  ['a name with a dot', 'User-agent: archive.org_bot\n', ['extended-token 1:13+15']],
  ['a user-agent value of digits', 'User-agent: 2.0\n', ['invalid-product-token 1:13+3']],
  ['an empty user-agent value', 'User-agent:\n', ['invalid-product-token 1:12+0']],
  ['a product token with a version', 'User-agent: Googlebot/2.1\n', ['text-after-product-token 1:22+4']],
  ['text after the star', 'User-agent: * foo\n', ['text-after-product-token 1:14+4']],
  ['a star with text but no white space', 'User-agent: *foo\n', ['invalid-product-token 1:13+4']],
  ['a full URL as a pattern', `${UA}Disallow: HTTPS://a.example/x?y\n`, ['url-as-pattern 2:11+21']],
  ['a pattern that contains a URL', `${UA}Disallow: /http://a.example/x\nAllow: *://a\n`, []],
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
      expect(diagnostic.severity).toBe(DIAGNOSTIC_KINDS[diagnostic.code].severity);
      expect(describeDiagnostic(diagnostic)).toMatch(/^["A-Z].*[.?]$/s);
      expect(describeDiagnostic(diagnostic)).not.toContain('undefined');
    }
  });

  test('each code is tested', () => {
    const codes = new Set(ROWS.flatMap(([, , expected]) => expected.map((text) => text.split(' ')[0])));
    expect([...codes].sort()).toEqual(Object.keys(DIAGNOSTIC_KINDS).sort());
  });

  test('depend on the profile', () => {
    const codes = (profile: string, line: string): string[] =>
      diagnose(parse(UA + line, { profile })).map(({ code }) => code);
    expect(codes('rfc9309', 'Disallowed: /x')).toEqual(['unrecognized-field-name']);
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

test.each([
  [
    'MJ12bot',
    'Google reads only "MJ" here: product tokens contain only letters, "_" and "-". A crawler that is named "MJ12bot" is expected to compare the whole name.',
  ],
  [
    '360Spider',
    'Google reads no name here: product tokens contain only letters, "_" and "-". A crawler that is named "360Spider" is expected to compare the whole name.',
  ],
  [
    'Googlebot/2.1',
    'Google reads only "Googlebot" of "Googlebot/2.1"; other crawlers may compare the whole value.',
  ],
])('a message says what only Google does: %s', (value, message) => {
  expect(diagnose(parse(`User-agent: ${value}\n`)).map(describeDiagnostic)).toEqual([message]);
});

test.each([
  ['https://a.example/x', '/x'],
  ['https://a.example', '/'],
  ['http://a.example:8080?q=/1', '/?q=/1'],
])('a full URL as a pattern: the message has the path to write: %s', (url, path) => {
  const [diagnostic] = diagnose(parse(`${UA}Disallow: ${url}\n`)) as [Diagnostic];
  expect(describeDiagnostic(diagnostic)).toBe(
    `"${url}" is a full URL, so it matches nothing: a pattern is a path of this site. Write "${path}".`,
  );
});

test.each([
  ['<!doctype html>\nx: y', /It has no rules, so crawlers may fetch every URL/],
  [`<b>\n${UA}Disallow: /x\nAllow: /y`, /Crawlers ignore its markup, but its rules \(2\) apply/],
])('the message about an HTML page says whether it has rules: %j', (content, message) => {
  const [diagnostic] = diagnose(parse(content)) as [Diagnostic];
  expect(describeDiagnostic(diagnostic)).toMatch(message);
});

test.each([
  ['Disllow: /x', 'Disallow'],
  ['Dis-allow: /x', 'Disallow'],
  ['DISALLWO: /x', 'Disallow'],
  ['sallow: /x', 'Disallow'],
  ['Uesr-agent: a', 'User-agent'],
  ['User_agent: a', 'User-agent'],
  ['\u00a0User-agent: a', 'User-agent'],
  ['Sitmap: https://a.example/s.xml', 'Sitemap'],
  ['Stiemap: https://a.example/s.xml', 'Sitemap'],
  ['Allw: /x', 'Allow'],
  ['Alwo: /x', 'Allow'],
])('a misspelled field has a suggestion: %s', (line, name) => {
  const [diagnostic] = diagnose(parse(`${UA}${line}\n`)) as [Diagnostic];
  const field = line.split(':')[0];
  expect(describeDiagnostic(diagnostic)).toBe(
    `"${field}" is not a field name, so crawlers ignore the line. Did you mean "${name}"?`,
  );
});

test.each([
  'Follow: /x',
  'NoAllow: /x',
  'All: no rule',
  'Host: a',
  'Noindex: /x',
  'Agent: a',
  'Site: a',
  'https://a.example/',
])('a field with another meaning has no suggestion: %s', (line) => {
  expect(diagnose(parse(`${UA}${line}\n`)).map(({ code }) => code)).toEqual(['unknown-field']);
});

test('all merge conflict markers are one diagnostic, which names their lines', () => {
  const conflict = '<<<<<<< HEAD\nDisallow: /a\n=======\nDisallow: /b\n>>>>>>> b\n';
  const [diagnostic] = diagnose(parse(`${UA}${conflict}${conflict}`)) as [Diagnostic];
  expect(describeDiagnostic(diagnostic)).toBe(
    'The file contains merge conflict markers (lines 2, 4, 6, 7, 9 and 1 more). Crawlers ignore the markers and read both versions of the lines between them. Keep one version, and remove the markers.',
  );
});
