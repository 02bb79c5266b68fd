import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { run, runShell } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const SHOP = 'examples/robots.txt';
let directory: string;
let site: TestServer;

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'maycrawl-test-'));
  chmodSync(directory, 0o755);
  site = await serve(({ url }, response) => {
    if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /private\n');
    else if (url === '/redirected') response.writeHead(302, { location: '/robots.txt' }).end();
    else if (url === '/down') response.writeHead(503).end();
    else response.writeHead(404).end();
  });
});

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await site.close();
});

test('control characters in the file and URL are escaped', async () => {
  const robots = file('hostile.txt', 'User-agent: *\nDisallow: /\x1b[31mred\u202e*\n');
  const { stdout } = await runHere(['check', '--no-normalize', '--robots', robots, '/\x1b[2J']);
  expect(stdout).toContain('/\\x1b[2J');
  const hit = await runHere(['check', '--no-normalize', '--robots', robots, '/\x1b[31mred%E2%80%AE']);
  expect(hit.stdout).toContain('Disallow: /\\x1b[31mred\\u{202e}*');
  for (const text of [stdout, hit.stdout]) {
    expect([...text].some((char) => char !== '\n' && /\p{Cc}|\p{Cf}/u.test(char))).toBe(false);
  }
});

describe('a live site', () => {
  test("the robots.txt of the URL's origin is fetched once", async () => {
    site.requests.length = 0;
    const urls = ['/private/a', '/b', '/c'].map((path) => site.origin + path);
    const { code, stdout } = await runHere(['check', ...urls]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/private\/a +Googlebot +disallowed +2 /);
    expect(site.requests).toEqual(['/robots.txt']);
  });

  test('--robots accepts a URL, which must be the robots.txt URL of the URLs', async () => {
    const { origin } = site;
    expect(await runHere(['check', '--robots', `${origin}/robots.txt`, `${origin}/private`])).toMatchObject({
      code: 1,
    });
    expect(await runHere(['check', '--robots', `${origin}/robots.txt`, '/private'])).toMatchObject({
      code: 1,
    });
    const other = await runHere(['check', '--robots', `${origin}/robots.txt`, 'https://example.com/private']);
    expect(other).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('applies only to URLs'),
    });
    const elsewhere = await runHere(['check', '--robots', `${origin}/redirected`, `${origin}/private`]);
    expect(elsewhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only valid at the path /robots.txt'),
    });
  });

  test('an absent robots.txt allows, an unreachable one disallows, and both show the reason', async () => {
    const gone = await serve((_request, response) => response.writeHead(404).end());
    const down = await serve((_request, response) => response.writeHead(503).end());
    try {
      const absent = await runHere(['check', `${gone.origin}/x`]);
      expect(absent).toMatchObject({ code: 0, stdout: expect.stringContaining('no robots.txt: status 404') });
      const unreachable = await runHere(['check', `${down.origin}/x`]);
      expect(unreachable).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('unreachable: status 503'),
      });
      const json = await runHere(['check', '--json', `${down.origin}/x`]);
      expect(JSON.parse(json.stdout)).toMatchObject({
        allowed: false,
        reason: 'unreachable',
        message: 'status 503',
      });
    } finally {
      await gone.close();
      await down.close();
    }
  });
});

