import type { OutgoingHttpHeaders } from 'node:http';
import { GOOGLE, resolveAgent } from '@maycrawl/core';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { PAGE_REPORT, type PageReport } from '../../../src/api/page-api.ts';
import { checkPage } from '../../../src/audit/page/check-page.ts';
import { openPageTools } from '../../../src/audit/page/open-page-tools.ts';
import { serveSite } from '../crawling.ts';

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
  const start = async (name: string, served: Files): Promise<readonly string[]> => {
    const site = await serveSite(({ url = '' }, response) => {
      const [status, headers = {}, body = ''] = served[url] ?? [404];
      const fill = (text: string): string =>
        text.replaceAll('SITE', urls['SITE'] ?? '').replaceAll('OTHER', urls['OTHER'] ?? '');
      if (status === 0) response.destroy();
      else response.writeHead(status, JSON.parse(fill(JSON.stringify(headers)))).end(fill(body));
    });
    urls[name] = site.origin;
    return site.requests;
  };
  const requests = await start('SITE', { '/robots.txt': [200, {}, robots], ...files });
  await start('OTHER', other);
  const url = urls['SITE'] + path;
  const tools = openPageTools({
    ...{ userAgent: 'test', profile: GOOGLE, timeout: 5_000, allowPrivateAddresses: true, url },
  });
  const report = await checkPage(url, agents.map(resolveAgent), 'google', tools);
  await tools.close();
  const ajv = new Ajv({ validateFormats: false, allowUnionTypes: true });
  ajv.validate(PAGE_REPORT, report);
  expect(ajv.errors).toBe(null);
  const text = Object.entries(urls).reduce(
    (all, [name, origin]) => all.replaceAll(origin, name),
    JSON.stringify(report),
  );
  return { ...JSON.parse(text), requests };
}

const page = (html: string, headers = {}): Files[''] => [200, { ...HTML, ...headers }, html];

const redirect = (location: string, status = 302): Files[''] => [status, { location }];

/** By the result for Googlebot: pages at `/page`, or other parts of a check, and a part of the sentence about it. */
const SENTENCES: Readonly<Record<string, readonly (readonly [served: Files[''] | Check, text: string])[]>> = {
  indexable: [
    [page('<title>t</title>'), 'Googlebot may fetch and index this page.'],
    [[200, { 'content-type': 'application/pdf' }, 'x'], 'this file (application/pdf), and nothing'],
    [{ files: { '/page': page('x') }, agents: ['CCBot'] }, 'nothing forbids indexing it.'],
    [page(''), 'But it is empty: Google treats an empty page as one that was not found.'],
    [page('<meta name=bingbot content=noindex>'), 'may fetch and index this page.'],
    [page('<link rel=canonical href=/a><link rel=canonical href=/b>'), '2 different canonicals'],
    [page('<p><link rel=canonical href=/a>'), 'Its canonical is ignored (in the body)'],
    [
      page('<script src=/assets/a.js></script><link rel=stylesheet href=/assets/a.css><img src=/assets/i>'),
      'Googlebot may not load 1 of its 2 scripts and style sheets',
    ],
    [
      { files: { '/page': redirect('/new'), '/new': page('x') } },
      'This URL redirects to SITE/new. Googlebot may fetch and index that page.',
    ],
    // The catalogue says which crawlers index pages for people who search.
    [{ files: { '/page': page('x') }, agents: ['MojeekBot'] }, 'MojeekBot may fetch and index this page.'],
    [{ files: { '/page': page('x') }, agents: ['SomeBot'] }, 'nothing forbids indexing it.'],
    [page('<meta http-equiv=refresh content="1;url=/new">'), 'as a temporary redirect.'],
    [page('<meta http-equiv=refresh content="300">'), 'fetch and index this page.'],
  ],
  'not-found': [
    [{ files: {}, path: '/lost' }, 'but it was not found (status 404), so it cannot be indexed.'],
  ],
  error: [
    [[503], 'a server error (status 503), so it cannot be indexed. This is the response to maycrawl;'],
    [[204], 'but it responds with status 204, and only 200 is indexed.'],
    [[301], 'but it redirects without a valid target (status 301), so it cannot be indexed.'],
    [[403], 'but it denies access (status 403)'],
    [[304], 'but it responds with status 304, so it cannot be indexed.'],
  ],
  noindex: [
    [
      page('<meta name="Robots" content="none"><meta name=googlebot content=noindex>'),
      'a meta tag for all crawlers says "none", and a meta tag for googlebot says',
    ],
    [
      page('x', { 'x-robots-tag': 'unavailable_after: 25 Jun 2010 15:00:00 GMT' }),
      'the header X-Robots-Tag for all crawlers says',
    ],
  ],
  canonicalised: [
    [page('<link rel=canonical href=/other>'), 'a link element names another URL as its can'],
    [page('x', { link: '</other>; rel=canonical' }), 'the header Link names another URL'],
  ],
  blocked: [
    [
      { files: { '/page': redirect('/2'), '/2': redirect('/private', 301) } },
      'This URL redirects in 2 steps to SITE/private. Googlebot may not fetch that page',
    ],
    [
      { files: { '/page': redirect('OTHER/x') }, other: { '/robots.txt': [503] } },
      'OTHER/robots.txt cannot be fetched (status 503), so everything is disallowed',
    ],
    [
      {
        ...{ files: { '/page': page('x') }, agents: ['Google-Extended'] },
        robots: 'User-agent: Google-Extended\nDisallow: /page\n',
      },
      'Google-Extended sends no requests. Line 2 of SITE/robots.txt forbids the use',
    ],
  ],
  redirect: [
    [page('<meta http-equiv=refresh content="0;url=/new">'), 'as a permanent redirect.'],
    [page('x', { refresh: '0; url=/new' }), 'but it refreshes to SITE/new after 0 seconds, which'],
    [
      { files: { '/page': redirect('/2'), '/2': redirect('/page') } },
      'but it redirects to SITE/page again, without an end',
    ],
  ],
};

