import { Ajv } from 'ajv';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { PREFERENCE_REPORTS, type PreferenceReports } from '../../../src/api/preferences-api.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  // On a busy machine a long task may take longer than the default.
  service = await startService({ limits: { threadTime: 200_000, responseTime: 200_000 } });
});
afterAll(() => service.app.close());

let site: TestServer | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const validate = new Ajv({ formats: { 'date-time': true }, allowUnionTypes: true }).compile(
  PREFERENCE_REPORTS,
);
const URL_ = 'https://example.com/page';
const ROBOTS = 'User-agent: *\nContent-Usage: train-ai=n, search=y\nDisallow: /private/\n';

/** Reads preferences, and validates the response. */
async function read(body: object, of = service): Promise<PreferenceReports> {
  const { status, body: reports } = await of.post('/v1/preferences', body);
  expect(status, JSON.stringify(reports)).toBe(200);
  expect([validate(reports), validate.errors]).toEqual([true, null]);
  return reports as unknown as PreferenceReports;
}

/** Returns the values of a purpose for each crawler. */
const getValues = ({ reports }: PreferenceReports, purpose: string): (string | undefined)[] =>
  reports.map(({ purposes }) => (purposes as Record<string, { readonly value: string }>)[purpose]?.value);

test('a robots.txt in the request is read, and nothing is fetched', async () => {
  const guarded = await startService({
    allowPrivateAddresses: false,
    fetcher: () => Promise.reject(new TypeError('a fetch')),
  });
  const reports = await read(
    { url: URL_, agents: ['GPTBot', 'token:MyBot', 'GPTBot'], robots: ROBOTS },
    guarded,
  );
  await guarded.app.close();
  expect(reports).toMatchObject({
    url: URL_,
    profile: 'google',
    policy: { kind: 'rules' },
    isTruncated: false,
  });
  expect(reports.reports).toMatchObject([
    { agent: 'GPTBot', crawl: 'allowed', purposes: { 'ai-train': { value: 'disallowed', line: 2 } } },
    { agent: 'MyBot', crawl: 'allowed', purposes: { search: { value: 'allowed', format: 'content-usage' } } },
  ]);
});

test('without one, the robots.txt of the origin is fetched once, and the page is not requested', async () => {
  site = await serve((_request, response) => response.end(ROBOTS));
  const reports = await read({ url: `${site.origin}/page` });
  expect(getValues(reports, 'ai-train').length).toBeGreaterThan(10);
  expect(new Set(getValues(reports, 'ai-train'))).toEqual(
    // AdsBot-Google ignores the groups for *.
    new Set(['disallowed', 'unknown']),
  );
  expect(typeof reports.fetchedAt).toBe('string');
  const other = await read({ url: `${site.origin}/private/1`, agents: ['GPTBot'] });
  expect(other.reports).toMatchObject([
    { crawl: 'disallowed', purposes: { search: { value: 'not-applicable' } } },
  ]);
  expect(site.requests).toEqual(['/robots.txt']);
});

test('an unreachable robots.txt allows no use, and the response says why', async () => {
  site = await serve((_request, response) => response.writeHead(503).end());
  const reports = await read({ url: `${site.origin}/`, agents: ['GPTBot'], tdmrep: '[]' });
  expect(reports).toMatchObject({
    policy: { kind: 'disallow-all', reason: 'unreachable' },
    code: 'http-status',
  });
  expect(getValues(reports, 'ai-train')).toEqual(['not-applicable']);
});

const PROHIBITS =
  '<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>';
test.each([
  [{ headers: [['content-usage', 'train-ai=n']] }, 'content-usage'],
  [{ metas: [{ name: 'robots', content: 'noai' }] }, 'page'],
  [{ tdmrep: '[{"location":"/","tdm-reservation":1}]' }, 'tdmrep'],
  [{ rsl: [{ url: null, text: PROHIBITS }] }, 'rsl'],
  [{ robots: 'User-agent: train-token\nDisallow: /\n', policyTokens: ['train-token'] }, 'policy-token'],
])('%j states a refusal', async (sources, format) => {
  const { reports } = await read({ url: URL_, agents: ['GPTBot'], robots: '', ...sources });
  expect(reports[0]?.purposes).toMatchObject({ 'ai-train': { value: 'disallowed', format } });
});

test('a report says who promised to honour a refusal, and for which formats no promise is known', async () => {
  const metas = [
    { name: 'robots', content: 'noarchive' },
    { name: 'content-usage', content: 'train-ai=n' },
  ];
  const { reports } = await read({ url: URL_, agents: ['bingbot', 'GPTBot'], robots: '', metas });
  expect(reports[0]).toMatchObject({
    promises: [{ operator: 'Microsoft', label: 'noarchive', status: 'documented', crawlers: ['bingbot'] }],
    unpromised: ['content-usage'],
  });
  expect(reports[1]).toMatchObject({ promises: [], unpromised: ['content-usage'] });
});

