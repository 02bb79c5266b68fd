import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const OLD = 'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\n';
const NEW = 'User-agent: *\nDisallow: /a\nDisallow: /*.pdf$\n\nUser-agent: GPTBot\nDisallow: /\n';
const FORMATTED = '# The same\nUSER-AGENT:*\nallow:/a/b\ndisallow : /*.pdf$ # all\nDisallow: /a\n\n';

let folder = '';
const files: Record<string, string> = {};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-diff-'));
  for (const [name, content] of Object.entries({ old: OLD, new: NEW, formatted: FORMATTED })) {
    files[name] = join(folder, `${name}.txt`);
    writeFileSync(files[name], content);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const diff = (...args: string[]) => runHere(['diff', ...args.map((arg) => files[arg] ?? arg)]);

describe('the output starts with the conclusion', () => {
  test('identical files', async () => {
    expect(await diff('old', 'old')).toMatchObject({
      code: 0,
      stdout: 'The files are the same.\n',
      stderr: '',
    });
  });

  test('a different form with the same verdicts', async () => {
    const { code, stdout } = await diff('old', 'formatted');
    expect(stdout).toBe('Same for every crawler and URL: only formatting changed.\n');
    expect(code).toBe(0);
  });

  test('changes have examples and the deciding rules', async () => {
    const { code, stdout } = await diff('old', 'new');
    expect(stdout).toMatch(
      /^Googlebot and \d+ others: newly blocked in 1 case\nGPTBot: newly blocked in 2 cases\n/,
    );
    expect(stdout).toMatch(/newly blocked {2}\/a\/b +line 3: allow \/a\/b +line 2: disallow \/a\n/);
    expect(stdout).toMatch(/newly blocked {2}\/ +no rule +line 6: disallow \/\n/);
    expect(code).toBe(1);
  });

  test('changes for one crawler, in JSON', async () => {
    const { code, stdout } = await diff('new', 'old', '--agent', 'gptbot', '--json');
    expect(JSON.parse(stdout)).toEqual({
      equivalent: false,
      changes: [
        {
          ...{ agent: 'GPTBot', direction: 'allowed', example: '/' },
          ...{ before: { line: 6, rule: 'disallow: /' }, after: null },
        },
        {
          ...{ agent: 'GPTBot', direction: 'allowed', example: '/a/b' },
          ...{ before: { line: 6, rule: 'disallow: /' }, after: { line: 3, rule: 'allow: /a/b' } },
        },
      ],
      preferences: {
        ...{ equivalent: true, changes: [], licenses: [], sentences: [] },
        wording: { added: [], removed: [] },
      },
    });
    expect(code).toBe(1);
  });

  test('changed declarations do not change the exit code', async () => {
    const [d1, d2] = ['User-agent: *\nAllow: /\n', 'User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n'];
    writeFileSync(join(folder, 'signal'), d1 as string);
    const text = await runHere(['diff', join(folder, 'signal'), '-', '--agent', 'GPTBot'], d2);
    expect(text).toMatchObject({ code: 0 });
    expect(text.stdout).toContain(
      'AI training newly disallowed for GPTBot (line 2: Content-Signal: ai-train=no).\n',
    );
    const json = await runHere(['diff', join(folder, 'signal'), '-', '--agent', 'GPTBot', '--json'], d2);
    expect(JSON.parse(json.stdout)).toMatchObject({
      equivalent: true,
      preferences: {
        equivalent: false,
        changes: [
          {
            purpose: 'ai-train',
            example: '/',
            before: { value: 'unknown' },
            after: { value: 'disallowed', line: 2 },
          },
        ],
        wording: { added: [{ line: 2, text: 'Content-Signal: ai-train=no' }], removed: [] },
      },
    });
  });

  test('the conclusion covers only the compared crawlers', async () => {
    const one = await diff('old', 'new', '--agent', 'Googlebot', '--agent', 'Foo');
    expect(one.code).toBe(1);
    const [d1, d2] = [
      'User-agent: *\nDisallow: /\n',
      'User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nDisallow: /\n',
    ];
    writeFileSync(join(folder, 'd1'), d1 as string);
    const gptBot = await runHere(['diff', join(folder, 'd1'), '-', '--agent', 'GPTBot'], d2);
    expect(gptBot).toMatchObject({ code: 0, stdout: 'Same for GPTBot and every URL.\n' });
    const sitemap = await runHere(
      ['diff', join(folder, 'd1'), '-'],
      `${d1}Sitemap: https://h.example/s.xml\n`,
    );
    expect(sitemap.stdout).toBe(
      'Same verdicts for every crawler and every URL; records other than rules changed.\nThe sitemaps changed.\n',
    );
  });

  test('changed names and other records are reported even if no verdict changes', async () => {
    const [d1, d2] = [
      'User-agent: MJ12bot\nUser-agent: a\nCrawl-delay: 5\nDisallow: /\n\nUser-agent: *\nDisallow: /\n',
      'User-agent: MJ\nUser-agent: a\nCrawl-delay: 9\nDisallow: /\n\nUser-agent: *\nDisallow: /\n',
    ];
    writeFileSync(join(folder, 'names'), d1 as string);
    const text = await runHere(['diff', join(folder, 'names'), '-'], d2);
    expect(text.stdout).toMatch(
      /^Same verdicts for every crawler and every URL; records other than rules changed\.\n/,
    );
    expect(text.stdout).toMatch(
      /\nNo longer named: MJ12bot\nNewly named: MJ\nOther records changed for: .*\ba\b/,
    );
    expect(text.code).toBe(0);
    const json = JSON.parse((await runHere(['diff', join(folder, 'names'), '-', '--json'], d2)).stdout);
    expect(json.records).toMatchObject({ equivalent: false, addedNames: ['MJ'], removedNames: ['MJ12bot'] });
  });

  test('a changed bare token is reported even if its catalogue crawler falls back', async () => {
    const [d1, d2] = [
      'User-agent: Googlebot\nDisallow: /a\n\nUser-agent: Googlebot-Image\nDisallow: /a\n',
      'User-agent: Googlebot\nDisallow: /a\n',
    ];
    writeFileSync(join(folder, 'bare'), d1 as string);
    const { stdout, code } = await runHere(['diff', join(folder, 'bare'), '-'], d2);
    expect(stdout).toMatch(/^token:Googlebot-Image: newly allowed in 1 case\n/);
    expect(code).toBe(1);
  });

  test('an undecided comparison is reported, and is not an equivalence', async () => {
    const rules = (letter: string): string =>
      Array.from({ length: 200 }, (_, rule) => `disallow: /*${letter}${rule}*b${rule}*c\n`).join('');
    for (const letter of ['x', 'y']) writeFileSync(join(folder, letter), `user-agent: *\n${rules(letter)}`);
    const args = [join(folder, 'x'), join(folder, 'y'), '--max-states', '1000', '--json'];
    const { code, stdout } = await diff(...args);
    const { equivalent, undecided } = JSON.parse(stdout);
    expect(undecided).toContain('*');
    expect(equivalent).not.toBe(true);
    expect(code).toBeGreaterThan(0);
  });
});

describe('files are read from', () => {
  test('standard input and live sites', async () => {
    const site = await serve((_request, response) => response.end(NEW));
    const { code } = await runHere(['diff', '-', `${site.origin}/robots.txt`], NEW);
    await site.close();
    expect(code).toBe(0);
  });

  test('git', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
    git('init', '-q');
    git('add', 'old.txt');
    git('commit', '-q', '-m', 'old');
    const { code, stdout } = await run(['diff', 'git:HEAD:old.txt', 'new.txt', '--agent', 'x'], '', {
      cwd: folder,
    });
    expect(stdout).toMatch(/^x: newly blocked in 1 case\n/);
    expect(code).toBe(1);
    const missing = await run(['diff', 'git:HEAD:no.txt', 'new.txt'], '', { cwd: folder });
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toMatch(/^maycrawl: cannot read git:HEAD:no\.txt: .*\n$/);
  });

  test('git, through symbolic links', async () => {
    const repository = join(folder, 'links');
    mkdirSync(join(repository, 'current'), { recursive: true });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...args], {
        cwd: repository,
      });
    writeFileSync(join(repository, 'robots.txt'), NEW);
    symlinkSync('../robots.txt', join(repository, 'current/robots.txt'));
    symlinkSync('nowhere', join(repository, 'dangling'));
    symlinkSync('circle', join(repository, 'circle'));
    symlinkSync('/etc/hosts', join(repository, 'outside'));
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'links');
    const compare = (name: string) => run(['diff', name, 'robots.txt'], '', { cwd: repository });
    expect(await compare('git:HEAD:current/robots.txt')).toMatchObject({ code: 0, stderr: '' });
    for (const [name, message] of [
      ['git:HEAD:dangling', /a symbolic link to a file that does not exist$/],
      ['git:HEAD:circle', /its symbolic links form a loop$/],
      ['git:HEAD:outside', /a symbolic link to a file outside the repository$/],
      ['git:HEAD:current', /it is a tree, not a file$/],
      ['git::current/robots.txt', /does not follow symbolic links in the index: give a revision$/],
    ] as const) {
      const { code, stdout, stderr } = await compare(name);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.trimEnd()).toMatch(message);
    }
  });
});

