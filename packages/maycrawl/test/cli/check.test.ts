import { describe, expect, test } from 'vitest';
import { runHere } from '../support/run-here.ts';

const SHOP = 'examples/robots.txt';

describe('one URL and one crawler: an explanation', () => {
  test('a disallowed URL: the deciding rule is shown', async () => {
    const { code, stdout, stderr } = await runHere(
      `check --robots ${SHOP} https://shop.example/private/report`,
    );
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
    const { code, stdout } = await runHere(['check', '--robots', SHOP, '/private/press/1']);
    expect(code).toBe(0);
    expect(stdout).toContain('  >   12 | Allow: /private/press/\n');
    expect(stdout).toContain('  x   11 | Disallow: /private/\n');
  });

  test('the matched path is shown if it differs from the given URL', async () => {
    const { stdout } = await runHere(['check', '--robots', SHOP, 'https://shop.example/a/../c%c3 art']);
    expect(stdout).toContain('Rules are matched with /c%C3%20art, the URL that the crawler requests.');
    const raw = await runHere([
      'check',
      '--no-normalize',
      '--robots',
      SHOP,
      'https://shop.example/a/../cart',
    ]);
    expect(raw).toMatchObject({ code: 0, stdout: expect.not.stringContaining('requests it as') });
  });
});

const DECLARING = `User-agent: *
Disallow: /private/
Allow: /private/press/
Content-Usage: train-ai=n, search=y

User-agent: Google-Extended
Disallow: /blog/
`;

describe('what is declared about the use of the content', () => {
  const check = (...args: string[]) => runHere(['check', '--robots', '-', ...args], DECLARING);

  test('one line of the explanation has the declared preferences, and the exit code is that of the verdict', async () => {
    const { code, stdout } = await check('--agent', 'GPTBot', 'https://shop.example/page');
    expect(code).toBe(0);
    expect(stdout).toBe(`https://shop.example/page  GPTBot  allowed
robots.txt: standard input (found; profile google)

Allowed. No group names this crawler, so the group for * applies. None of its rules matches the URL.
Preferences: search allowed, ai-train disallowed (line 4: Content-Usage: train-ai=n, search=y)
`);
  });

  test('the line stands before the rules, also for a path and the group of a policy token', async () => {
    const { code, stdout } = await check('--agent', 'Googlebot', '/blog/1');
    expect(code).toBe(0);
    expect(stdout).toContain('; ai-input disallowed (line 7, group Google-Extended: Disallow: /blog/)\n');
    const press = await check('--agent', 'GPTBot', '/private/press/1');
    expect(press.stdout).toMatch(/search=y\)\n\n {7}1 \| /);
  });

  test('nothing is shown for a URL that is disallowed, and without declarations', async () => {
    const disallowed = await check('--agent', 'GPTBot', '/private/1');
    expect(disallowed.code).toBe(1);
    expect(disallowed.stdout).not.toContain('Preferences');
    const { stdout } = await runHere(['check', '--robots', SHOP, '--agent', 'GPTBot', '/a']);
    expect(stdout).not.toContain('Preferences');
    const json = await runHere(['check', '--json', '--robots', SHOP, '--agent', 'GPTBot', '/a']);
    expect(JSON.parse(json.stdout)).not.toHaveProperty('preferences');
  });

  test('a table does not have them', async () => {
    const { stdout } = await check('--agent', 'GPTBot', '/a', '/b');
    expect(stdout).not.toContain('ai-train');
  });

  test('JSON has the declared purposes for each URL and crawler', async () => {
    const { code, stdout } = await check('--json', '--agent', 'GPTBot', '/page', '/private/1');
    expect(code).toBe(1);
    const [page, disallowed] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(page.preferences).toEqual({
      search: { value: 'allowed', format: 'content-usage', line: 4 },
      'ai-train': { value: 'disallowed', format: 'content-usage', line: 4 },
    });
    expect(disallowed).not.toHaveProperty('preferences');
  });

  test('control characters of a declaration are escaped', async () => {
    const { stdout } = await runHere(
      ['check', '--robots', '-', '--agent', 'GPTBot', '/page'],
      'User-agent: *\nContent-Signal: ai-train=no, \u001b[31m\u009b=x\n',
    );
    expect(stdout).toContain('Preferences: ai-train disallowed (line 2: Content-Signal: ai-train=no, ');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

describe('several URLs or crawlers: a table', () => {
  test('the table has a cell for each crawler and URL, with catalogue fallbacks', async () => {
    const agents = ['Googlebot Image', 'GPTBot', 'AdsBot-Google', 'Other'].flatMap((name) => [
      '--agent',
      name,
    ]);
    const { code, stdout } = await runHere(['check', '--robots', SHOP, ...agents, '/private/x', '/search']);
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
    expect(await runHere(['check', '--robots', SHOP, '/', '/about'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('--json', () => {
  test('each result is one JSON object on a line', async () => {
    const { code, stdout } = await runHere(`check --json --robots ${SHOP} --agent GPTBot /a /b`);
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
    const { code, stdout } = await runHere(['check', '--json', '--robots', SHOP, 'mailto:a@b']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ allowed: null, error: { code: 'unsupported-scheme' } });
  });
});

test('help and version are printed', async () => {
  const help = await runHere(['--help']);
  expect(help.code).toBe(0);
  for (const name of ['check', 'batch', 'parse', 'crawlers']) expect(help.stdout).toContain(name);
  expect(await runHere(['check', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--robots'),
  });
  expect(await runHere(['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});
