import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse, resolveAgent } from '@maycrawl/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { createVerdictReport } from '../../src/batch/judge.ts';
import { UrlListJudge } from '../../src/batch/url-list.ts';
import { toJson } from '../../src/text/printable.ts';
import { BIN, ROOT } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

let folder = '';
let robots = '';
const ROBOTS = 'User-agent: *\nDisallow: /private\nAllow: /private/press\nDisallow: /*.pdf$\n';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-'));
  robots = join(folder, 'robots.txt');
  writeFileSync(robots, ROBOTS);
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe('check --urls', () => {
  test.each([
    [
      'a sitemap',
      '\ufeff<urlset><url><loc>/private/a</loc></url><url><loc>\n/x?a&amp;b\n</loc></url></urlset>',
    ],
    [
      'RSS',
      '<rss><channel><item><link>/private/a</link></item><item><link>/x?a&amp;b</link></item></channel></rss>',
    ],
    ['Atom', '<feed><entry><link href="/private/a"/></entry><entry><link href="/x?a&amp;b"/></entry></feed>'],
    ['lines, compressed', gzipSync('/private/a\n/x?a&b')],
  ])('%s in place of lines', async (_name, content) => {
    const expected = 'disallowed\t2\tGooglebot\t/private/a\nallowed\t-\tGooglebot\t/x?a&b\n';
    const args = ['check', '--robots', robots, '--urls'];
    expect(await runHere([...args, write('sitemap', content)])).toMatchObject({ code: 1, stdout: expected });
    if (typeof content === 'string')
      expect(await runHere([...args, '-'], content)).toMatchObject({ code: 1, stdout: expected });
    const site = await serve((_request, response) => response.end(content));
    try {
      expect(await runHere([...args, site.origin])).toMatchObject({ code: 1, stdout: expected });
    } finally {
      await site.close();
    }
  });

  test('a truncated sitemap is an error, and so is a URL that does not respond', async () => {
    const args = ['check', '--robots', robots, '--urls'];
    const half = await runHere([...args, write('half', '<urlset><url><loc>/a</loc></url>')]);
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining('inside an element') });
    const missing = await runHere([...args, 'http://127.0.0.1:1/sitemap.xml']);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot fetch http://127.0.0.1:1/'),
    });
  });

  test('text output has verdict, line, crawler and URL, separated by tabs', async () => {
    const list = write(
      'list',
      '\ufeffhttps://example.com/private/a\r\n\n  /private/press \n/x\nhttp://[/\n/a.pdf',
    );
    const { code, stdout, stderr } = await runHere(['check', '--robots', robots, '--urls', list]);
    expect(stdout.split('\n')).toEqual([
      'disallowed\t2\tGooglebot\thttps://example.com/private/a',
      'allowed\t3\tGooglebot\t/private/press',
      'allowed\t-\tGooglebot\t/x',
      'no-answer\t-\tGooglebot\thttp://[/',
      'disallowed\t4\tGooglebot\t/a.pdf',
      '',
    ]);
    expect(stderr).toMatch(/^maycrawl: 2 allowed, 2 disallowed, 1 without a verdict, in \d+\.\d s\n$/);
    expect(code).toBe(2);
  });

  test.each([
    ['/x\n/y\n', 0],
    ['/x\n/private\n', 1],
    ['', 0],
  ])('exit code for %j', async (urls, expected) => {
    const { code } = await runHere(['check', '--robots', robots, '--urls', '-'], urls);
    expect(code).toBe(expected);
  });

  test('several crawlers, and the same JSON as without a list', async () => {
    const args = ['--robots', robots, '--agent', 'a', '--agent', 'b', '--json'];
    const listed = await runHere(['check', ...args, '--urls', '-'], '/private/é\n/x\n');
    const named = await runHere(['check', ...args, '/private/é', '/x']);
    expect(listed.stdout).toBe(named.stdout);
    expect(listed.stdout.split('\n').length).toBe(5);
    expect(listed.code).toBe(1);
  });

  test('the common part of many results is serialized once', () => {
    const source = { name: 'robots.txt', policy: { kind: 'rules' }, hops: [] } as const;
    const crawlers = ['a', 'Googlebot'].map(resolveAgent);
    const urls = ['/', '/private/a"b', '/private/press', '/x.pdf', '/é', 'http://[/'];
    const list = Buffer.from(`${urls.join('\n')}\n`.repeat(100));
    const job = { ...{ source, crawlers, profile: 'google', normalize: true, json: true } };
    const judge = new UrlListJudge({ kind: 'urls', ...job, content: Buffer.from(ROBOTS) });
    const stringify = vi.spyOn(JSON, 'stringify');
    const results = [...judge.judge(list)].map(({ text }) => text).join('');
    const objects = stringify.mock.calls.filter(([value]) => typeof value === 'object').length;
    stringify.mockRestore();
    const robots = parse(ROBOTS);
    const full = { ...source, robots, policy: { kind: 'rules', robots } } as const;
    const expected = urls.flatMap((url) =>
      crawlers.map((crawler) => {
        const verdict = full.robots.ruleset(crawler.crawler).decide(url);
        return `${toJson(createVerdictReport({ url, crawler, source: full, verdict }))}\n`;
      }),
    );
    expect(results === expected.join('').repeat(100)).toBe(true);
    // Each crawler has a result for each of four lines; the last URL has no result.
    expect(objects).toBe(2 * (4 + 100));
  });

  test('the result of a URL does not depend on the lines around it', () => {
    const source = { name: 'robots.txt', policy: { kind: 'rules' }, hops: [] } as const;
    const crawlers = [resolveAgent('a')];
    const urls = ['/private/a', 'https://h.example/x.pdf', '/a/../b', '/<', 'HTTP://H.example/%7e'];
    const job = { source, crawlers, profile: 'google', normalize: true, json: true };
    const judge = new UrlListJudge({ kind: 'urls', ...job, content: Buffer.from(ROBOTS) });
    const getResults = (list: string): string =>
      [...judge.judge(Buffer.from(list))].map(({ text }) => text).join('');
    const list = `${urls.join('\n')}\n`;
    expect(getResults(`${list}/"\n`).startsWith(getResults(list))).toBe(true);
  });

  test('control characters in the list are escaped, and bytes that are not text are reported', async () => {
    const bytes = Buffer.concat([
      Buffer.from('/x\u001b[31m\n/\u202e\n'),
      Buffer.from([0x2f, 0xff, 0x0a]),
      Buffer.from(`/${'a'.repeat(1_100_000)}\n/y`),
    ]);
    const { code, stdout } = await runHere(['check', '--robots', robots, '--urls', '-'], bytes);
    expect(stdout.split('\n')).toEqual([
      'allowed\t-\tGooglebot\t/x\\x1b[31m',
      'allowed\t-\tGooglebot\t/\\u{202e}',
      'no-answer\t-\tGooglebot\ta line that is not UTF-8: /\ufffd',
      'no-answer\t-\tGooglebot\ta line longer than 1048576 bytes',
      'allowed\t-\tGooglebot\t/y',
      '',
    ]);
    expect(code).toBe(2);
  });

  test.each([
    ['both', ['--robots', 'README.md', '--urls', 'x', '/a'], /give either URLs or --urls FILE/],
    ['no robots.txt', ['--urls', 'x'], /--urls requires --robots/],
    ['standard input twice', ['--robots', '-', '--urls', '-'], /standard input cannot be both/],
    ['no such file', ['--robots', 'README.md', '--urls', 'no-such'], /cannot read no-such: no such file/],
    ['a directory', ['--robots', 'README.md', '--urls', 'docs'], /cannot read docs: it is a directory/],
  ])('%s: a one-line error with exit code 2', async (_name, args, message) => {
    const { code, stdout, stderr } = await runHere(['check', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n').length).toBe(1);
  });
});

