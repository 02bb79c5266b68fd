// The commands with the SDK of examples/opentelemetry.mjs, and a receiver of OTLP over HTTP on loopback.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { createTestFolder } from '../support/folder.ts';
import { BIN, ownCache, ROOT, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';
import { getDecisionPath } from '../support/service.ts';

const folder = createTestFolder('otlp');
const NODE_OPTIONS = `--import ${pathToFileURL(join(ROOT, 'examples/opentelemetry.mjs')).href}`;

interface Resource {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}
interface Body {
  readonly resourceSpans?: readonly {
    readonly resource: Resource;
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string }[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly resource: Resource;
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/** Starts a receiver. */
async function startReceiver(status = 200) {
  const bodies: Body[] = [];
  const paths = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    paths.add(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const list = (items: (body: Body) => readonly { readonly name: string }[]): string[] =>
    [...new Set(bodies.flatMap(items).map(({ name }) => name))].sort();
  return {
    paths,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      list(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    metrics: () =>
      list(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
      ),
    attributes: () =>
      Object.fromEntries(
        bodies
          .flatMap(({ resourceSpans = [], resourceMetrics = [] }) => [...resourceSpans, ...resourceMetrics])
          .flatMap(({ resource }) => resource.attributes.map(({ key, value }) => [key, value.stringValue])),
      ),
  };
}

async function startSite(): Promise<string> {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a\n'));
  onTestFinished(() => site.close());
  return site.origin;
}

const createEnvironment = (endpoint: string, others: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...{ ...ownCache(), NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  ...{ OTEL_SERVICE_NAME: 'robots', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' },
  ...others,
});

/** A monitor with one site. @returns the arguments that check it. */
async function addSite(name: string, origin: string): Promise<string[]> {
  const database = join(folder, `${name}.sqlite`);
  await runHere(['watch', 'add', origin, '--database', database]);
  return ['watch', 'run', '--once', '--database', database];
}

test('the monitor, a census and the service send spans and metrics, with the resource of the variables', async () => {
  const origin = await startSite();
  const check = await addSite('sent', origin);
  const list = join(folder, 'sites.txt');
  writeFileSync(list, `${origin}\n`);
  const out = join(folder, 'tables');
  const judge = ['census', 'judge', '--sites', list, '--allow-private', '--agents', 'GPTBot', '--out', out];
  for (const args of [check, judge]) {
    const receiver = await startReceiver();
    const { code, stderr } = await run(args, '', { env: createEnvironment(receiver.endpoint) });
    expect([args[0], code, stderr]).toEqual([args[0], 0, expect.not.stringMatching(/telemetry|OTEL/)]);
    expect([...receiver.paths].sort()).toEqual(['/v1/metrics', '/v1/traces']);
    expect(receiver.spans()).toEqual(['GET /robots.txt']);
    expect(receiver.metrics()).toContain('maycrawl.robots.fetch.duration');
    expect(receiver.attributes()).toMatchObject({
      'service.name': 'robots',
      'deployment.environment.name': 'test',
    });
  }
  const receiver = await startReceiver();
  const args = ['serve', '--port', '0', '--database', 'none', '--allow-private', '--drain-time', '0s'];
  const child = spawn(process.execPath, [BIN, ...args], {
    env: createEnvironment(receiver.endpoint),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
  await (await fetch(`${address}${getDecisionPath(`${origin}/a`)}`)).text();
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  expect(receiver.spans()).toEqual(['GET /robots.txt']);
  expect(receiver.metrics()).toEqual(['maycrawl.robots.cache.reads', 'maycrawl.robots.fetch.duration']);
});

test('without an SDK, with a disabled one and with a receiver that refuses, a command works as usual, and says what is not sent', async () => {
  const origin = await startSite();
  const receiver = await startReceiver();
  const missing = await run(await addSite('missing', origin), '', {
    env: createEnvironment(receiver.endpoint, { NODE_OPTIONS: '' }),
  });
  expect(missing).toMatchObject({
    code: 0,
    stderr:
      'maycrawl: OTEL_EXPORTER_OTLP_ENDPOINT is set, but no OpenTelemetry SDK is registered, so nothing is sent\nmaycrawl: 1 site checked\n',
  });
  const disabled = await run(await addSite('disabled', origin), '', {
    env: createEnvironment(receiver.endpoint, { OTEL_SDK_DISABLED: 'true' }),
  });
  expect(disabled).toMatchObject({ code: 0, stderr: 'maycrawl: 1 site checked\n' });
  expect([...receiver.paths]).toEqual([]);
  // Exporters repeat other statuses, and refused connections.
  const { endpoint } = await startReceiver(400);
  const lost = await run(await addSite('lost', origin), '', { env: createEnvironment(endpoint) });
  expect(lost.code).toBe(0);
  expect(lost.stderr).toMatch(/^maycrawl: 1 site checked\nmaycrawl: not all telemetry was sent: .+\n$/);
});
