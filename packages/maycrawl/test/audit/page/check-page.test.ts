import type { OutgoingHttpHeaders } from 'node:http';
import { GOOGLE, resolveAgent } from '@maycrawl/core';
import { Ajv } from 'ajv';
import { afterEach, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { PAGE_REPORT, type PageReport } from '../../../src/api/page-api.ts';
import { checkPage } from '../../../src/audit/page/check-page.ts';
import { openPageTools } from '../../../src/audit/page/open-page-tools.ts';

const sites: TestServer[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

/** Responses by path: a status, headers and a body. `SITE` and `OTHER` in texts are the origins of the site and of another one. */
type Files = Readonly<
  Record<string, readonly [status: number, headers?: OutgoingHttpHeaders, body?: string]>
>;

const HTML = { 'content-type': 'text/html' };
const ROBOTS = `User-agent: *
Disallow: /private
Disallow: /assets/
Allow: /assets/a.css

User-agent: GPTBot
Disallow: /

User-agent: bingbot
Disallow: /assets/
Allow: /private
`;

interface Check {
  readonly files: Files;
  readonly robots?: string;
  /** The robots.txt of the other site. */
  readonly other?: Files;
  readonly path?: string;
  readonly agents?: readonly string[];
}

/** Serves a site, and checks a page of it. */
async function check(options: Check): Promise<PageReport & { readonly requests: readonly string[] }> {
  const { files, robots = ROBOTS, other = {}, path = '/page', agents = ['Googlebot'] } = options;
  const urls: Record<string, string> = {};
  const start = async (name: string, served: Files): Promise<TestServer> => {
    const site = await serve(({ url = '' }, response) => {
      const [status, headers = {}, body = ''] = served[url] ?? [404];
      const fill = (text: string): string =>
        text.replaceAll('SITE', urls['SITE'] ?? '').replaceAll('OTHER', urls['OTHER'] ?? '');
      if (status === 0) response.destroy();
      else response.writeHead(status, JSON.parse(fill(JSON.stringify(headers)))).end(fill(body));
    });
    urls[name] = site.origin;
    sites.push(site);
    return site;
  };
  const site = await start('SITE', { '/robots.txt': [200, {}, robots], ...files });
  await start('OTHER', other);
  const url = site.origin + path;
  const tools = openPageTools({
    userAgent: 'test',
    profile: GOOGLE,
    timeout: 5_000,
    allowPrivateAddresses: true,
    url,
  });
  const report = await checkPage(url, agents.map(resolveAgent), 'google', tools);
  await tools.close();
  const ajv = new Ajv({ validateFormats: false, allowUnionTypes: true });
  ajv.validate(PAGE_REPORT, report);
  expect(ajv.errors).toBe(null);
  const text = JSON.stringify(report)
    .replaceAll(urls['SITE'] ?? '', 'SITE')
    .replaceAll(urls['OTHER'] ?? '', 'OTHER');
  return { ...JSON.parse(text), requests: site.requests };
}

const page = (html: string, headers: OutgoingHttpHeaders = {}): Files[''] => [
  200,
  { ...HTML, ...headers },
  html,
];

/** Pages at `/page`, or other parts of a check, the result for Googlebot, and a part of the sentence about it. */
const SENTENCES: readonly (readonly [files: Files[''] | Check, answer: string, text: string])[] = [
  [page('<title>t</title>'), 'indexable', 'Googlebot may fetch and index this page.'],
  [
    [200, { 'content-type': 'application/pdf' }, 'x'],
    'indexable',
    'this file (application/pdf), and nothing',
  ],
  [{ files: { '/page': page('x') }, agents: ['CCBot'] }, 'indexable', 'nothing forbids indexing it.'],
  [page(''), 'indexable', 'But it is empty: Google treats an empty page as one that was not found.'],
  [{ files: {}, path: '/lost' }, 'not-found', 'but it was not found (status 404), so it cannot be indexed.'],
  [[503], 'error', 'a server error (status 503), so it cannot be indexed. This is the response to maycrawl;'],
  [[204], 'error', 'but it responds with status 204, and only 200 is indexed.'],
  [[301], 'error', 'but it redirects without a valid target (status 301), so it cannot be indexed.'],
  [[403], 'error', 'but it denies access (status 403)'],
  [[304], 'error', 'but it responds with status 304, so it cannot be indexed.'],
  [
    page('<meta name="Robots" content="none"><meta name=googlebot content=noindex>'),
    ...(['noindex', 'a meta tag for all crawlers says "none", and a meta tag for googlebot says'] as const),
  ],
  [page('<meta name=bingbot content=noindex>'), 'indexable', 'may fetch and index this page.'],
  [
    page('x', { 'x-robots-tag': 'unavailable_after: 25 Jun 2010 15:00:00 GMT' }),
    ...(['noindex', 'the header X-Robots-Tag for all crawlers says'] as const),
  ],
  [page('<link rel=canonical href=/other>'), 'canonicalised', 'a link element names another URL as its can'],
  [page('x', { link: '</other>; rel=canonical' }), 'canonicalised', 'the header Link names another URL'],
  [page('<link rel=canonical href=/a><link rel=canonical href=/b>'), 'indexable', '2 different canonicals'],
  [page('<p><link rel=canonical href=/a>'), 'indexable', 'Its canonical is ignored (in the body)'],
  [
    page('<script src=/assets/a.js></script><link rel=stylesheet href=/assets/a.css><img src=/assets/i>'),
    ...(['indexable', 'Googlebot may not load 1 of its 2 scripts and style sheets'] as const),
  ],
  [
    { files: { '/page': [302, { location: '/new' }], '/new': page('x') } },
    ...(['indexable', 'This URL redirects to SITE/new. Googlebot may fetch and index that page.'] as const),
  ],
  [
    { files: { '/page': [302, { location: '/2' }], '/2': [301, { location: '/private' }] } },
    ...([
      'blocked',
      'This URL redirects in 2 steps to SITE/private. Googlebot may not fetch that page',
    ] as const),
  ],
  [
    { files: { '/page': [302, { location: 'OTHER/x' }] }, other: { '/robots.txt': [503] } },
    ...(['blocked', 'OTHER/robots.txt cannot be fetched (status 503), so everything is disallowed'] as const),
  ],
  [
    { files: { '/page': [302, { location: '/2' }], '/2': [302, { location: '/page' }] } },
    ...(['redirect', 'but it redirects to SITE/page again, without an end'] as const),
  ],
  [page('<meta http-equiv=refresh content="0;url=/new">'), 'indexable', 'as a permanent redirect.'],
  [page('<meta http-equiv=refresh content="1;url=/new">'), 'indexable', 'as a temporary redirect.'],
  [page('<meta http-equiv=refresh content="300">'), 'indexable', 'fetch and index this page.'],
  [
    {
      ...{ files: { '/page': page('x') }, agents: ['Google-Extended'] },
      robots: 'User-agent: Google-Extended\nDisallow: /page\n',
    },
    ...(['blocked', 'Google-Extended sends no requests. Line 2 of SITE/robots.txt forbids the use'] as const),
  ],
];

describe('sentences', () => {
  test.each(SENTENCES)('%j: %s', async (served, answer, text) => {
    const options = 'files' in served ? served : { files: { '/page': served } };
    const { agents } = await check(options);
    expect(agents[0]).toMatchObject({ text: expect.stringContaining(text), answer });
  });

  test('a crawler that may not fetch a page cannot see what others see there', async () => {
    const files = { '/private': page('<meta name=robots content=noindex><link rel=canonical href=/x>') };
    const { agents } = await check({ files, path: '/private', agents: ['Googlebot', 'bingbot', 'GPTBot'] });
    expect(agents.map(({ text }) => text)).toEqual([
      'Googlebot may not fetch this page: line 2 of SITE/robots.txt (Disallow: /private) disallows it. It cannot see the noindex, and that it names another canonical, because it may not fetch the page. The URL can still be indexed without its content, if pages link to it: the noindex has no effect before robots.txt allows the URL.',
      'bingbot may fetch this page, but may not index it: a meta tag for all crawlers says "noindex".',
      'GPTBot may not fetch this page: line 7 of SITE/robots.txt (Disallow: /) disallows it. It cannot see the noindex, and that it names another canonical, because it may not fetch the page.',
    ]);
    expect(agents[0]).toMatchObject({ answer: 'blocked', hidden: ['noindex', 'canonicalised'] });
  });

  test('a page without a response', async () => {
    const { agents, hops } = await check({ files: { '/page': [0] } });
    expect(agents[0]?.text).toMatch(/, but maycrawl received no usable response \(.+\)\. Whether it can be/);
    expect(agents[0]?.answer).toBe('unreachable');
    expect(hops[0]?.failure).toMatchObject({ code: 'network' });
  });

  test('a body that cannot be decoded is not called a failed connection', async () => {
    const files = { '/page': page('<title>plain</title>', { 'content-encoding': 'gzip' }) };
    const { agents } = await check({ files });
    expect(agents[0]?.text).toContain('no usable response (Z_DATA_ERROR: incorrect header check).');
  });

  test('a robots.txt that maycrawl refuses to request decides nothing', async () => {
    const files = { '/page': [302, { location: 'http://127.0.0.1:22/' }] } as const;
    const { agents, hops } = await check({ files, agents: ['Googlebot', 'AdsBot-Google'] });
    expect(hops[1]).toMatchObject({
      problem: 'no-verdict',
      verdicts: [{ allowed: null }, { allowed: null }],
    });
    expect(agents[0]?.answer).toBe('unknown');
    expect(agents[0]?.text).toContain(
      'did not request http://127.0.0.1:22/robots.txt, because its port is blocked',
    );
  });

  test('more than ten redirects', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, step) => [`/${step}`, [302, { location: `/${step + 1}` }] as const]),
    );
    const { agents, hops } = await check({ files, path: '/0' });
    expect(hops).toHaveLength(11);
    expect(hops.at(-1)).toMatchObject({ problem: 'too-many-redirects', location: 'SITE/11' });
    expect(agents[0]?.answer).toBe('redirect');
  });
});

