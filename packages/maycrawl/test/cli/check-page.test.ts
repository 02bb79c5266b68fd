import { afterEach, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { runHere } from '../support/run-here.ts';

let site: TestServer;
afterEach(() => site.close());

/** Serves a page that has a noindex for bingbot, and a robots.txt. */
async function serveSite(): Promise<void> {
  site = await serve(({ url }, response) => {
    if (url === '/robots.txt')
      response.end('User-agent: *\nDisallow: /a.js\nUser-agent: GPTBot\nDisallow: /\n');
    else if (url === '/old') response.writeHead(301, { location: '/new' }).end();
    else
      response
        .setHeader('content-type', 'text/html')
        .setHeader('content-usage', 'Train-AI=n')
        .end(
          '<title>t</title><meta name=bingbot content=noindex><script src=/a.js></script><link rel=canonical href=/new>',
        );
  });
}

test('--page prints what the crawlers may do with a page', async () => {
  await serveSite();
  const agents = ['Googlebot', 'bingbot', 'GPTBot'].flatMap((name) => ['--agent', name]);
  const { code, stdout, stderr } = await runHere(['check', '--page', ...agents, `${site.origin}/old`]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const text = stdout.replaceAll(site.origin, 'SITE').replaceAll(/\d+ bytes, \d+ ms|\d+ ms/g, 'SIZE');
  expect(text).toBe(`SITE/old
  This URL redirects to SITE/new. Googlebot may fetch and index that page. But because of robots.txt, Googlebot may not load its only script or style sheet: if it renders the page, then without it.
  This URL redirects to SITE/new. bingbot may fetch that page, but may not index it: a meta tag for bingbot says "noindex".
  GPTBot may not fetch this page: line 4 of SITE/robots.txt (Disallow: /) disallows it. It cannot see that it redirects, because it may not fetch the page.

SITE/old: status 301, no media type, SIZE, redirects to SITE/new
  Googlebot: allowed
  bingbot: allowed
  GPTBot: disallowed, line 4: Disallow: /
SITE/new: status 200, text/html, SIZE
  Googlebot: allowed
  bingbot: allowed
  GPTBot: disallowed, line 4: Disallow: /

title: t
noindex: a meta tag for bingbot says "noindex", for bingbot
canonical: self, SITE/new
use: header content-usage: Train-AI=n, which says nothing: "T" is upper case, and labels are lower case
resources: 1, 1 blocked for a crawler
  script SITE/a.js
    Googlebot: line 2, Disallow: /a.js
    bingbot: line 2, Disallow: /a.js
    GPTBot: line 4, Disallow: /
`);
});

test('the exit code is 0 if all crawlers may index the page, 2 if that is unknown; --json prints the report', async () => {
  await serveSite();
  const { code, stdout } = await runHere(['check', '--page', '--json', `${site.origin}/new`]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ url: `${site.origin}/new`, agents: [{ result: 'indexable' }] });
  // AdsBot-Google ignores the groups for all crawlers; maycrawl does not.
  expect(
    (
      await runHere([
        'check',
        '--page',
        '--agent',
        'GPTBot',
        '--agent',
        'AdsBot-Google',
        `${site.origin}/a.js`,
      ])
    ).code,
  ).toBe(2);
});

test.each([
  [['check', '--page'], '--page needs a URL'],
  [['check', '--page', 'ftp://h.example/'], 'not an http or https URL'],
  [['check', '--page', '--robots', 'examples/robots.txt', 'https://h.example/'], 'omit --robots'],
  [['check', '--page', '--agent', 'bot!', 'https://h.example/'], '--agent'],
])('%j is refused', async (options, message) => {
  await serveSite();
  const { code, stderr } = await runHere(options);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
