import { request as startRequest } from 'node:http';
import { parse, resolveAgent } from '@maycrawl/core';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { MemoryStore } from '../../../dist/index.js';
import { decision } from '../../../dist/serve/routes/schemas.js';
import { getDecisionPath, startService, type TestService } from '../../support/service.ts';

const FILE = [
  'User-agent: *',
  'Disallow: /private',
  'Allow: /private/press',
  '',
  'User-agent: Googlebot',
  'Disallow: /g',
  'Disallow: /*?q=%2F',
  '',
  'User-agent: GPTBot',
  'Disallow: /',
].join('\n');
const PATHS = ['/', '/private', '/private/press/1', '/g?x', '/a?q=/', '/é', '/robots.txt', '/%67'];
const AGENTS = ['Googlebot', 'Googlebot Image', 'GPTBot', 'UnlistedBot', 'MJ12bot'];

const isDecision = new Ajv({ validateFormats: false, allowUnionTypes: true }).compile(decision);

describe('POST and GET /v1/decide', () => {
  let site: TestServer;
  let service: TestService;
  beforeAll(async () => {
    site = await serve((_request, response) => response.end(FILE));
    service = await startService();
  });
  afterAll(async () => {
    await service.app.close();
    await site.close();
  });

  test.each(['google', 'rfc9309'])('the service decides as the library (%s)', async (profile) => {
    const robots = parse(FILE, { profile, url: `${site.origin}/robots.txt` });
    for (const agent of AGENTS) {
      const { name, crawler } = resolveAgent(agent);
      const ruleset = robots.ruleset(crawler);
      for (const path of PATHS) {
        const { status, body } = await service.get(getDecisionPath(site.origin + path, agent, profile));
        const verdict = ruleset.decide(site.origin + path);
        if (verdict.kind === 'out-of-scope') throw new Error(path);
        expect(status).toBe(200);
        expect(isDecision(body), JSON.stringify(isDecision.errors)).toBe(true);
        expect(body).toMatchObject({
          url: site.origin + path,
          agent: name,
          profile,
          allowed: verdict.allowed,
          line: verdict.line,
          rule: verdict.rule?.text ?? null,
          reason: verdict.reason,
          policy: { kind: 'rules' },
        });
      }
    }
    expect(site.requests).toEqual(['/robots.txt']);
  });

  test('a complete User-Agent header is accepted as the agent', async () => {
    const header = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
    const { body } = await service.get(getDecisionPath(`${site.origin}/x`, header));
    expect(body).toMatchObject({ agent: 'GPTBot', allowed: false, line: 10 });
  });

  test('the answers for a list of URLs are those of single requests, in the same order', async () => {
    const urls = [...PATHS.map((path) => site.origin + path), 'ftp//x', '/x', 'mailto:x', `${site.origin}`];
    const { status, body } = await service.post('/v1/decide', { agent: 'Googlebot', urls });
    expect(status).toBe(200);
    const answers = body['decisions'] as Record<string, unknown>[];
    expect(answers.map(({ url }) => url)).toEqual(urls);
    for (const [index, url] of urls.entries()) {
      const alone = await service.get(getDecisionPath(url));
      if (alone.status === 200) expect(answers[index]).toEqual(alone.body);
      else expect(answers[index]).toMatchObject({ allowed: null, error: { code: alone.body['code'] } });
    }
    expect(answers.slice(PATHS.length, -1).map(({ error }) => (error as { code: string }).code)).toEqual([
      'invalid-url',
      'invalid-url',
      'unsupported-scheme',
    ]);
  });

  test.each([
    'HTTP://127.0.0.1/',
    'http:\\\\127.0.0.1/',
    'http://user:pass@127.0.0.1/',
    'http:///127.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1?x',
    'http://127.0.0.1#x',
    'ht\ntp://127.0.0.1/',
    'http://\t/127.0.0.1/',
    'http://127.0.0.1 ',
    'http://127.0.0.1\u0000',
  ])('an unusual form of an origin has the same decision: %j', async (written) => {
    const { port } = new URL(site.origin);
    const url = written.replace(/127\.0\.0\.1|127\.1/, (host) => `${host}:${port}`);
    const { body } = await service.post('/v1/decide', {
      agent: 'UnlistedBot',
      urls: [url, `${site.origin}/`],
    });
    const [odd, usual] = body['decisions'] as Record<string, unknown>[];
    expect(odd).toEqual({ ...usual, url });
  });

  test('each line of NDJSON has one line of the response, in the same order', async () => {
    const lines = [
      JSON.stringify({ url: `${site.origin}/private` }),
      'no JSON',
      JSON.stringify({ url: `${site.origin}/private`, agent: 'GPTBot' }),
      '',
      JSON.stringify({ url: 7 }),
      'null',
      JSON.stringify({ url: 'x', agent: 'y' }),
      JSON.stringify({ url: `${site.origin}/`, agent: '' }),
      JSON.stringify({ url: `${site.origin}/last` }),
    ];
    const response = await fetch(`${service.address}/v1/decide?agent=UnlistedBot`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const answers = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ allowed, line, error }) => error?.code ?? [allowed, line])).toEqual([
      [false, 2],
      'invalid-json',
      [false, 10],
      'invalid-field',
      'invalid-field',
      'invalid-url',
      'invalid-field',
      [true, 0],
    ]);
  });

  test('lines have the profile of the query, and none of their own', async () => {
    const url = `${site.origin}/private`;
    const response = await fetch(`${service.address}/v1/decide?agent=UnlistedBot&profile=rfc9309`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify({ url })}\n${JSON.stringify({ url, profile: 'google' })}\n`,
    });
    const [first, second] = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([first.profile, first.allowed]).toEqual(['rfc9309', false]);
    expect(second.error).toEqual({
      code: 'invalid-field',
      message: 'a line has no "profile": all lines have that of the query',
    });
  });

  test('a line is answered before the next line arrives', async () => {
    const request = startRequest(`${service.address}/v1/decide?agent=UnlistedBot`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const line = `${JSON.stringify({ url: `${site.origin}/private` })}\n`;
    const answers: string[] = [];
    request.write(line);
    await new Promise<void>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (response) => {
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          answers.push(text);
          // The test sends the next line after the response to this one.
          if (answers.length < 3) request.write(line);
          else request.end();
        });
        response.on('end', resolve);
      });
    });
    expect(answers.map((text) => JSON.parse(text).line)).toEqual([2, 2, 2]);
  });
});

describe('bytes that are not UTF-8', () => {
  const send = async (path: string, type: string, body: string): Promise<Response> =>
    fetch(`${(await startService()).address}${path}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: Buffer.from(body, 'latin1'),
    });

  test.each([
    ['/v1/decide', '{"agent":"a","urls":["https://a.example/\xff"]}'],
    ['/v1/parse', '{"robots":"User-agent: *\\nDisallow: /\xe9"}'],
  ])(
    'are an error of the body of %s: a decoder would make another URL or rule of them',
    async (path, body) => {
      const response = await send(path, 'application/json', body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'invalid-json', detail: 'the body is not UTF-8' });
    },
  );

  test('are an error of a line', async () => {
    const response = await send(
      '/v1/decide?agent=a',
      'application/x-ndjson',
      '{"url":"https://a.example/\xff"}\n',
    );
    expect(await response.json()).toMatchObject({ error: { code: 'invalid-json' } });
  });
});

