import { describe, expect, test } from 'vitest';
import { run } from '../support/run.ts';

const SHOP = 'examples/robots.txt';

describe('one URL and one crawler: an explanation', () => {
  test('a disallowed URL: the deciding rule is shown', async () => {
    const { code, stdout, stderr } = await run([
      'check',
      '--robots',
      SHOP,
      'https://shop.example/private/report',
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(`https://shop.example/private/report  Googlebot  disallowed
robots.txt: examples/robots.txt (found; profile google)

Disallowed. The group for Googlebot applies. Line 11, "Disallow: /private/", is the longest matching rule.

       9 | User-agent: bingbot
      10 | Disallow: /cart
  >   11 | Disallow: /private/
      12 | Allow: /private/press/
      13 | 
`);
  });

  test('a URL allowed against a shorter rule: both rules are shown', async () => {
    const { code, stdout } = await run(['check', '--robots', SHOP, '/private/press/1']);
    expect(code).toBe(0);
    expect(stdout).toContain('  >   12 | Allow: /private/press/\n');
    expect(stdout).toContain('  x   11 | Disallow: /private/\n');
  });

  test('the matched path is shown if it differs from the given URL', async () => {
    const { stdout } = await run(['check', '--robots', SHOP, 'https://shop.example/a/../c%c3 art']);
    expect(stdout).toContain('Rules are matched with /c%C3%20art, the URL that the crawler requests.');
    const raw = await run(['check', '--no-normalize', '--robots', SHOP, 'https://shop.example/a/../cart']);
    expect(raw).toMatchObject({ code: 0, stdout: expect.not.stringContaining('requests it as') });
  });
});

describe('several URLs or crawlers: a table', () => {
  test('the table has a cell for each crawler and URL, with catalogue fallbacks', async () => {
    const agents = ['Googlebot Image', 'GPTBot', 'AdsBot-Google', 'Other'].flatMap((name) => [
      '--agent',
      name,
    ]);
    const { code, stdout } = await run(['check', '--robots', SHOP, ...agents, '/private/x', '/search']);
    expect(code).toBe(1);
    expect(stdout).toBe(`URL         crawler          verdict     line  rule
/private/x  Googlebot Image  disallowed  11    Disallow: /private/
/private/x  GPTBot           disallowed  15    Disallow: /
/private/x  AdsBot-Google    allowed     -     (no group applies)
/private/x  Other            allowed     -     (no rule matches)
/search     Googlebot Image  allowed     -     (no rule matches)
/search     GPTBot           disallowed  15    Disallow: /
/search     AdsBot-Google    allowed     -     (no group applies)
/search     Other            disallowed  4     Disallow: /search
`);
  });

  test('exit code 0 if all URLs are allowed', async () => {
    expect(await run(['check', '--robots', SHOP, '/', '/about'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('--json', () => {
  test('each result is one JSON object on a line', async () => {
    const { code, stdout } = await run([
      'check',
      '--json',
      '--robots',
      SHOP,
      '--agent',
      'GPTBot',
      '/a',
      '/b',
    ]);
    expect(code).toBe(1);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(
      ['/a', '/b'].map((url) => ({
        url,
        agent: 'GPTBot',
        profile: 'google',
        robots: SHOP,
        policy: { kind: 'rules' },
        allowed: false,
        line: 15,
        rule: '/',
        kind: 'disallow',
        group: 'own',
        reason: 'rule',
        path: url,
      })),
    );
  });

  test('a missing answer has an error with a code', async () => {
    const { code, stdout } = await run(['check', '--json', '--robots', SHOP, 'mailto:a@b']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ allowed: null, error: { code: 'unsupported-scheme' } });
  });
});

test('help and version are printed', async () => {
  const help = await run(['--help']);
  expect(help.code).toBe(0);
  for (const name of ['check', 'batch', 'parse', 'crawlers']) expect(help.stdout).toContain(name);
  expect(await run(['check', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--robots'),
  });
  expect(await run(['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});
