import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { createTestFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';

const SOURCE = 'User-agent: *\nDisallow: /private\nDisallow: /checkout\n';
const WITHOUT_CHECKOUT = 'User-agent: *\nDisallow: /private\n';
const CLOSED = 'User-agent: *\nDisallow: /\n';
const BLOCK =
  '# BEGIN Cloudflare Managed content\n\nUser-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n\n# END Cloudflare Managed Content\n\n';

const folder = createTestFolder('deployment');
const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const source = write('robots.txt', SOURCE);

/** What the server sends. */
let reply: { status?: number; body?: string; home?: number; location?: string } = {};
let site: TestServer;
beforeAll(async () => {
  site = await serve((request, response) => {
    if (request.url === '/') response.writeHead(reply.home ?? 200).end();
    else if (reply.location !== undefined && request.url === '/robots.txt')
      response.writeHead(301, { location: reply.location }).end();
    else response.writeHead(reply.status ?? 200).end(reply.body ?? '');
  });
});
afterAll(() => site.close());

const verify = async (...args: string[]) => runHere(['verify', ...args]);
const verifyServed = async (served: typeof reply, ...args: string[]) => {
  reply = served;
  return verify('--deployed', site.origin, ...args);
};

describe('comparison', () => {
  test('the missing line, an example and the crawlers are in one sentence', async () => {
    const built = write('built.txt', WITHOUT_CHECKOUT);
    const { code, stdout, stderr } = await verify('--source', source, '--built', built);
    expect(stdout).toMatch(
      /^ {2}The built file is not the file in the repository: line 3 \(Disallow: \/checkout\) is missing, and \/checkout is open for Googlebot and \d+ others\.$/m,
    );
    expect(stdout).toMatch(/^ {4}for example {2}\/checkout$/m);
    expect(stdout).toMatch(/^ {4}source {7}line 3: Disallow: \/checkout\n {4}built {8}no rule$/m);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  test.each([
    ['an added line', `${SOURCE}Disallow: /a\n`, 'line 4 (Disallow: /a) was added, and /a is closed for'],
    [
      'a changed line',
      SOURCE.replace('/checkout', '/*checkout'),
      'line 3 (Disallow: /*checkout) was added, and //checkout is closed for',
    ],
    [
      'a group for others',
      SOURCE.replace('Disallow: /checkout', 'User-agent: MyBot\nDisallow: /checkout'),
      'line 2 (Disallow: /private) no longer applies to these crawlers, and /private is open for MyBot',
    ],
    ['a sitemap', `${SOURCE}Sitemap: https://shop.example/s.xml\n`, 'has other Sitemap lines'],
    ['a crawl delay', `${SOURCE}Crawl-delay: 3\n`, 'has other records, such as Crawl-delay, for *'],
    ['a named crawler', `User-agent: MyBot\n${SOURCE}`, 'The file in the repository has no group for MyBot'],
  ])('%s is a difference', async (_title, built, sentence) => {
    const { code, stdout } = await verify('--source', source, '--built', write('built.txt', built));
    expect(stdout).toContain(sentence);
    expect(code).toBe(1);
  });

  test('files that differ only in their text are the same', async () => {
    const built = write('built.txt', `# a comment\r\n${SOURCE.replaceAll('\n', '\r\n')}`);
    const { code, stdout } = await verify('--source', source, '--built', built);
    expect(stdout).toContain('source and built: the same for every crawler and URL; only the text differs\n');
    expect(code).toBe(0);
  });

  test('of three files every pair is compared, and the same differences are printed once', async () => {
    const { code, stdout } = await verifyServed(
      { body: WITHOUT_CHECKOUT },
      '--source',
      source,
      '--built',
      source,
    );
    expect(stdout).toContain('source and built: the same file\n');
    expect(stdout).toContain(
      'source and deployed: different\n  The same differences as between built and deployed.\n',
    );
    expect(stdout.match(/The file that is served is not the built file: line 3/g)).toHaveLength(1);
    expect(code).toBe(1);
  });
});

describe('managed blocks', () => {
  test('a block is named, and its differences are those of the vendor', async () => {
    const { code, stdout } = await verifyServed({ body: BLOCK + SOURCE }, '--source', source);
    expect(stdout).toContain('  Cloudflare manages lines 1 to 10 of the file that is served.\n');
    expect(stdout).toContain(
      'The managed block of Cloudflare (lines 1 to 10 of the file that is served) is not in the file in the repository: line 8 (Disallow: /) decides, and / is closed for GPTBot.',
    );
    expect(stdout).not.toContain('is not the file in the repository:');
    expect(code).toBe(1);
  });

  test('--accept-managed accepts them, but no other difference', async () => {
    const same = await verifyServed({ body: BLOCK + SOURCE }, '--source', source, '--accept-managed');
    expect(same.stdout).toContain('source and deployed: the same, except for the managed block\n');
    expect(same.code).toBe(0);
    const other = await verifyServed(
      { body: BLOCK + WITHOUT_CHECKOUT },
      ...['--source', source, '--accept-managed'],
    );
    expect(other.stdout).toContain(
      'Apart from managed lines, the file that is served is not the file in the repository: line 3 (Disallow: /checkout) is missing',
    );
    expect(other.code).toBe(1);
  });

  test('a block that opens URLs which the owner closes is the cause', async () => {
    const block = BLOCK.replace('Disallow: /\n', 'Disallow: /x\n');
    const { stdout } = await verifyServed({ body: block + SOURCE }, '--source', source, '--format', 'json');
    const [{ differences }] = JSON.parse(stdout).comparisons;
    expect(differences).toContainEqual(
      expect.objectContaining({
        direction: 'allowed',
        example: '/private',
        agents: ['GPTBot'],
        managedBy: 'Cloudflare',
        before: { line: 2, text: 'Disallow: /private' },
        after: null,
      }),
    );
  });
});

describe('the server', () => {
  test('a missing file allows all URLs, and is named', async () => {
    const { code, stdout } = await verifyServed({ status: 404 }, '--source', source);
    expect(stdout).toMatch(/^ {10}The file that is served: .*404.*$/m);
    expect(stdout).toContain('line 2 (Disallow: /private) is missing, and /private is open for Googlebot');
    expect(code).toBe(1);
  });

  test('after a server error the file is unknown', async () => {
    const { code, stdout, stderr } = await verifyServed({ status: 503, body: SOURCE }, '--source', source);
    expect(stderr).toMatch(
      /^maycrawl: cannot verify: http:.* is unreachable \(.*503.*\), so what it serves is unknown\n$/,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('the target of a redirect is compared, and named', async () => {
    const { code, stdout } = await verifyServed({ location: '/moved.txt', body: SOURCE }, '--source', source);
    expect(stdout).toMatch(/The file that is served comes from http:.*\/moved\.txt, after 1 redirect\./);
    expect(code).toBe(0);
  });

  test('an HTML page in place of the file is named', async () => {
    const { code, stdout } = await verifyServed(
      { body: '<!doctype html><title>x</title>' },
      '--source',
      source,
    );
    expect(stdout).toContain(
      'The file that is served is an HTML page without rules, so crawlers may fetch every URL.',
    );
    expect(code).toBe(1);
  });
});

describe('environments', () => {
  test('production must not be closed', async () => {
    const { code, stdout } = await verify(
      '--built',
      write('closed.txt', CLOSED),
      '--environment',
      'production',
    );
    expect(stdout).toContain(
      'environment production: not met\n  The built file closes production for every crawler that it does not name, and for Googlebot: line 2.\n  Deploy the file of production, or remove this rule.\n',
    );
    expect(code).toBe(1);
  });

  test('production must not be closed for Googlebot', async () => {
    const built = write('closed.txt', 'User-agent: Googlebot\nDisallow: /\nAllow: /ads.txt$\n');
    const { code, stdout } = await verify('--built', built, '--environment', 'production');
    expect(stdout).toContain('The built file closes production for Googlebot: line 2.');
    expect(code).toBe(1);
  });

  test('production may be closed for others', async () => {
    const built = write('closed.txt', `${CLOSED}\nUser-agent: Googlebot\nAllow: /\n`);
    expect((await verify('--built', built, '--environment', 'production')).code).toBe(0);
  });

  test.each(['preview', 'staging'])('%s must be closed for every crawler', async (environment) => {
    const open = write('open.txt', `${CLOSED}\nUser-agent: MyBot\nDisallow: /a\n`);
    const { code, stdout } = await verify('--built', open, '--environment', environment);
    expect(stdout).toContain(`The built file opens ${environment} for MyBot: no rule disallows /.`);
    expect(code).toBe(1);
    const closed = await verify('--built', write('closed.txt', CLOSED), '--environment', environment);
    expect(closed.code).toBe(0);
    expect(closed.stdout).toMatch(/APIs-Google and \d+ others obey only groups with their names/);
  });

  test('of a preview that only its robots.txt closes, URLs may be indexed', async () => {
    const { code, stdout } = await verifyServed({ body: CLOSED }, '--environment', 'preview');
    expect(stdout).toContain('Only robots.txt closes preview');
    expect(code).toBe(0);
  });

  test('a preview whose server requires authentication needs no rules', async () => {
    const denied = await verifyServed({ status: 401, home: 401 }, '--environment', 'preview');
    expect(denied.stdout).toContain('The server requires authentication for the home page of preview.');
    expect(denied.code).toBe(0);
    // A 403 may be for this client alone.
    const refused = await verifyServed({ status: 401, home: 403 }, '--environment', 'preview');
    expect(refused.code).toBe(1);
    const open = await verifyServed({ status: 401, home: 200 }, '--environment', 'preview');
    expect(open.code).toBe(1);
  });
});

describe('formats and arguments', () => {
  test('JUnit and GitHub have each problem', async () => {
    const args = ['--source', source, '--built', write('closed.txt', CLOSED), '--environment', 'production'];
    const junit = await verify(...args, '--format', 'junit');
    const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(
      junit.stdout,
    );
    expect(testsuites.testsuite).toMatchObject({ tests: '2', failures: '2', errors: '0' });
    const github = await verify(...args, '--format', 'github');
    expect(github.stdout).toMatch(/^::error file=.*closed\.txt,line=2::The built file is not .*$/m);
    expect(github.stdout).toMatch(/^::error file=.*closed\.txt,line=2::The built file closes production.*$/m);
  });

  test('text of files is escaped', async () => {
    const built = write('built.txt', `${SOURCE}Disallow: /\u001b[31m\nUser-agent: \u001b[2J\n`);
    const { stdout } = await verify('--source', source, '--built', built);
    expect(stdout).not.toContain('\u001b');
  });

  test.each([
    [[], /give a robots\.txt, or two of --source/],
    [['--source', source], /give two or three of --source, --built and --deployed/],
    [['--environment', 'preview'], /give two or three of/],
    [[source, '--built', source], /omit it to use --source/],
    [['--built', source, '--environment', 'test'], /must be one of production, preview, staging/],
    [['--source', source, '--deployed', 'shop.example'], /--deployed is the URL of the site/],
    [['--source', source, '--deployed', 'https://shop.example', '--offline'], /--offline cannot verify/],
    [['--source', '-', '--built', '-'], /only one file can be standard input/],
    [['--source', source, '--built', join(folder, 'missing')], /no such file/],
  ])('%j is an error of one line', async (args, message) => {
    const { code, stdout, stderr } = await verify(...args);
    expect(stderr).toMatch(message);
    expect(stderr.split('\n')).toHaveLength(2);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