test.each([
  [{}, 'invalid-request'],
  [{ url: 'example.com' }, 'invalid-url'],
  [{ url: '/page' }, 'invalid-url'],
  [{ url: 'https://[::1' }, 'invalid-url'],
  [{ url: 'mailto:a@example.com' }, 'unsupported-scheme'],
  [{ url: `https://example.com/${'x'.repeat(9_000)}` }, 'url-too-long'],
  [{ url: URL_, agents: [] }, 'invalid-request'],
  [{ url: URL_, agents: ['!'] }, 'invalid-agent'],
  [{ url: URL_, agents: ['x'.repeat(2_000)] }, 'invalid-agent'],
  [{ url: URL_, agents: Array.from({ length: 61 }, (_, index) => `b${index}`) }, 'invalid-request'],
  [{ url: URL_, agent: 'GPTBot' }, 'invalid-request'],
  [{ url: URL_, profile: 'x' }, 'unknown-profile'],
  [{ url: URL_, robots: 1 }, 'invalid-request'],
  [{ url: URL_, headers: { 'content-usage': 'train-ai=n' } }, 'invalid-request'],
  [{ url: URL_, headers: [['content-usage']] }, 'invalid-request'],
  [{ url: URL_, headers: Array.from({ length: 1_001 }, () => ['a', 'b']) }, 'invalid-request'],
  [{ url: URL_, metas: [{ name: 'robots' }] }, 'invalid-request'],
  [{ url: URL_, rsl: [{ text: '' }] }, 'invalid-request'],
  [{ url: URL_, policyTokens: ['not a token'] }, 'invalid-agent'],
  [
    { url: URL_, policyTokens: Array.from({ length: 21 }, (_, index) => `t${'x'.repeat(index)}`) },
    'invalid-request',
  ],
])('%j is refused', async (body, code) => {
  const sent = { robots: '', ...body };
  expect(await service.post('/v1/preferences', sent)).toMatchObject({ status: 400, body: { code } });
});

test.each([
  'http://example.com',
  'https://user:pw@EXAMPLE.com:8443/%7ea?b#c',
  'ftp://example.com/a',
  'https://bücher.example/ü',
])('%s has preferences', async (url) => {
  const { reports } = await read({ url, agents: ['GPTBot'], robots: ROBOTS });
  expect(reports[0]).toMatchObject({ url, purposes: { 'ai-train': { value: 'disallowed' } } });
});

const LONG_URL = `https://example.com/${'a'.repeat(8_000)}`;
/** 25,000 lines of 512,000 bytes, whose paths all match the long URL. */
const DECLARATIONS = `User-agent: *\n${Array.from({ length: 25_000 }, (_, line) => `Content-Usage: ${line % 2 ? '/*a ' : ''}ai=${line % 3 ? 'y' : 'n'}`).join('\n')}`;
const BUSY: readonly (readonly [name: string, body: object])[] = [
  ['25,000 declarations', { robots: DECLARATIONS }],
  [
    'a thousand headers of 4,000 characters',
    {
      robots: '',
      headers: Array.from({ length: 1_000 }, () => ['Content-Usage', `${'a=n,'.repeat(1_000)}train-ai=n`]),
    },
  ],
  [
    '5 MB of tdmrep.json',
    {
      robots: '',
      tdmrep: `[${Array.from({ length: 60_000 }, () => '{"location":"/*a*a*a*b$","tdm-reservation":1}').join(',')}]`,
    },
  ],
  [
    '5 MB of RSL',
    { robots: '', rsl: [{ url: null, text: `<rsl>${'<content url="/*a*a*b">'.repeat(200_000)}` }] },
  ],
];

test.each(BUSY)('%s and a long URL are read to their end', async (_name, body) => {
  const reports = await read({ url: LONG_URL, agents: ['GPTBot', 'CCBot', 'Googlebot'], ...body });
  expect(reports.reports.length).toBe(3);
});

test('a file whose statements repeat long names of agents has a response of limited size', async () => {
  const labels = ['train-ai', 'ai-use', 'search', 'ai', 'genai', 'tdm', 'all'];
  const lines = Array.from({ length: 2 ** labels.length }, (_, bits) => {
    const members = labels.map((label, index) => `${label}=${bits & (1 << index) ? 'y' : 'n'}`);
    return `Content-Usage: ${members.join(', ')}`;
  });
  const names = Array.from({ length: 20 }, (_, index) => `User-agent: ${'x'.repeat(300 + index)}`);
  const robots = ['User-agent: *', ...names, ...lines].join('\n');
  const agents = Array.from(
    { length: 60 },
    (_, index) => `token:Bot${String.fromCharCode(97 + (index % 26))}${'x'.repeat(index)}`,
  );
  const reports = await read({ url: URL_, agents, robots });
  expect(reports.isTruncated).toBe(true);
  expect(JSON.stringify(reports).length).toBeLessThan(4_000_000);
  // The values are complete.
  expect(new Set(getValues(reports, 'ai-input'))).toEqual(new Set(['disallowed']));
});