describe('invalid content still has a verdict', () => {
  test.each([
    ['an empty file', ''],
    ['10 MB of zeros', new Uint8Array(10_000_000)],
    ['a page', '<!doctype html><p>hello'],
    ['random bytes', Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)],
  ])('%s', async (name, content) => {
    const robots = file(`${name}.txt`, content);
    expect(await runHere(['check', '--robots', robots, '/x'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('the file can come from standard input', async () => {
    const result = await runHere(['check', '--robots', '-', '/x'], 'User-agent: *\nDisallow: /\n');
    expect(result).toMatchObject({ code: 1, stdout: expect.stringContaining('standard input') });
  });

  test('an endless file is read up to the limit of the profile', async () => {
    expect(await runHere(['check', '--robots', '/dev/zero', '/x'])).toMatchObject({ code: 0 });
  });
});

describe('crawler names', () => {
  test.each(['Spider!', 'Бот'])('%j is refused because no user-agent line can match it', async (name) => {
    const { code, stderr, stdout } = await runHere(['check', '--robots', SHOP, '--agent', name, '/cart']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^maycrawl: --agent: no user-agent line can name .*\n$/);
  });

  test('an extended token matches its own group', async () => {
    const path = file('extended.txt', 'User-agent: MJ12bot\nDisallow: /\n');
    for (const name of ['MJ12bot', 'mj12bot/1.4'])
      expect(await runHere(['check', '--robots', path, '--agent', name, '/'])).toMatchObject({
        code: 1,
        stderr: expect.anything(),
      });
    expect((await runHere(['check', '--robots', path, '--agent', 'OtherBot', '/'])).code).toBe(0);
  });

  test('token:NAME is the bare token without catalogue fallbacks', async () => {
    const path = file('fallback.txt', 'User-agent: Googlebot\nDisallow: /\n');
    expect((await runHere(['check', '--robots', path, '--agent', 'Googlebot-Image', '/'])).code).toBe(1);
    expect((await runHere(['check', '--robots', path, '--agent', 'token:Googlebot-Image', '/'])).code).toBe(
      0,
    );
  });

  test('a whole User-Agent header is recognised', async () => {
    const header = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)';
    const { stderr, stdout } = await runHere(['check', '--robots', SHOP, '--agent', header, '/cart']);
    expect(stderr).toMatch(/^maycrawl: .* is the User-Agent header of bingbot\n$/);
    expect(stdout).toContain('The group for bingbot applies');
  });
});

describe('requests without an answer: a one-line error with exit code 2', () => {
  const cases: readonly [string, readonly string[], RegExp][] = [
    ['no URL', ['check'], /give either URLs or --urls FILE/],
    ['a string that is not a URL', ['check', 'foo'], /"foo".*give an absolute http, https or ftp URL/],
    [
      'the same string with a file',
      ['check', '--robots', SHOP, 'foo'],
      /foo: No verdict\. The URL is neither an absolute URL nor a path/,
    ],
    ['mailto with a file', ['check', '--robots', SHOP, 'mailto:a@b'], /Only http, https and ftp URLs/],
    ['a path without a file', ['check', '/x'], /a path needs --robots FILE/],
    [
      'an unknown profile',
      ['check', '--profile', 'bing', '--robots', SHOP, '/x'],
      /unknown profile "bing"; profiles: google,/,
    ],
    ['an empty crawler', ['check', '--agent', '', '--robots', SHOP, '/x'], /agent name is empty/],
    [
      'an unknown option',
      ['check', '--agnt', 'x', '/x'],
      /unknown option '--agnt' \(Did you mean --agent\?\)/,
    ],
    ['an unknown command', ['chek', '/x'], /unknown command 'chek'.*Did you mean check/],
    [
      'a scheme that the client does not fetch',
      ['parse', 'gopher://example.com/robots.txt'],
      /cannot fetch gopher:\/\/example\.com\/robots\.txt: give an http, https or ftp/,
    ],
    ['control characters', ['check', '--robots', '\x1b[2Jx', '/x'], /cannot read \\x1b\[2Jx: no such file/],
  ];

  test.each(cases)('%s', async (_name, args, message) => {
    const { code, stdout, stderr } = await runHere(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^maycrawl: [^\n]+\n$/);
  });

  const isRoot = process.getuid?.() === 0;
  test.runIf(isRoot || process.platform !== 'win32')('a file without read permission', async () => {
    const robots = file('secret.txt', 'User-agent: *\n');
    chmodSync(robots, 0);
    // Root can read every file, so as root the command runs as another user.
    const { code, stderr } = await run(
      ['check', '--robots', robots, '/x'],
      '',
      isRoot ? { uid: 65_534 } : {},
    );
    expect(code).toBe(2);
    expect(stderr).toBe(`maycrawl: cannot read ${robots}: permission denied\n`);
  });
});

test('a directory as standard input is an error, not an empty file', async () => {
  for (const command of ['check --robots - /x', 'parse -', 'batch']) {
    const { code, stdout, stderr } = await runShell(`${command} < .`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('maycrawl: cannot read standard input: it is a directory, not a file\n');
  }
});

test.runIf(existsSync('/dev/full'))('a failed write to standard output is exit 2', async () => {
  for (const command of [`check --robots ${SHOP} /x`, 'crawlers', `parse ${SHOP}`, '--help']) {
    const { code, stderr } = await runShell(`${command} > /dev/full`);
    expect(code).toBe(2);
    expect(stderr).toBe('maycrawl: cannot write to standard output: ENOSPC\n');
  }
  expect((await runShell('check --robots nope /x 2> /dev/full')).code).toBe(2);
});

test('large results are written completely', async () => {
  const urls = Array.from({ length: 20_000 }, (_, i) => `/${i}`);
  const { code, stdout } = await runHere(['check', '--robots', SHOP, ...urls]);
  expect(code).toBe(0);
  expect(stdout.split('\n').length).toBe(20_002);
  const odd = file('odd.txt', ':\n'.repeat(25_000));
  // People read one line for equal findings; a program reads each of them.
  expect((await runHere(['parse', '--json', odd])).stdout.split('\n').length).toBeGreaterThan(250_000);
});

describe('private addresses', () => {
  test('a private address given by the user is fetched; a redirect to one needs --allow-private', async () => {
    const inside = await serve((_request, response) => response.end('User-agent: *\nDisallow: /x'));
    const named = await serve((_request, response) =>
      response.writeHead(302, { location: `${inside.origin}/robots.txt` }).end(),
    );
    const check = (...args: string[]): ReturnType<typeof runHere> =>
      runHere(['check', '--database', 'none', '--json', ...args]);
    expect((await check(`${inside.origin}/x`)).stdout).toContain('"policy":{"kind":"rules"}');
    inside.requests.length = 0;
    const refused = await check(`${named.origin}/x`);
    expect(refused.stdout).toContain('"code":"private-address"');
    expect(refused.code).toBe(1);
    expect(inside.requests).toEqual([]);
    expect((await check('--allow-private', `${named.origin}/x`)).stdout).toContain(
      '"policy":{"kind":"rules"}',
    );
    for (const server of [inside, named]) await server.close();
  });
});
