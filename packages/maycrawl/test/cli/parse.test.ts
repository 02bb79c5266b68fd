import { describe, expect, test } from 'vitest';
import { runHere } from '../support/run-here.ts';

const FILE = `Sitemap: https://a.example/s.xml
User-agent: Googlebot/2.1
Dissallow: /a # comment
Crawl-delay: 5
User-agent: 360Spider
`;

describe('parse', () => {
  test('text output shows groups, rules and findings', async () => {
    const { code, stdout, stderr } = await runHere(['parse', '-'], FILE);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`standard input (found; 120 bytes; profile google)

Group for Googlebot/2.1 (Google reads googlebot)
     3  disallow  /a
     4  Crawl-delay: 5

Group for 360Spider (Google reads no name)
        no rules

Sitemaps
     1  https://a.example/s.xml

Diagnostics
     2:22  warning  Google reads only "Googlebot" of "Googlebot/2.1"; other crawlers may compare the whole value. text-after-product-token
      3:1  warning  "Dissallow" is a misspelling that Google reads as "disallow"; other crawlers may ignore the line. misspelled-field-name
      4:1  info     "Crawl-delay" is not part of the Robots Exclusion Protocol, and does not affect decisions. unknown-field
     5:13  info     Google reads no name here: product tokens contain only letters, "_" and "-". A crawler that is named "360Spider" is expected to compare the whole name. extended-token
`);
  });

  test('JSON output has groups, rules and findings', async () => {
    const { code, stdout } = await runHere(['parse', '--json', '--profile', 'rfc9309', '-'], FILE);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      policy: { kind: 'rules' },
      profile: 'rfc9309',
      bytes: 120,
      truncated: false,
      groups: [
        {
          userAgents: [
            { productToken: 'googlebot', line: 2 },
            { productToken: '', line: 5 },
          ],
          rules: [],
        },
      ],
      sitemaps: [{ value: 'https://a.example/s.xml', line: 1, column: 1, valueColumn: 10 }],
      others: [{ field: 'Dissallow' }, { field: 'Crawl-delay', value: '5' }],
      diagnostics: [
        { code: 'text-after-product-token', severity: 'warning', line: 2, column: 22, length: 4 },
        {},
        {},
        {},
      ],
    });
  });

  test('records outside groups are shown', async () => {
    const { stdout } = await runHere(['parse', '-'], 'Host: example.com\nUser-agent: a\n');
    expect(stdout).toContain('Records in no group\n     1  Host: example.com\n');
  });

  test('control characters are escaped in text and in JSON', async () => {
    const hostile = 'User-agent: a\nDisallow: /\u009b31m\u202e\u2066\ufeff\x7f\u{e0041}\n';
    for (const options of [[], ['--json']]) {
      const { stdout } = await runHere(['parse', ...options, '-'], hostile);
      expect([...stdout].filter((char) => char !== '\n' && /\p{Cc}|\p{Cf}/u.test(char))).toEqual([]);
    }
    const { groups } = JSON.parse((await runHere(['parse', '--json', '-'], hostile)).stdout);
    expect(groups[0].rules[0].text).toBe('/\u009b31m\u202e\u2066\ufeff\x7f\u{e0041}');
  });

  test('invalid input is a one-line error with exit code 2', async () => {
    expect(await runHere(['parse', 'nope'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'maycrawl: cannot read nope: no such file\n',
    });
  });
});
