import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CRAWLER_RECORDS } from '@maycrawl/core/crawlers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../support/run-here.ts';

const OWN = {
  token: 'ExampleBot',
  operator: 'Example\u001b[31m',
  kind: 'crawler',
  purposes: ['ai-train'],
  robotsTxt: 'own-group-only',
  description: 'Collects partner sites.',
  sources: [],
};

let folder: string;
const write = (name: string, value: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-crawlers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('crawlers', () => {
  test('lists the catalogue', async () => {
    const { code, stdout, stderr } = await runHere(['crawlers']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^crawler +operator +kind +purposes +robots\.txt$/);
    expect(rows).toHaveLength(CRAWLER_RECORDS.length);
    expect(stdout).toMatch(/^Googlebot-Image +Google +crawler +search +its group, else Googlebot, else \*$/m);
    expect(stdout).toMatch(/^AdsBot-Google +Google +crawler +ads +only its group$/m);
    expect(stdout).toMatch(/^anthropic-ai +Anthropic +crawler, retired +ai-train +not documented$/m);
    expect(stdout).toMatch(/^Jetbot +Jetslide +crawler +- +not documented$/m);
  });

  test('--json prints the records with the crawlers for verdicts', async () => {
    const { code, stdout } = await runHere(['crawlers', '--json']);
    expect(code).toBe(0);
    const all: { name: string }[] = JSON.parse(stdout);
    expect(all).toHaveLength(CRAWLER_RECORDS.length);
    expect(all).toContainEqual({
      name: 'AdsBot-Google',
      token: 'AdsBot-Google',
      operator: 'Google',
      kind: 'crawler',
      purposes: ['ads'],
      robotsTxt: 'own-group-only',
      description: expect.any(String),
      tokens: ['AdsBot-Google'],
      obeys: 'own-rules',
      header: 'AdsBot-Google',
      source: expect.stringMatching(/^https:/),
      sources: [expect.objectContaining({ kind: 'copy', date: '2026-11-23' })],
      documented: expect.objectContaining({ crawlDelay: 'ignores', robotsTxt: 'obeys', card: null }),
    });
  });

  test('prints what is documented about named crawlers, regardless of case', async () => {
    const { code, stdout, stderr } = await runHere(['crawlers', 'amazonbot', 'GPTBot']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Amazonbot \(Amazon\): /);
    expect(stdout).toContain(
      'After a 4xx response to /robots.txt, except 429: the last successful response applies, or without one all URLs are allowed, after 30 days all URLs are allowed.\n',
    );
    expect(stdout).toContain('It ignores Crawl-delay.\n');
    expect(stdout).toContain('Its requests can be verified by reverse DNS (*.crawl.amazonbot.amazon).\n');
    expect(stdout).toContain(
      'Its requests can be verified by the addresses in https://openai.com/gptbot.json.\n',
    );
    expect(stdout).toMatch(/^ {2}sources {5}https:/m);
  });

  test('--json of a named crawler has the record of its operator, and null without one', async () => {
    const file = write('alone.json', { crawlers: [OWN] });
    const { stdout } = await runHere(['crawlers', 'bingbot', 'ExampleBot', '--crawlers', file, '--json']);
    expect(JSON.parse(stdout)).toMatchObject([
      { token: 'bingbot', documented: { crawlDelay: 'inherits-default', cachePeriod: 86_400_000 } },
      { token: 'ExampleBot', documented: { verification: [], robotsTxt: 'unknown' } },
    ]);
  });

  test('describes the records of a file, in visible characters', async () => {
    const operators = [
      {
        operator: OWN.operator,
        verification: [{ dns: ['*.bot.example'] }],
        cachePeriod: 5_400_000,
        sources: [],
      },
    ];
    const file = write('operators.json', { crawlers: [OWN], operators });
    const { stdout } = await runHere(['crawlers', 'ExampleBot', '--crawlers', file]);
    expect(stdout).toContain('It uses a fetched robots.txt for up to 1 hour 30 minutes.\n');
    expect(stdout).toContain('reverse DNS (*.bot.example)');
    expect(stdout).not.toContain('\u001b');
  });

  test.each([
    ['--purpose ai-train --operator openai', ['GPTBot']],
    ['--purpose plagiarism --purpose archive --kind software', ['heritrix', 'HTTrack']],
    ['--kind policy-token', ['__usage_ai-training', 'Applebot-Extended', 'Google-Extended']],
    ['--kind policy-token --kind software --operator Google', ['Google-Extended']],
    ['--kind software --operator OpenAI', []],
  ])('%s', async (options, tokens) => {
    const { code, stdout } = await runHere(['crawlers', '--json', ...options.split(' ')]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).map(({ token }: { token: string }) => token)).toEqual(tokens);
  });
});

