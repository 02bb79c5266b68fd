import { describe, expect, test } from 'vitest';
import { type Diagnostic, describeDiagnostic, diagnose, parse } from '../../../src/index.ts';
import { SEVERITIES } from '../../../src/model/diagnostics.ts';

const UA = 'User-agent: FooBot\n';
const bytes = (...parts: (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

/** One row for each oddity: the file, and the findings as `code line:column+length`. */
const ROWS: readonly [
  name: string,
  content: Uint8Array | string,
  findings: readonly string[],
  maxBytes?: number,
][] = [
  ['a clean file', `${UA}Disallow: /x # c\n\nSitemap: https://a.example/s.xml\n`, []],
  ['an empty file', '', []],
  ['more bytes than count', `${UA}Disallow: /abc\nDisallow: /def`, ['file-too-large 2:1+14'], UA.length + 14],
  [
    'a rule that the limit cuts',
    `${UA}Disallow: /abc`,
    ['file-too-large 2:1+11', 'rule-cut 2:1+11'],
    UA.length + 11,
  ],
  [
    'a rule whose comment the limit cuts',
    `${UA}Disallow: / # c\n`,
    ['file-too-large 2:1+11'],
    UA.length + 11,
  ],
  ['white space that the limit cuts', `${UA}Disallow: /  \n`, ['file-too-large 2:1+11'], UA.length + 11],
  ['a comment that the limit cuts', `${UA}Disallow: / # abc`, ['file-too-large 2:1+15'], UA.length + 15],
  ['a byte order mark', bytes(0xef, 0xbb, 0xbf, UA), ['byte-order-mark 1:1+0']],
  ['a partial byte order mark', bytes(0xef, 0xbb, UA), ['partial-byte-order-mark 1:1+0']],
  [
    'a page instead of a file',
    '<!DOCTYPE html>\n<html lang="en">',
    [
      'html-content 1:1+15',
      'missing-colon 1:1+15',
      'unknown-field 1:1+9',
      'missing-colon 2:1+16',
      'unknown-field 2:1+5',
    ],
  ],
  ['a page behind blank lines', '\n\n<title>x\n', ['html-content 3:1+8', 'no-record 3:1+8']],
  ['bytes that are not UTF-8', bytes(UA, 'Disallow: /', 0xe9, '\n'), ['invalid-utf8 2:1+12']],
  [
    'a line over the limit',
    `${UA}Disallow: /${'x'.repeat(20_000)}`,
    [`line-too-long 2:16664+${20_011 - 16_663}`],
  ],
  ['a NUL', `${UA}Disallow: /a\0b`, ['nul-byte 2:13+2']],
  ['text that is no record', `${UA}hello\n`, ['no-record 2:1+5']],
  ['three words', `${UA}  disallow /x y\n`, ['no-record 2:3+13']],
  ['nothing before the colon', `${UA} : /x\n`, ['empty-field 2:2+4']],
  ['no colon', `${UA}Disallow /x\n`, ['missing-colon 2:1+11']],
  ['a misspelling', `${UA}Dissallow: /x\n`, ['misspelt-field 2:1+9']],
  ['a misspelt user-agent', 'useragent: a\n', ['misspelt-field 1:1+9']],
  ['a longer word', `${UA}Disallowed: /x\n`, ['surplus-in-field 2:1+10']],
  ['both', `${UA}site-maps: /x\n`, ['misspelt-field 2:1+9', 'surplus-in-field 2:1+9']],
  ['a record of others', `${UA}Crawl-delay: 5\n`, ['unknown-field 2:1+11']],
  ['a rule before any group', `Disallow: /x\n${UA}`, ['rule-outside-group 1:1+12']],
  ['a name that is none', 'User-agent: 360Spider\n', ['agent-names-nobody 1:13+9']],
  ['no name', 'User-agent:\n', ['agent-names-nobody 1:12+0']],
  ['a name with a version', 'User-agent: Googlebot/2.1\n', ['surplus-in-agent 1:22+4']],
  ['more after the star', 'User-agent: * foo\n', ['surplus-in-agent 1:14+4']],
  ['a star that is none', 'User-agent: *foo\n', ['agent-names-nobody 1:13+4']],
  ['a pattern without a slash', `${UA}Disallow: fish\n`, ['pattern-without-slash 2:11+4']],
  [
    'columns count as editors do',
    `${UA}Disallow: ツ𝒳x\0`,
    ['nul-byte 2:15+1', 'pattern-without-slash 2:11+4'],
  ],
];

const short = ({ code, line, column, length }: Diagnostic): string => `${code} ${line}:${column}+${length}`;

describe('diagnostics', () => {
  test.each(ROWS)('%s', (_name, content, findings, maxBytes) => {
    const robots = parse(content, maxBytes === undefined ? {} : { maxBytes });
    const found = diagnose(robots);
    expect(found.map(short)).toEqual(findings);
    for (const diagnostic of found) {
      expect(diagnostic.severity).toBe(SEVERITIES[diagnostic.code]);
      expect(describeDiagnostic(diagnostic)).toMatch(/^["A-Z].*\.$/s);
      expect(describeDiagnostic(diagnostic)).not.toContain('undefined');
    }
  });

  test('every code has a row', () => {
    const shown = new Set(ROWS.flatMap(([, , findings]) => findings.map((finding) => finding.split(' ')[0])));
    expect([...shown].sort()).toEqual(Object.keys(SEVERITIES).sort());
  });

  test('follow the profile', () => {
    const codes = (profile: string, line: string): string[] =>
      diagnose(parse(UA + line, { profile })).map(({ code }) => code);
    expect(codes('rfc9309', 'Disallowed: /x')).toEqual(['unknown-field']);
    expect(codes('google-2013', 'Disallow: fish')).toEqual([]);
  });
});

test.each([
  ['the whole line', 'Disallow: /private\nx', 'Disallow: /private'],
  ['the last line', 'Disallow: /private', 'Disallow: /private'],
  ['one byte more than counts, as a fetch keeps it', 'Disallow: /p', 'Disallow: /p…'],
  ['a very long line', `Disallow: /${'p'.repeat(300)}`, `Disallow: /${'p'.repeat(200)}…`],
])('a rule that the size limit cuts is quoted as far as it is known: %s', (_what, line, written) => {
  const robots = parse(`${UA}${line}`, { maxBytes: UA.length + 'Disallow: /'.length });
  const cut = diagnose(robots).find(({ code }) => code === 'rule-cut');
  expect(cut?.data).toEqual({ left: 'Disallow: /', written });
});