describe('sentences', () => {
  describe.each(Object.entries(SENTENCES))('%s', (result, cases) => {
    test.each(cases)('%j: %s', async (served, text) => {
      const { agents } = await check('files' in served ? served : { files: { '/page': served } });
      expect(agents[0]).toMatchObject({ text: expect.stringContaining(text), result });
    });
  });

  test('a crawler that may not fetch a page cannot see what others see there', async () => {
    const files = { '/private': page('<meta name=robots content=noindex><link rel=canonical href=/x>') };
    const { agents } = await check({ files, path: '/private', agents: ['Googlebot', 'bingbot', 'GPTBot'] });
    expect(agents.map(({ text }) => text)).toEqual([
      'Googlebot may not fetch this page: line 2 of SITE/robots.txt (Disallow: /private) disallows it. It cannot see the noindex, and that it names another canonical, because it may not fetch the page. The URL can still be indexed without its content, if pages link to it: the noindex has no effect before robots.txt allows the URL.',
      'bingbot may fetch this page, but may not index it: a meta tag for all crawlers says "noindex".',
      'GPTBot may not fetch this page: line 7 of SITE/robots.txt (Disallow: /) disallows it. It cannot see the noindex, and that it names another canonical, because it may not fetch the page.',
    ]);
    expect(agents[0]).toMatchObject({ result: 'blocked', maskedReasons: ['noindex', 'canonicalised'] });
  });

  test('a page without a response', async () => {
    const { agents, hops } = await check({ files: { '/page': [0] } });
    expect(agents[0]?.text).toMatch(/, but maycrawl received no usable response \(.+\)\. Whether it can be/);
    expect(agents[0]?.result).toBe('unreachable');
    expect(hops[0]?.failure).toMatchObject({ code: 'network' });
  });

  test('a body that cannot be decoded is not called a failed connection', async () => {
    const files = { '/page': page('<title>plain</title>', { 'content-encoding': 'gzip' }) };
    const { agents } = await check({ files });
    expect(agents[0]?.text).toContain('no usable response (Z_DATA_ERROR: incorrect header check).');
  });

  test('a robots.txt that maycrawl refuses to request decides nothing', async () => {
    const files = { '/page': redirect('http://127.0.0.1:22/') };
    const { agents, hops } = await check({ files, agents: ['Googlebot', 'AdsBot-Google'] });
    expect(hops[1]).toMatchObject({
      problem: 'no-verdict',
      verdicts: [{ allowed: null }, { allowed: null }],
    });
    expect(agents[0]?.result).toBe('unknown');
    expect(agents[0]?.text).toContain(
      'did not request http://127.0.0.1:22/robots.txt, because its port is blocked',
    );
  });

  test('more than ten redirects', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, step) => [`/${step}`, redirect(`/${step + 1}`)]),
    );
    const { agents, hops } = await check({ files, path: '/0' });
    expect(hops).toHaveLength(11);
    expect(hops.at(-1)).toMatchObject({ problem: 'too-many-redirects', location: 'SITE/11' });
    expect(agents[0]?.result).toBe('redirect');
  });
});

