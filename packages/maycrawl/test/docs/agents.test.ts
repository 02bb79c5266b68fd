import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { connectMcp, type TestMcp } from '../support/mcp.ts';
import { ROOT } from '../support/run.ts';

const PAGE = readFileSync(join(ROOT, 'docs', 'agents.md'), 'utf8');

/** The examples: tool, arguments in one line, summary and result. */
const EXAMPLES = Array.from(
  PAGE.matchAll(/^### `(\w+)`\n[\s\S]*?^```json\n(.*)\n```\n\n> (.*)\n\n```json\n([\s\S]*?)\n```$/gm),
  ([, tool = '', input = '', summary = '', result = '']) => ({ tool, input, summary, result }),
);

let site: TestServer;
let mcp: TestMcp;
beforeAll(async () => {
  const robots = /```robots\n([\s\S]*?)```/.exec(PAGE)?.[1];
  site = await serve((_request, response) => response.end(robots));
  mcp = await connectMcp();
});
afterAll(async () => {
  await mcp.close();
  await site.close();
});

test('the page has an example of each tool', async () => {
  const { tools } = await mcp.client.listTools();
  expect(EXAMPLES.map(({ tool }) => tool)).toEqual(tools.map(({ name }) => name));
});

test.each(EXAMPLES)('the example of $tool has the result that the page shows', async (example) => {
  const input = JSON.parse(example.input.replaceAll('https://example.com', site.origin));
  const { text, content } = await mcp.call(example.tool, input);
  const shown = JSON.parse(example.result);
  const result = JSON.parse(JSON.stringify(content).replaceAll(site.origin, 'https://example.com'));
  if (shown.site !== undefined) shown.site.fetchedAt = result.site.fetchedAt;
  expect({ summary: text, result }).toEqual({ summary: example.summary, result: shown });
});

test('the configurations start the command that exists', () => {
  const configurations = Array.from(
    PAGE.matchAll(/^```json\n(\{ "(?:mcpServers|servers|context_servers)".*)\n```$/gm),
  );
  const commands = configurations.map(([, json = '']) => {
    const [servers] = Object.values(JSON.parse(json)) as { maycrawl: { command: string; args: string[] } }[];
    return [servers?.maycrawl.command, servers?.maycrawl.args[0]];
  });
  expect(commands).toEqual([1, 2, 3].map(() => ['maycrawl', 'mcp']));
});