describe('what is requested', () => {
  test('the target of a redirect in raw UTF-8, as browsers request it', async () => {
    const location = Buffer.from('/caf\u00e9').toString('latin1');
    const files = { '/page': [302, { location }], '/caf%C3%A9': page('<title>t</title>') } as const;
    const { requests, page: read } = await check({ files });
    expect(requests).toEqual(['/robots.txt', '/page', '/caf%C3%A9']);
    expect(read).toMatchObject({ url: 'SITE/caf%C3%A9', title: 't' });
  });

  test('no URL that is cut, if a redirect leads to a long one', async () => {
    const { requests, agents, hops } = await check({
      files: { '/page': [302, { location: `/${'y'.repeat(9_000)}` }] },
    });
    expect(requests).toEqual(['/robots.txt', '/page']);
    expect(hops).toMatchObject([{ problem: 'url-too-long', status: 302 }]);
    expect(agents[0]?.answer).toBe('redirect');
    expect(agents[0]?.text).toMatch(/a URL that is too long to be requested: SITE\/y+…\.$/);
  });

  test('one request for the page, none for its resources, the robots.txt of their hosts', async () => {
    const files = { '/page': page('<img src=/a.png><script src=OTHER/b.js></script><img src=/a.png>') };
    const other = { '/robots.txt': [200, {}, 'User-agent: Googlebot\nDisallow: /b\n'] } as const;
    const { requests, resources, agents } = await check({ files, other, agents: ['Googlebot', 'CCBot'] });
    expect(requests).toEqual(['/robots.txt', '/page']);
    const verdict = { allowed: false, line: 2, rule: '/b', reason: 'rule', message: null };
    const script = { kind: 'script', url: 'OTHER/b.js', blockedFor: [{ agent: 'Googlebot', ...verdict }] };
    expect(resources).toEqual({
      total: 2,
      hosts: [
        { origin: 'SITE', problem: null, resources: [{ kind: 'image', url: 'SITE/a.png', blockedFor: [] }] },
        { origin: 'OTHER', problem: null, resources: [script] },
      ],
    });
    expect(agents.map(({ blockedResources }) => blockedResources.script)).toEqual([1, 0]);
  });

  test('a page is not requested if no crawler may fetch it that obeys the groups for all', async () => {
    const files = { '/private': page('x') };
    const names = ['AdsBot-Google', 'Google-Safety', 'Googlebot'];
    const { requests, agents, page: read } = await check({ files, path: '/private', agents: names });
    expect(requests).toEqual(['/robots.txt']);
    expect(read).toBe(null);
    expect(agents[0]?.answer).toBe('unknown');
    expect(agents[0]?.text).toContain('may fetch this page, but no crawler that obeys the groups for all');
  });

  test('a page is not requested if robots.txt disallows it for maycrawl by name', async () => {
    const robots = 'User-agent: maycrawl\nDisallow: /page\n';
    const { requests, agents, hops } = await check({ files: { '/page': page('x') }, robots });
    expect(requests).toEqual(['/robots.txt']);
    expect(hops[0]?.problem).toBe('disallowed-for-maycrawl');
    expect(agents[0]?.answer).toBe('unknown');
  });

  test('a redirect to a URL that no crawler may fetch is not followed', async () => {
    const { requests } = await check({ files: { '/page': [301, { location: '/private' }] } });
    expect(requests).toEqual(['/robots.txt', '/page']);
  });

  test('the robots.txt of twenty hosts at most', async () => {
    const html = Array.from({ length: 25 }, (_, host) => `<img src="http://127.0.0.1:${host + 1}/x">`).join(
      '',
    );
    const { resources } = await check({ files: { '/page': page(html) } });
    expect(resources?.hosts).toHaveLength(25);
    expect(resources?.hosts.filter(({ problem }) => problem?.startsWith('not checked'))).toHaveLength(5);
  });
});