test('a thousand meta elements of a thousand directives are read for all common crawlers, equal ones once', async () => {
  const metas = Array.from({ length: 1_000 }, () => ({ name: 'robots', content: 'noai, '.repeat(320) }));
  const equal = await read({ url: URL_, robots: ROBOTS, metas });
  for (const { agent, purposes, problems } of equal.reports) {
    const statements = (
      purposes as unknown as Record<string, { readonly statements: readonly { source: string }[] }>
    )['ai-train']?.statements;
    // AdsBot-Google obeys only what names it.
    const expected = agent === 'AdsBot-Google' ? 0 : 1;
    expect(statements?.filter(({ source }) => source === 'meta')).toHaveLength(expected);
    expect(problems).toEqual([]);
  }
  // They have more characters than are read.
  const different = metas.map(({ name, content }, index) => ({ name, content: `x${index}, ${content}` }));
  const { reports } = await read({ url: URL_, robots: ROBOTS, metas: different });
  for (const { problems } of reports) expect(problems).toMatchObject([{ source: 'meta', name: 'robots' }]);
});

test('a malformed RSL document and one of 200,000 characters are read, and the problem is in the response', async () => {
  const refusal = (url: string, end = '</license>'): string =>
    `<rsl><content url="${url}"><license><prohibits type="usage">ai-input</prohibits>${end}</content></rsl>`;
  const url = `https://example.com/${'a'.repeat(1_000)}`;
  const inlineRsl = [refusal(`/*${'b'.repeat(200_000)}`), refusal('/', '')];
  const reports = await read({ url, robots: ROBOTS, agents: ['GPTBot'], inlineRsl });
  expect(getValues(reports, 'ai-input')).toEqual(['disallowed']);
  expect(reports.reports[0]?.problems).toEqual([
    { source: 'html', name: 'script', line: 1, reason: 'the element license has no end tag' },
  ]);
});

test('a task that takes too long is stopped: it runs in a thread, so that it blocks no other request', async () => {
  const hasty = await startService({ limits: { threadTime: 1 } });
  const { status, body } = await hasty.post('/v1/preferences', { url: LONG_URL, robots: DECLARATIONS });
  await hasty.app.close();
  expect({ status, code: body['code'] }).toEqual({ status: 422, code: 'too-much-work' });
});

test('the request needs a JSON body, which pages of other sites cannot send', async () => {
  expect(
    (
      await service.get('/v1/preferences', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'text/plain' },
      })
    ).status,
  ).toBe(415);
  expect((await service.get('/v1/preferences?url=https://example.com/')).status).toBe(405);
});

test('on demand the page and tdmrep.json are requested, and the response has what can state preferences', async () => {
  site = await serve(({ url }, response) => {
    if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /private/\n');
    else if (url === '/.well-known/tdmrep.json') response.end('[{"location":"/","tdm-reservation":1}]');
    else
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'content-usage': 'search=y',
          'set-cookie': 'a=secret',
        })
        .end('<meta name="robots" content="noai"><meta name="author" content="x">');
  });
  const url = `${site.origin}/page`;
  const reports = await read({ url, agents: ['GPTBot'], fetch: true });
  expect(reports.sources).toEqual({
    headers: [{ name: 'content-usage', value: 'search=y' }],
    metas: [{ name: 'robots', content: 'noai' }],
    tdmrep: '[{"location":"/","tdm-reservation":1}]',
    problems: [],
  });
  expect(getValues(reports, 'ai-train')).toEqual(['disallowed']);
  expect(getValues(reports, 'search')).toEqual(['allowed']);
  expect(site.requests).toEqual(['/robots.txt', '/page', '/.well-known/tdmrep.json']);
  // What the request contains is not requested.
  const given = await read({ url, agents: ['GPTBot'], fetch: true, headers: [], tdmrep: '[]' });
  expect(given.sources).toEqual({ headers: [], metas: [], tdmrep: null, problems: [] });
  expect(site.requests).toHaveLength(3);
});

test('the live robots.txt decides what is requested, not one in the request', async () => {
  site = await serve(({ url }, response) => {
    if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /private/\n');
    else response.writeHead(404).end();
  });
  const url = `${site.origin}/private/page`;
  const reports = await read({ url, agents: ['GPTBot'], fetch: true, robots: 'User-agent: *\nAllow: /\n' });
  expect(reports.reports).toMatchObject([{ crawl: 'allowed' }]);
  expect(reports.sources).toMatchObject({
    tdmrep: null,
    problems: [{ source: 'page', url, message: 'robots.txt disallows it' }],
  });
  expect(site.requests).toEqual(['/robots.txt', '/.well-known/tdmrep.json']);
  const ftp = { url: 'ftp://example.com/a', robots: '', fetch: true };
  expect(await service.post('/v1/preferences', ftp)).toMatchObject({ body: { code: 'unsupported-scheme' } });
});