/** Enough URLs that other threads take part. */
const MANY = 200_000;
const getUrl = (index: number): string =>
  `https://example.com/${index % 3 === 0 ? 'private' : 'public'}/${index}${index % 5 === 0 ? '.pdf' : '/x'}`;

test('a long list has results in input order, equal to those of the library', async () => {
  const list = Array.from({ length: MANY }, (_, index) => getUrl(index));
  const { code, stdout } = await runHere(
    ['check', '--robots', robots, '--urls', '-'],
    `${list.join('\n')}\n`,
  );
  const ruleset = parse(ROBOTS).ruleset('Googlebot');
  const expected = list.map((url) => {
    const verdict = ruleset.decide(url);
    if (verdict.kind === 'out-of-scope') throw new Error(url);
    return `${verdict.kind}\t${verdict.line || '-'}\tGooglebot\t${url}\n`;
  });
  expect(stdout === expected.join('')).toBe(true);
  expect(code).toBe(1);
});

test('a long pipe of questions has results in input order, including errors', async () => {
  const pad = '#'.repeat(200);
  const questions = Array.from({ length: 60_000 }, (_, id) =>
    id % 1000 === 7
      ? '{"id":'
      : JSON.stringify({ id, robots: `${ROBOTS}${pad}${id % 50}`, agent: 'a', url: getUrl(id) }),
  );
  const { code, stdout } = await runHere(['batch'], questions.join('\n'));
  const results = stdout.trimEnd().split('\n');
  expect(results.length).toBe(questions.length);
  const ruleset = parse(ROBOTS).ruleset('a');
  const wrong = results.filter((text, id) => {
    const result = JSON.parse(text) as { id?: number; allowed?: boolean; line?: number; error?: object };
    if (id % 1000 === 7) return result.error === undefined;
    const verdict = ruleset.decide(getUrl(id));
    if (verdict.kind === 'out-of-scope') return true;
    return result.id !== id || result.allowed !== verdict.allowed || result.line !== verdict.line;
  });
  expect(wrong).toEqual([]);
  expect(code).toBe(2);
});

