/** The hosts of the starts are requested with http and https, with and without www, and without the port. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createAddressPolicy, RequestError } from '@maycrawl/client/internal';
import { afterAll, describe, expect, test } from 'vitest';
import { PageClient } from '../../src/audit/crawl/page-client.ts';
import { listHostVariants } from '../../src/audit/crawl/site-requests/host-variants.ts';
import { HOST_VARIANTS } from '../../src/audit/run/records/site-facts.ts';
import { isCertificateFailure } from '../../src/text/network-failures.ts';
import { type Crawled, type CrawlModes, crawlAll, serveSite } from './crawling.ts';

test.each([
  ['https://example.com', ['http://example.com', 'https://www.example.com', 'http://www.example.com']],
  ['http://www.example.com', ['https://www.example.com', 'https://example.com', 'http://example.com']],
  [
    'http://example.com:8080',
    [
      ...['https://example.com', 'http://example.com', 'http://www.example.com:8080'],
      ...['https://www.example.com', 'http://www.example.com'],
    ],
  ],
  ['https://www.com', ['http://www.com']],
  ['http://intranet', ['https://intranet']],
  ['http://intranet:8080', []],
  ['http://127.0.0.1', ['https://127.0.0.1']],
  ['http://127.0.0.1:8080', []],
  ['http://[::1]:8080', []],
  ['http://localhost:8080', []],
  ['http://shop.localhost:8080', ['http://www.shop.localhost:8080']],
])('the variants of %s', (origin, variants) => {
  expect(listHostVariants(origin)).toEqual(variants);
});

type Respond = (request: IncomingMessage, response: ServerResponse, origin: string) => void;

const PAGE = '<title>Shop</title>';
const respond: Respond = (_, response) => response.setHeader('content-type', 'text/html').end(PAGE);
const redirect: Respond = ({ url = '' }, response, origin) =>
  response.writeHead(301, { location: origin + url }).end();

/** What each of the two hosts does. */
interface Hosts {
  readonly bare?: Respond;
  readonly www?: Respond;
  readonly robots?: Readonly<Record<'bare' | 'www', string | number>>;
  readonly modes?: CrawlModes;
  readonly start?: 'bare' | 'www';
}

interface Site extends Crawled {
  readonly origins: Readonly<Record<'bare' | 'www', string>>;
  /** Hosts and paths. */
  readonly requests: readonly string[];
}

async function crawlHosts({
  bare = respond,
  www = respond,
  robots,
  modes,
  start = 'bare',
}: Hosts): Promise<Site> {
  const requests: string[] = [];
  let port = '';
  const name = (host: string): 'bare' | 'www' => (host.startsWith('www.') ? 'www' : 'bare');
  const server = await serveSite((request, response) => {
    const { host = '' } = request.headers;
    const own = name(host);
    requests.push(`${request.method} ${own} ${request.url}`);
    if (request.url === '/robots.txt') {
      const file = robots?.[own] ?? '';
      return typeof file === 'string' ? response.end(file) : response.writeHead(file).end();
    }
    const other = `http://${own === 'www' ? '' : 'www.'}shop.localhost:${port}`;
    return (own === 'www' ? www : bare)(request, response, other);
  });
  ({ port } = new URL(server.origin));
  const origins = { bare: `http://shop.localhost:${port}`, www: `http://www.shop.localhost:${port}` };
  const crawled = await crawlAll([`${origins[start]}/`], { requestsHostVariants: true, ...modes });
  return { ...crawled, origins, requests };
}

/** Rules whose comparison takes more work than it may. */
const entangle = (seed: number): string =>
  Array.from({ length: 60 }, (_, index) => {
    const letter = 'abcdefgh'[(index * seed) % 8];
    return `${index % 2 ? 'Allow' : 'Disallow'}: /*${letter}*${index}*x*y\n`;
  }).join('');

const listFindings = ({ run, origins }: Site, agent = 0): string[] =>
  (['host-variant-responds', 'host-variant-robots', 'host-variant-fails'] as const).flatMap((code) =>
    Array.from(run.findings.list(code, agent), ({ url, detail, targets }) =>
      `${code} ${url}: ${detail}; ${targets}`.replaceAll(origins.bare, 'BARE').replaceAll(origins.www, 'WWW'),
    ),
  );

test('a host that redirects is no finding', async () => {
  const site = await crawlHosts({ www: redirect });
  expect(listFindings(site)).toEqual([]);
  expect(HOST_VARIANTS.get(site.run, site.origins.bare)).toEqual([
    { url: `${site.origins.bare}/`, end: `${site.origins.bare}/`, status: 200, code: null, detail: null },
    { url: `${site.origins.www}/`, end: `${site.origins.bare}/`, status: 200, code: null, detail: null },
  ]);
});

test('a second host with the same pages is a finding at the first one', async () => {
  const site = await crawlHosts({});
  expect(listFindings(site)).toEqual(['host-variant-responds BARE/: WWW; WWW/']);
});

test('a start that redirects to the other host is no finding', async () => {
  const site = await crawlHosts({ bare: redirect });
  expect(listFindings(site)).toEqual([]);
});

