// The OpenAPI document: valid by the schema of OpenAPI, and complete enough to generate clients from it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { startMonitor, type TestMonitor } from '../../support/test-monitor.ts';

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

interface Operation {
  readonly name: string;
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly schema: object;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-open-api-'));
let monitor: TestMonitor;
let service: TestService;
let document: Record<string, unknown>;
let operations: Operation[] = [];

beforeAll(async () => {
  monitor = await startMonitor(Date.now());
  service = await startService({
    watch: monitor.database,
    auditFolder: folder,
    tokens: ['secret'],
    invalidateTokens: ['other'],
  });
  ({ body: document } = await service.get('/openapi.json'));
  const paths = document['paths'] as Record<string, Record<string, object>>;
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => ({ ...operation, name: `${method} ${path}` }) as Operation,
    ),
  );
});

afterAll(async () => {
  await service.app.close();
  await monitor.close();
  rmSync(folder, { recursive: true });
});

test('the document is valid', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  expect(operations.length).toBeGreaterThan(20);
});

test('each operation has a name, a summary, a tag and error responses', () => {
  const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
  for (const { name, operationId, summary, tags: own, responses } of operations) {
    expect(operationId, name).toMatch(/^[a-z]\w*$/);
    expect(summary, name).toMatch(/^.{10,}$/);
    expect(own?.length, name).toBe(1);
    expect(tags).toContain(own?.[0]);
    expect(Object.keys(responses).sort(), name).toEqual(['200', '4XX', '5XX']);
  }
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(operations.flatMap(({ tags: own = [] }) => own))).toEqual(new Set(tags));
});

test('each parameter, body and response has an example, and each example is valid by its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const wrong: string[] = [];
  const check = (name: string, { schema, example }: { schema: object; example?: unknown }) => {
    if (example === undefined) wrong.push(`${name}: no example`);
    else if (!ajv.validate(schema, example)) wrong.push(`${name}: ${ajv.errorsText()}`);
  };
  for (const { name, parameters = [], requestBody, responses } of operations) {
    for (const parameter of parameters) check(`${name} ${parameter.name}`, parameter);
    for (const [type, media] of Object.entries(requestBody?.content ?? {})) check(`${name} ${type}`, media);
    for (const [status, { content }] of Object.entries(responses))
      for (const [type, media] of Object.entries(content)) check(`${name} ${status} ${type}`, media);
  }
  expect(wrong).toEqual([]);
});

test('the examples of bodies are accepted by the routes that need no site', async () => {
  for (const { name, requestBody } of operations) {
    const path = name.replace('post ', '');
    if (!['/v1/parse', '/v1/lint', '/v1/diff'].includes(path)) continue;
    const response = await service.get(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
      body: JSON.stringify(requestBody?.content['application/json']?.example),
    });
    expect(response.status, path).toBe(200);
  }
});