test('after an interrupt the lines read have complete results', async () => {
  const child = spawn(process.execPath, [BIN, 'check', '--robots', robots, '--urls', '-'], {
    cwd: ROOT,
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on('error', () => {});
  // Several threads are busy at the interrupt, and the input does not end.
  const urls = Array.from({ length: MANY }, (_, index) => `${getUrl(index)}\n`).join('');
  child.stdin.write(urls);
  await expect.poll(() => stdout.length > 7_000_000).toBe(true);
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(2);
  expect(stderr).toMatch(/^maycrawl: stopped: [\d,]+ allowed, [\d,]+ disallowed, 0 without a verdict/);
  expect(stdout.endsWith('\n')).toBe(true);
});

test('an interrupt ends the command while it reads a named pipe without a writer', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const child = spawn(process.execPath, [BIN, 'check', '--robots', robots, '--urls', pipe], { cwd: ROOT });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  // Opens both ends, so that opening does not block and the pipe has no end of file.
  const writer = await open(pipe, 'r+');
  await writer.write('/private\n');
  await expect.poll(() => stdout).toBe('disallowed\t2\tGooglebot\t/private\n');
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number | null];
  await writer.close();
  expect(code).toBe(2);
});

test('an interrupt ends the command while it waits for a sitemap', async () => {
  let requested = (): void => {};
  const isRequested = new Promise<void>((resolve) => {
    requested = resolve;
  });
  const silent = await serve(({ url }, response) => {
    if (url === '/index') {
      const names = ['first', 'silent'].map(
        (name) => `<sitemap><loc>${silent.origin}/${name}</loc></sitemap>`,
      );
      response.end(`<sitemapindex>${names.join('')}</sitemapindex>`);
    } else if (url === '/first') response.end(`${silent.origin}/private\n`);
    else requested();
  });
  const list = ['--urls', `${silent.origin}/index`, '--timeout', '1h'];
  const child = spawn(process.execPath, [BIN, 'check', '--robots', robots, ...list], { cwd: ROOT });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  await isRequested;
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number | null];
  await silent.close();
  expect([code, stdout.split('\t')[0]]).toEqual([2, 'disallowed']);
});

test('many crawlers: the many results of one line come in pieces', () => {
  const crawlers = Array.from({ length: 500 }, (_, index) => ({
    name: `bot${'x'.repeat(index)}`,
    crawler: `bot${'x'.repeat(index)}`,
  }));
  const judge = new UrlListJudge({
    kind: 'urls',
    source: { name: 'robots.txt', policy: { kind: 'rules' }, hops: [] },
    content: Buffer.from(ROBOTS),
    profile: 'google',
    crawlers,
    normalize: true,
    json: true,
  });
  let results = 0;
  for (const piece of judge.judge(Buffer.from('/private\n'.repeat(100)))) {
    results += piece.disallowed;
    expect(piece.text.length).toBeLessThan(300_000);
  }
  expect(results).toBe(50_000);
});
