// The built command on its standard input and output, as agents start it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { callTool } from '../support/mcp.ts';
import { BIN, ownCache, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

let site: TestServer;
beforeAll(async () => {
  site = await serve(({ url }, response) => {
    if (url === '/robots.txt') response.end('User-agent: MyBot\nDisallow: /private/\n');
    else response.end();
  });
});
afterAll(() => site.close());

test('an agent starts the command, lists and calls every tool, and ends it', async () => {
  const args = [BIN, 'mcp', '--agent', 'MyBot', '--allow-private', '--database', 'none'];
  const env = ownCache() as Record<string, string>;
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' });
  let messages = '';
  transport.stderr?.on('data', (chunk) => {
    messages += String(chunk);
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const text = 'User-agent: *\nDisallow: /a\n';
  const inputs: Readonly<Record<string, object>> = {
    may_fetch: { url: `${site.origin}/private/a` },
    explain_robots: { url: site.origin },
    lint_robots: { text },
    compare_robots: { before: text, after: text },
    set_preferences: { text, refuse: ['ai-train'] },
  };
  const results = await Promise.all(
    tools.map(async ({ name }) => [name, await callTool(client, name, inputs[name] ?? {})] as const),
  );
  expect(Object.fromEntries(results.map(([name, { text: summary }]) => [name, summary]))).toEqual({
    may_fetch: 'Disallowed by line 2 of the robots.txt.',
    explain_robots: '1 group with 1 rule. Of 18 crawlers, 18 may fetch all URLs.',
    lint_robots: 'No findings.',
    compare_robots: 'Proved: no verdict changes, for every crawler and every URL.',
    set_preferences: expect.stringMatching(/^2 edits\. Proved: /),
  });
  await client.close();
  expect(messages).toBe('');
  expect(site.requests).toEqual(['/robots.txt']);
});

test('standard output has the protocol only, and the command ends with its input', async () => {
  const lines = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const { code, stdout, stderr } = await run('mcp --database none', `not JSON\n${lines.join('')}`);
  expect(code).toBe(0);
  const messages = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  expect(
    stderr
      .split('\n')
      .filter((line) => line !== '')
      .every((line) => line.startsWith('maycrawl: ')),
  ).toBe(true);
});

test('a message that is too long ends the command, also while standard input stays open', async () => {
  const child = spawn(process.execPath, [BIN, 'mcp', '--database', 'none'], {
    env: ownCache(),
    stdio: 'pipe',
  });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    messages += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.write('x'.repeat(5 * 1024 * 1024));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(messages).toMatch(/^maycrawl: .*exceed.*\n$/i);
});

test('invalid options are an error before the protocol starts', async () => {
  for (const [option, message] of [
    ['--agent Mozilla/5.0', /--agent/],
    ['--profile bing', /unknown profile "bing"/],
  ] as const) {
    const { code, stdout, stderr } = await runHere(`mcp ${option}`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^maycrawl: .*\n$/);
  }
});

/** Makes Node.js behave as if the package of the protocol were not installed. */
const WITHOUT_PACKAGE = `export async function resolve(name, context, next) {
  if (name.startsWith('@modelcontextprotocol/')) throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
}`;
const toDataUrl = (script: string): string => `data:text/javascript,${encodeURIComponent(script)}`;

test('without the package of the protocol, the command says in one line how to install it', async () => {
  const hooks = `import { register } from 'node:module'; register(${JSON.stringify(toDataUrl(WITHOUT_PACKAGE))});`;
  const env = { ...ownCache(), NODE_OPTIONS: `--import=${toDataUrl(hooks)}` };
  const { code, stdout, stderr } = await run('mcp --database none', '', { env });
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'maycrawl: mcp needs the package @modelcontextprotocol/server: npm install @modelcontextprotocol/server@2\n',
  });
});
