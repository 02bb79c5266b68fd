import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { LogSummary } from '../../src/logs/summary/log-summary.ts';
import { ROOT, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const EXAMPLES = join(ROOT, 'examples/logs');
const LOG = join(EXAMPLES, 'access.log');
const SITE = ['--site', 'https://shop.example'];
const ROBOTS = ['--robots', join(EXAMPLES, 'robots')];
const RANGES = ['--ranges', join(EXAMPLES, 'ranges')];
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-logs-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function readSummary(args: readonly string[], input?: string | Uint8Array): Promise<LogSummary> {
  const { stdout, stderr } = await runHere(['logs', ...args, ...SITE, '--json'], input);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as LogSummary;
}

describe('maycrawl logs', () => {
  test('prints findings, crawlers and rules, as a process', async () => {
    const { stdout, stderr, code } = await run(['logs', LOG, ...SITE, ...ROBOTS, ...RANGES]);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toContain('16 lines: 14 of crawlers, 2 of other visitors, 0 not readable');
    expect(stdout).toContain(
      'error: 2 requests as GPTBot for URLs that line 3 disallows, 40 minutes after it fetched version 2026-11-20T10:00:00Z',
    );
    expect(stdout).toContain('warning: 2 requests as GPTBot from 1 network are not of OpenAI');
    expect(stdout).toMatch(/^GPTBot +ai-train +9 +7 +2 +2 +1 +2 +0 +2 times, last 2026-11-20T11:00:00Z$/m);
  });

  test('reads a pipe with a name once, such as <(zcat access.log.1.gz)', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const lines = readFileSync(LOG, 'utf8').repeat(200);
    createWriteStream(pipe).end(lines);
    const { lines: counts } = await readSummary([pipe, ...ROBOTS]);
    expect(counts).toMatchObject({ read: 3_200, crawlers: 2_800 });
  });

  test('reads the files that match a pattern', async () => {
    const line = readFileSync(LOG, 'utf8').split('\n')[0] ?? '';
    write('pattern.log', `${line}\n`);
    write('pattern.log.1.gz', gzipSync(`${line}\n`));
    write('pattern.txt', 'no log\n');
    const { lines } = await readSummary([join(folder, 'pattern.log*'), ...ROBOTS]);
    expect(lines.read).toBe(2);
  });

  test('prints the summary as JSON', async () => {
    const { crawlers, lines, from, to } = await readSummary([LOG, ...ROBOTS, ...RANGES]);
    expect({ lines, from, to }).toEqual({
      lines: { read: 16, parsed: 16, unparsed: 0, crawlers: 14, visitors: 2 },
      from: '2026-11-20T08:00:00Z',
      to: '2026-11-21T10:00:00Z',
    });
    expect(crawlers[0]).toMatchObject({
      crawler: 'GPTBot',
      robotsTxt: { obeys: 'yes', fetches: 2, statuses: { 200: 2 }, last: '2026-11-20T11:00:00Z' },
      identity: { verified: 7, spoofed: 2, unverifiable: 0, unchecked: 0 },
      classes: { 'robots-txt': 2, allowed: 2, grace: 1, violation: 2, outage: 0, exempt: 0 },
    });
    expect(crawlers[0]?.violations[0]).toEqual({
      time: '2026-11-20T11:40:00Z',
      url: 'https://shop.example/search?q=hats',
      line: 3,
      rule: '/search',
      version: '2026-11-20T10:00:00Z',
      read: 'yes',
    });
  });

  test('reads gzip, rotated files in any order, and standard input with equal results', async () => {
    const text = readFileSync(LOG, 'utf8');
    const lines = text.split('\n');
    const older = write('access.log.1.gz', gzipSync(`${lines.slice(0, 9).join('\n')}\n`));
    const newer = write('access.log', lines.slice(9).join('\n'));
    const expected = await readSummary([LOG, ...ROBOTS, ...RANGES]);
    expect(await readSummary([newer, older, ...ROBOTS, ...RANGES])).toEqual(expected);
    expect(await readSummary(['-', ...ROBOTS, ...RANGES], text)).toEqual(expected);
    expect(await readSummary(['-', ...ROBOTS, ...RANGES], gzipSync(text))).toEqual(expected);
  });

  test('one file counts as served always, and without versions requests are not judged', async () => {
    const robots = write('robots.txt', 'User-agent: *\nDisallow: /search\n');
    const [always] = (await readSummary([LOG, '--robots', robots])).crawlers;
    expect(always?.classes).toMatchObject({ grace: 0, violation: 4, 'unknown-version': 0 });
    const [unjudged] = (await readSummary([LOG])).crawlers;
    expect(unjudged?.classes).toMatchObject({ 'robots-txt': 2, 'unknown-version': 7 });
  });

  test('counts what another file would have stopped and opened', async () => {
    const other = write('other.txt', 'User-agent: *\nDisallow: /products\n');
    const { crawlers } = await readSummary([LOG, ...ROBOTS, '--what-if', other]);
    expect(crawlers.map(({ crawler, whatIf }) => [crawler, whatIf?.stopped, whatIf?.opened])).toEqual([
      ['GPTBot', 1, 4],
      ['bingbot', 2, 0],
      ['Wget', 0, 1],
    ]);
  });

  test.each([
    [[], 0],
    [['--fail-on', 'violation'], 1],
    [['--fail-on', 'spoofed'], 1],
    [['--fail-on', 'spoofed', '--agent', 'bingbot'], 0],
  ])('with %j the exit code is %i', async (args, expected) => {
    const { code } = await runHere(['logs', LOG, ...SITE, ...ROBOTS, ...RANGES, ...args]);
    expect(code).toBe(expected);
  });

  test.each([
    ['nginx', '# not GPTBot\ndeny 198.51.100.66;\n'],
    ['apache', '# not GPTBot\nRequire not ip 198.51.100.66\n'],
    ['cidr', '# not GPTBot\n198.51.100.66\n'],
  ])('prints the addresses of spoofed requests for %s', async (form, expected) => {
    const { stdout } = await runHere(['logs', LOG, ...SITE, ...ROBOTS, ...RANGES, '--block-list', form]);
    expect(stdout).toBe(expected);
  });

  test('writes tables as CSV', async () => {
    const out = join(folder, 'tables');
    await runHere(['logs', LOG, ...SITE, ...ROBOTS, ...RANGES, '--csv', out]);
    const read = (name: string): string[] => readFileSync(join(out, `${name}.csv`), 'utf8').split('\r\n');
    expect(read('crawlers')[1]).toBe(
      'GPTBot,OpenAI,ai-train,9,40528,7,2,0,0,2,2,1,2,0,0,0,2,2026-11-20T11:00:00Z',
    );
    expect(read('violations')[1]).toBe(
      'GPTBot,2026-11-20T11:40:00Z,https://shop.example/search?q=hats,3,/search,2026-11-20T10:00:00Z,yes',
    );
    expect(read('days')[1]).toBe('GPTBot,2026-11-20,7,2');
    expect(read('rules')[1]).toBe('https://shop.example,2026-11-20T10:00:00Z,3,disallow,/search,GPTBot,2');
    expect(read('findings')[1]).toContain('error,violation,GPTBot,2,');
  });

  test('writes the report as HTML', async () => {
    const html = join(folder, 'report.html');
    await runHere(['logs', LOG, ...SITE, ...ROBOTS, ...RANGES, '--html', html]);
    expect(readFileSync(html, 'utf8')).toContain('<title>shop.example – maycrawl logs</title>');
  });

  test('values of a log are only text in a terminal, in CSV and in JSON', async () => {
    const hostile = write(
      'hostile.log',
      `192.0.2.1 - - [20/Nov/2026:08:00:00 +0000] "GET /\\x1b[2J?=cmd|'/c calc'!A1&x=<script> HTTP/1.1" 200 5 "-" "Evil\u202eBot/1.0 (compatible; =HYPERLINK(1); +http://x)"\n`.repeat(
        3,
      ),
    );
    const robots = write('closed.txt', 'User-agent: *\nDisallow: /\n');
    const { stdout } = await runHere(['logs', hostile, ...SITE, '--robots', robots]);
    for (const character of ['\u001b', '\u202e']) expect(stdout).not.toContain(character);
    const { stdout: json } = await runHere(['logs', hostile, ...SITE, '--robots', robots, '--json']);
    for (const character of ['\u001b', '\u202e']) expect(json).not.toContain(character);
  });

  test.each([
    [[LOG], '--site is required: site of the log'],
    [[join(folder, 'missing.log'), ...SITE], 'no such file'],
    [[folder, ...SITE], 'it is a directory, not a file'],
    [[join(folder, '*.missing'), ...SITE], 'no file matches'],
    [[join(folder, 'missing', '*.log'), ...SITE], 'no such file'],
    [['-', '-', ...SITE], '- can stand for standard input only once'],
    [[LOG, ...SITE, '--format', 'combine'], 'did you mean "combined"?'],
    [[LOG, ...SITE, '--since', 'yesterday'], '--since must be a day such as 2026-11-20'],
    [[LOG, ...SITE, '--robots', folder], 'name each file by the time'],
    [[LOG, ...SITE, '--robots', 'x', '--watch-database', 'y'], 'use either --robots or --watch-database'],
    [[LOG, ...SITE, '--ranges', join(folder, 'no-ranges')], 'cannot read the folder'],
    [[LOG, ...SITE, '--dns', 'x', '--resolve'], 'use either --dns or --resolve'],
    [[LOG, ...SITE, '--agent', '*'], '--agent *: no request has this name'],
    [[LOG, ...SITE, '--agent', 'token:GPTBot'], '--agent token:GPTBot: no request has this name'],
    [[LOG, ...SITE, '--agent', 'Google-Extended'], '--agent Google-Extended: no request has this name'],
    [[LOG, ...SITE, '--fail-on', 'violation'], '--fail-on violation requires --robots'],
    [[LOG, ...SITE, ...ROBOTS, '--fail-on', 'spoofed'], '--fail-on spoofed requires --ranges'],
    [[LOG, ...SITE, '--watch-database', join(folder, 'no.sqlite')], 'no such file'],
    [[LOG, ...SITE, '--site', 'https://other.example'], 'the log names no hosts'],
    [[LOG, '--site', 'shop'], 'is neither a URL nor a host with a dot'],
  ])('%j is refused in one line', async (args, message) => {
    const { code, stderr, stdout } = await runHere(['logs', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('quotes the first lines if more than 1 % cannot be read', async () => {
    const broken = write('broken.log', `${readFileSync(LOG, 'utf8')}a broken line\nanother one\n`);
    const { code, stderr } = await runHere(['logs', broken, ...SITE, ...ROBOTS]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'maycrawl: 2 of 18 lines cannot be read: "a broken line", "another one"; name their format with --format\n',
    );
  });

  test('a log of another kind has an unknown format', async () => {
    const other = write('other.log', 'one\ntwo\nthree\n');
    const { code, stderr } = await runHere(['logs', other, ...SITE]);
    expect(code).toBe(2);
    expect(stderr).toContain('is unknown; name it with --format');
  });

  test('damaged gzip is an error that names the file', async () => {
    const damaged = write('damaged.log.gz', gzipSync(readFileSync(LOG)).subarray(0, 200));
    const { code, stderr } = await runHere(['logs', damaged, ...SITE]);
    expect(code).toBe(2);
    expect(stderr).toContain('its compressed data is damaged or cut off');
  });
});