test.each([
  [0, 0],
  [12, 12],
  [5_000_001, null],
])('the size of a page is that of its whole body: %i', async (length, bytes) => {
  const { hops, agents } = await check({ files: { '/page': page('x'.repeat(length)) } });
  expect(hops[0]?.bytes).toBe(bytes);
  expect(agents[0]?.text.includes('a part of it was not read')).toBe(bytes === null);
});

test('the lists of a hostile page are short', async () => {
  const html = Array.from(
    { length: 5_000 },
    (_, n) => `<meta name=robots content=noindex,${n}><link rel=canonical href=x${n}><img src=${n}>`,
  ).join('');
  const report = await check({ files: { '/page': page(html) } });
  expect(report.page?.robots).toHaveLength(100);
  expect(report.page?.canonical.statements).toHaveLength(100);
  expect(report.page?.isTruncated).toBe(true);
  expect(report.resources?.total).toBeGreaterThan(500);
  expect(report.resources?.hosts[0]?.resources).toHaveLength(500);
  expect(JSON.stringify(report).length).toBeLessThan(200_000);
});

/** Sixty crawlers, as many as a request has. */
const SIXTY = Array.from(
  { length: 60 },
  (_, n) => `Bot${'ABCDEFGHIJ'[n % 10]}${'KLMNOP'[Math.floor(n / 10)]}`,
);