test.each(['/v1/parse', '/v1/lint', '/v1/diff', '/v1/page'])('%s takes no lines', async (path) => {
  const service = await startService();
  const response = await fetch(`${service.address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: '{}',
  });
  expect(response.status).toBe(415);
});

test('a line that waits for its site delays only the lines after it', async () => {
  const fast = await serve((_request, response) => response.end(FILE), '127.0.0.2');
  let answer = (): void => {};
  const slow = await serve((_request, response) => {
    answer = () => response.end(FILE);
  }, '127.0.0.3');
  const service = await startService();
  const lines = [fast, slow, fast].map(({ origin }) => JSON.stringify({ url: `${origin}/private` }));
  const response = await fetch(`${service.address}/v1/decide?agent=x`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: [...lines, 'no JSON'].join('\n'),
  });
  let text = '';
  const seen: number[] = [];
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    seen.push(text.trim().split('\n').length);
    answer();
  }
  expect(seen[0]).toBe(1);
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).line ?? JSON.parse(line).error.code),
  ).toEqual([2, 2, 2, 'invalid-json']);
  await service.app.close();
  for (const site of [fast, slow]) await site.close();
});

test('300 concurrent requests cause one request to the site', async () => {
  const site = await serve((_request, response) => void setImmediate(() => response.end(FILE)));
  const service = await startService();
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      service.get(getDecisionPath(`${site.origin}/private/${index}`)),
    ),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body['allowed']}`))).toEqual(
    new Set(['200 true']),
  );
  expect(site.requests.length).toBe(1);
  await service.app.close();
  await site.close();
});