test('a long list of changes in JSON is truncated, with their total', async () => {
  const write = (name: string, rule: string): string => {
    const agents = Array.from({ length: 400 }, (_, n) => `User-agent: a${'b'.repeat(n)}`);
    const rules = Array.from({ length: 300 }, (_, n) => `Disallow: /${rule}${n}$`);
    writeFileSync(join(folder, name), [...agents, ...rules].join('\n'));
    return join(folder, name);
  };
  const { stdout } = await runHere(
    ['diff', write('many-1.txt', 'x'), write('many-2.txt', 'y'), '--json'],
    '',
  );
  const { changes, totals } = JSON.parse(stdout);
  expect(changes.length).toBe(100_000);
  expect(totals.changes).toBeGreaterThan(100_000);
});

describe('--urls', () => {
  test('a list', async () => {
    const { code, stdout } = await runHere(
      ['diff', files['old'] as string, files['new'] as string, '--agent', 'a', '--urls', '-', '--json'],
      '/a\n\n/a/b/c\r\nhttps://example.com/a/b\n',
    );
    expect(JSON.parse(stdout).urls).toEqual([
      { url: '/a/b/c', agent: 'a', direction: 'blocked' },
      { url: 'https://example.com/a/b', agent: 'a', direction: 'blocked' },
    ]);
    expect(code).toBe(1);
  });

  test('a long list of changed URLs is truncated, with their total', async () => {
    const urls = '/a/b\n'.repeat(60_000);
    const args = [
      files['old'] as string,
      files['new'] as string,
      '--agent',
      'a',
      '--agent',
      'c',
      '--urls',
      '-',
    ];
    const { stdout } = await runHere(['diff', ...args, '--json'], urls);
    const { urls: listed, urlCount } = JSON.parse(stdout);
    expect([listed.length, urlCount]).toEqual([100_000, 120_000]);
    expect((await runHere(['diff', ...args], urls)).stdout).toMatch(/\n\(and 20000 more\)\n$/);
  });

  test('without --agent, URLs are decided for at most fifty crawlers with different changes', async () => {
    const write = (name: string, count: number, rule: string): string => {
      const groups = Array.from({ length: count }, (_, n) => `User-agent: a${'b'.repeat(n)}\n${rule}/${n}\n`);
      const path = join(folder, name);
      writeFileSync(path, groups.join('\n'));
      return path;
    };
    const compare = (count: number): ReturnType<typeof runHere> =>
      runHere(
        ['diff', write('1.txt', count, 'Allow: '), write('2.txt', count, 'Disallow: '), '--urls', '-'],
        '/1\n',
      );
    expect((await compare(50)).stdout).toContain('1 of the URLs change.');
    expect(await compare(51)).toMatchObject({
      code: 2,
      stderr:
        'maycrawl: the verdicts for 51 crawlers change in different ways: choose crawlers with --agent\n',
    });
  });

  test('a sitemap from a file or a site, compressed or not', async () => {
    const xml = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>https://example.com/a/b?x=1&amp;y</loc></url><url><loc>https://example.com/c</loc></url></urlset>`;
    const path = join(folder, 'sitemap.xml');
    writeFileSync(path, xml);
    const site = await serve((_request, response) => response.end(gzipSync(xml)));
    for (const list of [path, `${site.origin}/sitemap.xml.gz`]) {
      const { stdout } = await diff('old', 'new', '--agent', 'a', '--urls', list);
      expect(stdout).toMatch(
        /\n1 of the URLs change\.\n.*\nnewly blocked {2}a +https:\/\/example\.com\/a\/b\?x=1&y\n$/,
      );
    }
    await site.close();
  });

  const formatSitemap = (...urls: string[]): string =>
    `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
  const formatIndex = (...urls: string[]): string =>
    `<sitemapindex>${urls.map((url) => `<sitemap><loc> ${url}\n</loc></sitemap>`).join('')}</sitemapindex>`;

  test('a sitemap index from a file or a site', async () => {
    const index = (): string =>
      formatIndex(...['/a.xml', '/moved.xml', '/a.xml'].map((at) => site.origin + at));
    const site = await serve((request, response) => {
      if (request.url === '/moved.xml') response.writeHead(302, { location: '/b.xml.gz' }).end();
      else if (request.url === '/index.xml.gz') response.end(gzipSync(index()));
      else if (request.url === '/a.xml')
        response.end(formatSitemap('https://h.example/a/b', 'https://h.example/c'));
      else response.end(gzipSync(formatSitemap('https://h.example/d', 'https://h.example/a/b?d&#38;e')));
    });
    const path = join(folder, 'index.xml');
    writeFileSync(path, index());
    for (const list of [path, `${site.origin}/index.xml.gz`]) {
      site.requests.length = 0;
      const { code, stdout } = await diff(
        'old',
        'new',
        '--agent',
        'a',
        '--agent',
        'b',
        '--urls',
        list,
        '--allow-private',
        '--json',
      );
      expect(JSON.parse(stdout).urls).toEqual([
        { url: 'https://h.example/a/b', agent: 'a', direction: 'blocked' },
        { url: 'https://h.example/a/b?d&e', agent: 'a', direction: 'blocked' },
        { url: 'https://h.example/a/b', agent: 'b', direction: 'blocked' },
        { url: 'https://h.example/a/b?d&e', agent: 'b', direction: 'blocked' },
      ]);
      expect(code).toBe(1);
      expect(site.requests.filter((at) => at !== '/index.xml.gz')).toEqual([
        '/a.xml',
        '/moved.xml',
        '/b.xml.gz',
      ]);
    }
    await site.close();
  });

  const OPEN = ['--allow-private'];
  test.each([
    ['a sitemap that does not exist', '/none.xml', OPEN, /cannot fetch \S+\/none\.xml: status 404$/],
    ['an index in an index', '/index.xml', OPEN, /\/index\.xml is an index within an index/],
    ['XML that is not a sitemap', '/page', OPEN, /\/page is XML, but not a sitemap$/],
    ['a bomb', '/bomb.gz', OPEN, /cannot read \S+\/bomb\.gz: it has more than 2000000 URLs$/],
    ['a truncated sitemap', '/cut.gz', OPEN, /cannot read \S+\/cut\.gz: unexpected end of file$/],
    [
      'no response',
      '/silent',
      [...OPEN, '--timeout', '500ms'],
      /cannot fetch \S+\/silent: no complete response within 500 ms$/,
    ],
    ['a private address', '/a.xml', [], /cannot fetch \S+\/a\.xml: private-address: not a public address/],
    ['offline mode', '/a.xml', ['--offline'], /cannot fetch \S+\/a\.xml: --offline sends no request$/],
    ['a path', null, [], /index\.xml names "\/a\.xml", which is not an http or https URL$/],
  ])('an index of which a part cannot be read: %s', async (_name, at, options, message) => {
    const site = await serve((request, response) => {
      if (request.url === '/a.xml') response.end(formatSitemap('https://h.example/a'));
      else if (request.url === '/index.xml') response.end(formatIndex('https://h.example/s.xml'));
      else if (request.url === '/page') response.end('<html><body>hello</body></html>');
      else if (request.url === '/bomb.gz') response.end(gzipSync(Buffer.alloc(52_428_801, 'a\n')));
      else if (request.url === '/cut.gz')
        response.end(gzipSync(formatSitemap('https://h.example/a')).subarray(0, -20));
      else if (request.url !== '/silent') response.writeHead(404).end();
    });
    const path = join(folder, 'index.xml');
    writeFileSync(path, formatIndex(at === null ? '/a.xml' : site.origin + at));
    const { code, stdout, stderr } = await diff('old', 'new', '--urls', path, ...options);
    await site.close();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd()).toMatch(message);
    expect(stderr.trimEnd().split('\n').length).toBe(1);
  });
});

test.each([
  ['no such file', ['no-such', 'old'], /cannot read no-such: no such file/],
  ['twice standard input', ['-', '-'], /only one file can be standard input/],
  ['an unknown profile', ['old', 'new', '--profile', 'rfc'], /unknown profile "rfc"; profiles: /],
  [
    'no number',
    ['old', 'new', '--max-states', 'many'],
    /--max-states must be a whole number of at least 1, not many/,
  ],
  ['no list', ['old', 'new', '--urls', 'no-such'], /cannot read no-such: no such file/],
  ['a site that is down', ['http://127.0.0.1:2/robots.txt', 'old'], /cannot compare: .* is unreachable/],
])('%s: a one-line error with exit code 2', async (_name, args, message) => {
  const { code, stdout, stderr } = await diff(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n').length).toBe(1);
});

test('under the profile rfc9309 encoded and unencoded query delimiters are equivalent', async () => {
  const file = join(folder, 'encoded');
  const other = join(folder, 'decoded');
  writeFileSync(file, 'User-agent: *\nDisallow: /a?b=%2Fc\n');
  writeFileSync(other, 'User-agent: *\nDisallow: /a?b=/c\n');
  expect((await diff(file, other, '--profile', 'rfc9309')).code).toBe(0);
  expect((await diff(file, other)).code).toBe(1);
});