test('a long rule is cut, because the report repeats it for each resource and each crawler', async () => {
  const html = Array.from({ length: 20 }, (_, n) => `<script src=/r${n}.js></script>`).join('');
  const report = await check({
    files: { '/page': page(html) },
    robots: `User-agent: *\nDisallow: /r${'*'.repeat(16_000)}\n`,
    agents: SIXTY,
  });
  const [verdict] = report.resources?.hosts[0]?.resources[0]?.blockedFor ?? [];
  expect(verdict).toMatchObject({ line: 2, rule: `/r${'*'.repeat(197)}…` });
  expect(JSON.stringify(report).length).toBeLessThan(500_000);
});

test('long URLs of resources are checked up to a total number of characters', async () => {
  const html = `<base href="/${'b'.repeat(100_000)}/">${Array.from({ length: 50 }, (_, n) => `<img src=${n}>`).join('')}`;
  const { resources } = await check({ files: { '/page': page(html) }, agents: SIXTY });
  expect(resources?.total).toBe(50);
  expect(resources?.hosts[0]?.resources).toHaveLength(4);
});

test('of thousands of statements those decide that forbid indexing, wherever they are', async () => {
  const many = (count: number, html: string): string =>
    Array.from({ length: count }, (_, n) => html.replace('#', `${n}`)).join('');
  const html = [
    many(3_000, '<meta name=robots content=index,#>'),
    many(3_000, '<meta name=googlebot content="#, unavailable_after: 2100-01-01">'),
    many(3_000, '<meta name=bingbot content=noindex,#>'),
    '<meta name=googlebot content="unavailable_after: 2000-01-01">',
  ].join('');
  const { agents } = await check({
    files: { '/page': page(html) },
    agents: ['Googlebot', 'bingbot', 'GPTBot'],
  });
  expect(agents.map(({ answer }) => answer)).toEqual(['noindex', 'noindex', 'blocked']);
  expect(agents[0]?.noindex).toEqual([
    { from: 'meta', agent: 'googlebot', text: 'unavailable_after: 2000-01-01', isDatePassed: true },
  ]);
  expect(agents[1]?.noindex).toMatchObject([{ agent: 'bingbot' }]);
});