describe('--crawlers', () => {
  test('adds records, and replaces those with the same name', async () => {
    const file = write('own.json', { crawlers: [OWN, { ...OWN, token: 'gptbot' }] });
    const { code, stdout } = await runHere(['crawlers', '--crawlers', file, '--purpose', 'ai-train']);
    expect(code).toBe(0);
    // Control characters are visible, so that a file cannot change the terminal.
    expect(stdout).toMatch(/^ExampleBot +Example\\x1b\[31m +crawler +ai-train +only its group$/m);
    expect(stdout).toMatch(/^gptbot +Example\\x1b/m);
    expect(stdout).not.toMatch(/^GPTBot /m);
    expect(stdout).not.toContain('\u001b');
  });

  test('finds an operator of the file', async () => {
    const file = write('operator.json', { crawlers: [{ ...OWN, operator: 'Ours' }] });
    const { stdout } = await runHere(['crawlers', '--crawlers', file, '--operator', 'ours', '--json']);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });

  test.each<[string, unknown, RegExp]>([
    ['not JSON', '{', /^maycrawl: cannot read [^\n]*: [^\n]*JSON[^\n]*\n$/],
    ['another form', [], /: the catalogue must be an object\n$/],
    [
      'a wrong value',
      { crawlers: [OWN, { ...OWN, purposes: ['x'] }] },
      /: the catalogue\.crawlers\[1\]\.purposes\[0\] must be one of search, [^\n]*plagiarism\n$/,
    ],
    [
      'an unknown property with control characters',
      { crawlers: [{ ...OWN, '\u001b]0;x\u0007': 1 }] },
      /: the catalogue\.crawlers\[0\] must be an object without "\\u001b\]0;x\\u0007"\n$/,
    ],
    ['a name twice', { crawlers: [OWN, OWN] }, /\[1\] has the same token as \[0\]: ExampleBot\n$/],
    ['more than 1 MB', ' '.repeat(1_000_001), /: it has more than 1000000 bytes\n$/],
  ])('%s is an error in one line', async (name, value, message) => {
    const { code, stdout, stderr } = await runHere(['crawlers', '--crawlers', write(`${name}.json`, value)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.split('\n')).toHaveLength(2);
  });
});

test.each([
  ['--crawlers nope', 'maycrawl: cannot read nope: no such file\n'],
  ['Nope', 'maycrawl: the catalogue has no crawler Nope: "maycrawl crawlers" lists the names\n'],
  ['--operator Nope', 'maycrawl: --operator: the catalogue has no crawlers of Nope\n'],
  [
    '--kind robot',
    'maycrawl: --kind must be one of crawler, user-triggered-fetcher, policy-token, software, not robot\n',
  ],
])('%s is an error in one line', async (options, message) => {
  expect(await runHere(['crawlers', ...options.split(' ')])).toEqual({
    code: 2,
    stdout: '',
    stderr: message,
  });
});

test('an unknown purpose is an error that lists the purposes', async () => {
  const { code, stderr } = await runHere(['crawlers', '--purpose', '\u001b[2J']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^maycrawl: --purpose must be one of search, ai-train, .*, not \\x1b\[2J\n$/);
});