test.each<readonly [name: string, hosts: Hosts, findings: readonly string[]]>([
  [
    'another robots.txt',
    { robots: { bare: 'User-agent: *\nDisallow: /a/', www: 'User-agent: *\nDisallow: /b' } },
    ['host-variant-responds BARE/: WWW; WWW/', 'host-variant-robots BARE/: WWW disallows /b; WWW/robots.txt'],
  ],
  [
    'a robots.txt that allows more',
    { robots: { bare: 'User-agent: *\nDisallow: /a/', www: 404 } },
    [
      'host-variant-responds BARE/: WWW; WWW/',
      'host-variant-robots BARE/: WWW allows /a/, which this one disallows; WWW/robots.txt',
    ],
  ],
  [
    'a robots.txt that hides its redirect',
    { www: redirect, robots: { bare: '', www: 'User-agent: *\nDisallow: /' } },
    ['host-variant-robots BARE/: WWW disallows /; WWW/robots.txt'],
  ],
  [
    'another robots.txt and a redirect that crawlers see',
    { www: redirect, robots: { bare: 'User-agent: *\nDisallow: /a', www: 404 } },
    [],
  ],
  [
    'the same rules in another order',
    {
      www: respond,
      robots: {
        bare: 'User-agent: *\nDisallow: /a\nDisallow: /b',
        www: 'User-agent: *\nDisallow: /b\nDisallow: /a',
      },
    },
    ['host-variant-responds BARE/: WWW; WWW/'],
  ],
  [
    'status 404',
    { www: (_, response) => response.writeHead(404).end() },
    ['host-variant-fails BARE/: WWW: status 404; WWW/'],
  ],
  [
    'a robots.txt with status 503',
    { www: redirect, robots: { bare: '', www: 503 } },
    [
      expect.stringMatching(
        /^host-variant-fails BARE\/: WWW: the robots\.txt of its host cannot be fetched .*503/,
      ) as string,
    ],
  ],
  [
    'redirects without an end',
    { www: ({ url = '' }, response) => response.writeHead(302, { location: `/a${url}` }).end() },
    [
      expect.stringMatching(
        /^host-variant-fails BARE\/: WWW: its redirects end at .*too-many; WWW\/$/,
      ) as string,
    ],
  ],
  ['no response', { www: (request) => request.socket.destroy() }, []],
  [
    'status 404 and another robots.txt, which decides nothing',
    {
      www: (_, response) => response.writeHead(404).end(),
      robots: { bare: '', www: 'User-agent: *\nDisallow: /a' },
    },
    ['host-variant-fails BARE/: WWW: status 404; WWW/'],
  ],
  [
    'rules that are too complex to compare',
    {
      robots: {
        bare: `User-agent: *\n${entangle(3)}`,
        www: `User-agent: *\n${entangle(5)}`,
      },
    },
    [
      'host-variant-responds BARE/: WWW; WWW/',
      'host-variant-robots BARE/: WWW has another file, too complex to compare; WWW/robots.txt',
    ],
  ],
  [
    'a redirect to another site, and another robots.txt',
    {
      www: (_, response) => response.writeHead(301, { location: 'http://127.0.0.1:1/' }).end(),
      robots: { bare: '', www: 'User-agent: *\nDisallow: /a' },
    },
    [],
  ],
])('a second host with %s', async (_, hosts, findings) => {
  expect(listFindings(await crawlHosts(hosts))).toEqual(findings);
});

test('only the crawlers whose verdicts differ have a finding', async () => {
  const site = await crawlHosts({
    www: respond,
    robots: { bare: 'User-agent: GPTBot\nDisallow: /a', www: 'User-agent: GPTBot\nDisallow: /b' },
    modes: { settings: { agents: ['Googlebot', 'GPTBot'] } },
  });
  expect(listFindings(site, 0)).toEqual(['host-variant-responds BARE/: WWW; WWW/']);
  expect(listFindings(site, 1)).toEqual(['host-variant-robots BARE/: WWW disallows /b; WWW/robots.txt']);
});

test.each<readonly [name: string, modes: CrawlModes]>([
  ['this is turned off', { requestsHostVariants: false }],
  ['its robots.txt was replaced', { robots: Buffer.from(''), settings: { isRobotsGiven: true } }],
])('no other host is requested if %s', async (_, modes) => {
  const site = await crawlHosts({ modes });
  expect(site.requests.filter((each) => each.includes('www'))).toEqual([]);
});

test('robots.txt of the other host is obeyed', async () => {
  const { requests } = await crawlHosts({ robots: { bare: '', www: 'User-agent: *\nDisallow: /' } });
  expect(requests.filter((each) => each.includes('www'))).toEqual(['GET www /robots.txt']);
});

describe('a failed connection', () => {
  const read = (name: string): Buffer =>
    readFileSync(new URL(`../../../client/test/support/certificates/${name}`, import.meta.url));
  const client = new PageClient({
    ...{ userAgent: 'test', headers: [], headerOrigins: new Set(), maxBytes: 1_000, connections: 1 },
    ...{ timeout: 60_000, addressPolicy: createAddressPolicy({ allowPrivateAddresses: true }) },
  });
  afterAll(() => client.close());
  const fail = async (url: string): Promise<string> => {
    const error: unknown = await client
      .check(url, 'HEAD', new AbortController().signal)
      .catch((each) => each);
    return error instanceof RequestError ? `${error.code} ${error.message}` : 'no failure';
  };

  test.each(['self-signed.pem', 'wrong-host.pem', 'expired.pem', 'valid.pem'])(
    'is one of the certificate: %s',
    async (name) => {
      const server = createTlsServer({ key: read('server.key'), cert: read(name) });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const failure = await fail(`https://localhost:${(server.address() as AddressInfo).port}/`);
      server.close();
      expect(failure).toMatch(/^network /);
      expect(isCertificateFailure(failure)).toBe(true);
    },
  );

  test('is none of the certificate if the server takes no connection, or speaks no TLS', async () => {
    const server = await serveSite((_, response) => response.end());
    for (const url of ['https://127.0.0.1:9/', server.origin.replace('http:', 'https:')])
      expect(isCertificateFailure(await fail(url))).toBe(false);
  });
});
