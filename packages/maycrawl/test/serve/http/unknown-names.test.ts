import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getDecisionPath, startService, type TestService } from '../../support/service.ts';
import { startMonitor, type TestMonitor } from '../../support/test-monitor.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

let monitor: TestMonitor;
let service: TestService;
let folder: string;
/** All operations of the API. */
const operations: { readonly method: string; readonly path: string; readonly body: Schema | undefined }[] =
  [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-audits-'));
  monitor = await startMonitor(Date.UTC(2026, 0, 1));
  service = await startService({ watch: monitor.database, auditFolder: folder });
  const paths = (await service.get('/openapi.json')).body['paths'] as Record<
    string,
    Record<string, Operation>
  >;
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(methods))
      operations.push({ method, path, body: requestBody?.content['application/json']?.schema });
});
afterAll(async () => {
  await service.app.close();
  await monitor.close();
  rmSync(folder, { recursive: true });
});

const send = (method: string, path: string, body?: object): ReturnType<TestService['get']> =>
  service.get(path, {
    method: method.toUpperCase(),
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

test('every route refuses an unknown query parameter', async () => {
  expect(operations.length).toBeGreaterThan(22);
  for (const { method, path, body } of operations) {
    const { status, body: problem } = await send(method, `${path}?unknownName=1`, body && {});
    expect({ method, path, status, ...problem }).toMatchObject({
      ...{ method, path, status: 400, code: 'invalid-request' },
      detail: expect.stringContaining('unknown query parameter "unknownName": '),
    });
  }
});

test('every route with a body refuses an unknown property, and its schema describes all objects completely', async () => {
  const bodies = operations.filter(({ body }) => body !== undefined);
  expect(bodies.length).toBeGreaterThan(8);
  for (const { method, path, body } of bodies) {
    const { status, body: problem } = await send(method, path, { unknownName: 1 });
    expect({ path, status, detail: problem['detail'] }).toEqual({
      ...{ path, status: 400, detail: expect.stringContaining('unknown property "unknownName": ') },
    });
    expect([path, findOpenObjects(body as Schema)]).toEqual([path, []]);
  }
});

/** Finds objects that may have other properties than those of the schema. */
function findOpenObjects(schema: Schema, at = ''): string[] {
  const { properties = {}, items, anyOf = [] } = schema;
  return [
    ...(schema.type === 'object' && schema.additionalProperties === undefined ? [at] : []),
    ...Object.entries(properties).flatMap(([name, each]) => findOpenObjects(each, `${at}/${name}`)),
    ...(items === undefined ? [] : findOpenObjects(items, `${at}/items`)),
    ...anyOf.flatMap((each) => findOpenObjects(each, at)),
  ];
}

test.each([
  [
    'a parameter',
    getDecisionPath('http://h/').replace('agent', 'agnet'),
    'query parameter "agnet": did you mean "agent"?',
  ],
  [
    'a parameter in other case',
    getDecisionPath('http://h/', 'x').replace('url', 'URL'),
    'did you mean "url"?',
  ],
  ['a parameter of a cached decision', `${getDecisionPath('http://h/')}&profil=x`, 'did you mean "profile"?'],
  ['a parameter that resembles no other', '/v1/robots?site=http://h/', 'use origin, profile'],
  ['a parameter of a route without any', '/v1/watch/live?since=1', 'there are none here'],
])('the refusal of %s names what is valid', async (_name, path, detail) => {
  expect((await service.get(path)).body['detail']).toContain(detail);
});

test.each([
  ['/v1/diff', { befor: '', after: '' }, 'unknown property "befor": did you mean "before"?'],
  ['/v1/page', { url: 'http://h/', profil: 'rfc9309' }, 'did you mean "profile"?'],
  [
    '/v1/preferences',
    { url: 'http://h/', metas: [{ name: 'robots', content: '', contents: '' }] },
    'body/metas/0: unknown property "contents": did you mean "content"?',
  ],
  ['/v1/decide?agent=x', { agent: 'y', urls: [] }, 'names the crawler'],
  [
    '/v1/decide?profile=google',
    { agent: 'y', urls: [], profile: 'rfc9309' },
    'either in the query or in the body',
  ],
])('%s refuses %j', async (path, body, detail) => {
  const { status, body: problem } = await service.post(path, body);
  expect({ status, detail: problem['detail'] }).toEqual({
    status: 400,
    detail: expect.stringContaining(detail),
  });
});

test('a line with an unknown property has an error, although the query names a crawler', async () => {
  const response = await fetch(`${service.address}/v1/decide?agent=x`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: '{"url":"http://127.0.0.1:1/","agnet":"GPTBot"}\n',
  });
  expect(JSON.parse(await response.text())).toMatchObject({
    allowed: null,
    error: { code: 'invalid-field', message: 'unknown property "agnet": did you mean "agent"?' },
  });
});

test('long names are truncated in the refusal', async () => {
  const { body } = await service.post('/v1/parse', { ['x'.repeat(1_000_000)]: '' });
  expect(String(body['detail']).length).toBeLessThan(200);
});