describe('what is requested', () => {
  test('the target of a redirect in raw UTF-8, as browsers request it', async () => {
    const location = Buffer.from('/caf\u00e9').toString('latin1');
    const files = { '/page': redirect(location), '/caf%C3%A9': page('<title>t</title>') };
    const { requests, page: read } = await check({ files });
    expect(requests).toEqual(['/robots.txt', '/page', '/caf%C3%A9']);
    expect(read).toMatchObject({ url: 'SITE/caf%C3%A9', title: 't' });
  });

  test('no URL that is cut, if a redirect leads to a long one', async () => {
    const files = { '/page': redirect(`/${'y'.repeat(9_000)}`) };
    const { requests, agents, hops } = await check({ files });
    expect(requests).toEqual(['/robots.txt', '/page']);
    expect(hops).toMatchObject([{ problem: 'url-too-long', status: 302 }]);
    expect(agents[0]?.result).toBe('redirect');
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
    expect(agents[0]?.result).toBe('unknown');
    expect(agents[0]?.text).toContain('may fetch this page, but no crawler that obeys the groups for all');
  });

  test('a page is not requested if robots.txt disallows it for maycrawl by name', async () => {
    const robots = 'User-agent: maycrawl\nDisallow: /page\n';
    const { requests, agents, hops } = await check({ files: { '/page': page('x') }, robots });
    expect(requests).toEqual(['/robots.txt']);
    expect(hops[0]?.problem).toBe('disallowed-for-maycrawl');
    expect(agents[0]?.result).toBe('unknown');
  });

  test('a redirect to a URL that no crawler may fetch is not followed', async () => {
    const { requests } = await check({ files: { '/page': redirect('/private') } });
    expect(requests).toEqual(['/robots.txt', '/page']);
  });

  test('the robots.txt of twenty hosts at most', async () => {
    const html = repeat(25, '<img src="http://127.0.0.1:1#/x">');
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
  const html = repeat(5_000, '<meta name=robots content=noindex,#><link rel=canonical href=x#><img src=#>');
  const report = await check({ files: { '/page': page(html) } });
  expect(report.page?.robots).toHaveLength(100);
  expect(report.page?.canonical.statements).toHaveLength(100);
  expect(report.page?.isTruncated).toBe(true);
  expect(report.resources?.total).toBeGreaterThan(500);
  expect(report.resources?.hosts[0]?.resources).toHaveLength(500);
  expect(JSON.stringify(report).length).toBeLessThan(200_000);
});

/** Sixty crawlers, as many as a request has. */
const SIXTY = [...'ABCDEFGHIJ'].flatMap((one) => [...'KLMNOP'].map((other) => `Bot${one}${other}`));
/** Repeats a text, with the number of each in place of `#`. */
const repeat = (count: number, html: string): string =>
  Array.from({ length: count }, (_, n) => html.replaceAll('#', `${n}`)).join('');

test('a long rule is cut, because the report repeats it for each resource and each crawler', async () => {
  const html = repeat(20, '<script src=/r#.js></script>');
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
  const html = `<base href="/${'b'.repeat(100_000)}/">${repeat(50, '<img src=#>')}`;
  const { resources } = await check({ files: { '/page': page(html) }, agents: SIXTY });
  expect(resources?.total).toBe(50);
  expect(resources?.hosts[0]?.resources).toHaveLength(4);
});

test('of thousands of statements those decide that forbid indexing, wherever they are', async () => {
  const html = [
    repeat(3_000, '<meta name=robots content=index,#>'),
    repeat(3_000, '<meta name=googlebot content="#, unavailable_after: 2100-01-01">'),
    repeat(3_000, '<meta name=bingbot content=noindex,#>'),
    '<meta name=googlebot content="unavailable_after: 2000-01-01">',
  ].join('');
  const { agents } = await check({
    files: { '/page': page(html) },
    agents: ['Googlebot', 'bingbot', 'GPTBot'],
  });
  expect(agents.map(({ result }) => result)).toEqual(['noindex', 'noindex', 'blocked']);
  expect(agents[0]?.noindex).toEqual([
    { from: 'meta', agent: 'googlebot', text: 'unavailable_after: 2000-01-01', isDatePassed: true },
  ]);
  expect(agents[1]?.noindex).toMatchObject([{ agent: 'bingbot' }]);
});
