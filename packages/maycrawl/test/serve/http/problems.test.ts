import { connect } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { decision, problem } from '../../../dist/serve/routes/schemas.js';
import { getDecisionPath, startService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ limits: { urls: 3, urlChars: 100, bodyBytes: 1_000 } });
});
afterAll(() => service.app.close());

const isProblem = new Ajv().compile(problem);
const json = { 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = json): RequestInit => ({
  ...{ method: 'POST', headers, body },
});

test.each<[string, number, string, string, RequestInit?]>([
  ['an unknown path', 404, 'not-found', '/v2/decide'],
  ['another method', 405, 'method-not-allowed', '/v1/decide', { method: 'DELETE' }],
  ['a missing query', 400, 'invalid-request', '/v1/decide'],
  ['an empty crawler', 400, 'invalid-request', getDecisionPath('http://h/', '')],
  ['a crawler with a long name', 400, 'invalid-agent', getDecisionPath('http://h/', 'x'.repeat(1_001))],
  ['two URLs in a query', 400, 'invalid-request', '/v1/decide?agent=x&url=http://h/&url=http://h/'],
  ['an invalid URL', 400, 'invalid-url', getDecisionPath('h')],
  ['another scheme', 400, 'unsupported-scheme', getDecisionPath('gopher://h/')],
  ['a long URL', 400, 'url-too-long', getDecisionPath(`http://h/${'x'.repeat(100)}`)],
  ['an unknown profile', 400, 'unknown-profile', getDecisionPath('http://h/', 'x', 'bing')],
  ['an invalid encoding of the path', 400, 'invalid-request', '/v1/%zz'],
  ['a missing body', 400, 'invalid-json', '/v1/decide', { method: 'POST', headers: json }],
  ['invalid JSON', 400, 'invalid-json', '/v1/decide', post('{')],
  ['JSON that is not an object', 400, 'invalid-request', '/v1/decide', post('[]')],
  [
    'an unsupported content type',
    415,
    'unsupported-media-type',
    '/v1/parse',
    post('x', { 'content-type': 'text/html' }),
  ],
  ['a large body', 413, 'body-too-large', '/v1/parse', post(JSON.stringify({ robots: 'x'.repeat(1_000) }))],
  ['many URLs', 400, 'too-many-urls', '/v1/decide', post('{"agent":"x","urls":["","","",""]}')],
  ['an unknown field', 400, 'invalid-request', '/v1/parse', post('{"robots":"","url":""}')],
  ['a missing file', 400, 'invalid-request', '/v1/parse', post('{}')],
  ['two forms of a file', 400, 'invalid-request', '/v1/lint', post('{"robots":"","robotsBase64":""}')],
  ['invalid base64', 400, 'invalid-request', '/v1/lint', post('{"robotsBase64":"?"}')],
  ['one file of two', 400, 'invalid-request', '/v1/diff', post('{"before":""}')],
  [
    'a body in another encoding',
    415,
    'unsupported-media-type',
    '/v1/decide?agent=x',
    post('{}', { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }),
  ],
  ['an invalid origin', 400, 'invalid-url', '/v1/robots?origin=example.com'],
])('%s gets a response with status %i and code %s', async (_name, status, code, path, init) => {
  const response = await fetch(`${service.address}${path}`, init);
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const problem = (await response.json()) as Record<string, unknown>;
  expect(isProblem(problem), JSON.stringify(isProblem.errors)).toBe(true);
  expect({ status: response.status, code: problem['code'] }).toEqual({ status, code });
  expect(problem['status']).toBe(status);
});

test.each([
  ['\0\0\0\0\r\n\r\n', 400, 'invalid-request'],
  ['GET\r\n\r\n', 400, 'invalid-request'],
  ['GET / HTTP/9.9\r\n\r\n', 400, 'invalid-request'],
  [`GET / HTTP/1.1\r\nx: ${'y'.repeat(50_000)}\r\n\r\n`, 431, 'head-too-large'],
])(
  'bytes that are not HTTP get a problem document, and the connection is closed (%#)',
  async (text, status, code) => {
    const socket = connect(Number(new URL(service.address).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.write(text);
    await new Promise((resolve) => socket.on('close', resolve));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(body)).toMatchObject({ code, status });
  },
);

test('the response to an arbitrary request matches the schemas and is not an internal error', async () => {
  const isDecision = new Ajv({ validateFormats: false, allowUnionTypes: true }).compile({
    anyOf: [decision, problem],
  });
  const routes = ['/v1/decide', '/v1/parse', '/v1/lint', '/v1/diff', '/v1/robots', '/healthz', '/', '/v1/x'];
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('google', 'Googlebot', 'http://127.0.0.1:2/x', ''),
  );
  const fields = fc.constantFrom(
    'url',
    'agent',
    'profile',
    'origin',
    'urls',
    'robots',
    'robotsBase64',
    'before',
    'after',
    'agents',
    '__proto__',
  );
  const body = fc.oneof(
    fc
      .dictionary(fields, fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })), {
        maxKeys: 4,
      })
      .map((value) => JSON.stringify(value)),
    fc.json({ maxDepth: 3 }),
    fc.string({ maxLength: 50 }),
  );
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...routes),
      fc.constantFrom('GET', 'POST', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS'),
      fc.dictionary(fields, text, { maxKeys: 4 }),
      fc.constantFrom('application/json', 'application/json', 'application/x-ndjson', 'text/plain', ''),
      body,
      async (path, method, query, type, payload) => {
        const response = await fetch(`${service.address}${path}?${new URLSearchParams(query)}`, {
          method,
          headers: type === '' ? {} : { 'content-type': type },
          ...(method === 'POST' && { body: Buffer.from(payload) }),
        });
        const { status } = response;
        const text = await response.text();
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect([200, 400, 404, 405, 413, 415]).toContain(status);
        const contentType = response.headers.get('content-type');
        if (status >= 400 && method !== 'HEAD') {
          expect(contentType).toBe('application/problem+json; charset=utf-8');
          expect(isDecision(JSON.parse(text)), text).toBe(true);
        } else if (path === '/v1/decide' && method === 'GET') expect(isDecision(JSON.parse(text))).toBe(true);
        else if (contentType?.startsWith('application/x-ndjson'))
          for (const line of text.split('\n').slice(0, -1)) expect(() => JSON.parse(line)).not.toThrow();
      },
    ),
    { numRuns: getFuzzRuns(400) },
  );
  expect([...seen.keys()].sort()).toEqual([200, 400, 404, 405, 415]);
  expect(seen.get(200)).toBeGreaterThan(10);
});

test('the OpenAPI document is valid', async () => {
  const { body } = await service.get('/openapi.json');
  const { valid, errors } = await new Validator().validate(body);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(Object.keys(body['paths'] as object).sort()).toEqual([
    '/v1/decide',
    '/v1/diff',
    '/v1/lint',
    '/v1/page',
    '/v1/parse',
    '/v1/preferences',
    '/v1/robots',
    '/v1/sample',
  ]);
});