test('the policy depends on the outage and its duration', async () => {
  let status = 200;
  const site = await serve((_request, response) => response.writeHead(status).end(FILE));
  let now = Date.UTC(2026, 0, 1);
  const service = await startService({ now: () => now });
  const decide = async (profile?: string) =>
    (await service.get(getDecisionPath(`${site.origin}/private`, 'UnlistedBot', profile))).body;
  expect(await decide()).toMatchObject({
    allowed: false,
    policy: { kind: 'rules' },
    fetchedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-02T00:00:00.000Z',
  });
  status = 503;
  now += 25 * 3_600_000;
  expect(await decide()).toMatchObject({ allowed: false, reason: 'unreachable', code: 'http-status' });
  now += 13 * 3_600_000;
  // After 12 hours the google profile applies the last file again.
  expect(await decide()).toMatchObject({ allowed: false, reason: 'rule', line: 2, message: 'status 503' });
  expect(await decide('google-2022')).toMatchObject({
    reason: 'unreachable',
    policy: { kind: 'disallow-all', reason: 'unreachable' },
  });
  status = 404;
  now += 3_600_000;
  expect(await decide()).toMatchObject({
    allowed: true,
    policy: { kind: 'allow-all', reason: 'unavailable' },
    message: 'status 404',
  });
  await service.app.close();
  await site.close();
});

test('a private address is not requested, and the response has the resulting policy', async () => {
  const site = await serve((_request, response) => response.end(FILE));
  const service = await startService({ allowPrivateAddresses: false });
  const { body } = await service.get(getDecisionPath(`${site.origin}/`));
  expect(body).toMatchObject({
    allowed: false,
    policy: { kind: 'disallow-all', reason: 'unreachable' },
    code: 'private-address',
  });
  expect(site.requests).toEqual([]);
  await service.app.close();
  await site.close();
});

test('what a service with access to private addresses stored is not used by one without', async () => {
  const site = await serve((_request, response) => response.end(FILE));
  const store = new MemoryStore();
  const decideOnce = async (allowPrivateAddresses: boolean): Promise<Record<string, unknown>> => {
    const service = await startService({ store, allowPrivateAddresses });
    const { body } = await service.get(getDecisionPath(`${site.origin}/g`));
    const report = await service.get(`/v1/robots?${new URLSearchParams({ origin: site.origin })}`);
    await service.app.close();
    return { ...body, events: (report.body['events'] as unknown[]).length };
  };
  const allowed = { allowed: false, policy: { kind: 'rules' }, events: 1 };
  const refused = { policy: { kind: 'disallow-all', reason: 'unreachable' }, code: 'private-address' };
  expect(await decideOnce(true)).toMatchObject(allowed);
  expect(await decideOnce(false)).toMatchObject(refused);
  // With access again, the stored response is used.
  expect(await decideOnce(true)).toMatchObject(allowed);
  expect(site.requests.length).toBe(1);
  await site.close();
});

test('long responses caused by long rules are streamed with bounded memory', async () => {
  const site = await serve((_request, response) =>
    response.end(`User-agent: *\nDisallow: /${'*'.repeat(16_000)}\n`),
  );
  const service = await startService();
  const urls = Array.from({ length: 10_000 }, (_, index) => `${site.origin}/${index}`);
  const response = await fetch(`${service.address}/v1/decide`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agent: 'x', urls }),
  });
  expect(response.status).toBe(200);
  const before = process.memoryUsage().rss;
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  // The service sends 160 MB, and client and service are in this process.
  expect(bytes).toBeGreaterThan(150_000_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(90_000_000);
  await service.app.close();
  await site.close();
});

test('the profile of the query applies if the body has none', async () => {
  const service = await startService();
  const post = async (query: string, profile?: string) => {
    const { status, body } = await service.post(`/v1/decide${query}`, {
      ...{ agent: 'x', urls: ['http://127.0.0.1:1/robots.txt'] },
      ...(profile !== undefined && { profile }),
    });
    return (body['decisions'] as { profile: string }[] | undefined)?.[0]?.profile ?? [status, body['code']];
  };
  expect(await post('?profile=rfc9309')).toBe('rfc9309');
  expect(await post('', 'google-2013')).toBe('google-2013');
  // Only one of them would count.
  expect(await post('?profile=rfc9309', 'google-2013')).toEqual([400, 'invalid-request']);
  expect(await post('')).toBe('google');
  expect(await post('?profile=none')).toEqual([400, 'unknown-profile']);
  await service.app.close();
});
