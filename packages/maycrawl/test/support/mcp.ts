// A client of the official package, and a server in the same process. The server is the built one, because its threads run built files.
import { Client } from '@modelcontextprotocol/client';
import * as protocol from '@modelcontextprotocol/server';
import { MemoryStore } from '../../dist/index.js';
import { Calls, type CallsOptions } from '../../dist/mcp/calls.js';
import { createMcpServer } from '../../dist/mcp/server.js';

/** The result of a call. */
export interface CalledTool {
  /** The first text: the summary, or the message of an error. */
  readonly text: string;
  /** All texts. */
  readonly texts: readonly string[];
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: results have the types of their schemas, which the client checks
  readonly content: any;
}

export interface TestMcp {
  readonly client: Client;
  /** What the server reports as its own failures. */
  readonly failures: unknown[];
  call(name: string, input: object, signal?: AbortSignal): Promise<CalledTool>;
  close(): Promise<void>;
}

/** Calls a tool. */
export async function callTool(
  client: Client,
  name: string,
  input: object,
  signal?: AbortSignal,
): Promise<CalledTool> {
  const result = await client.callTool(
    { name, arguments: input as Record<string, unknown> },
    { ...(signal && { signal }) },
  );
  const texts = result.content.map((block) => (block.type === 'text' ? block.text : block.type));
  return { text: texts[0] ?? '', texts, isError: result.isError === true, content: result.structuredContent };
}

/** Connects a client and a server. */
export async function connectMcp(options: Partial<CallsOptions> = {}): Promise<TestMcp> {
  const failures: unknown[] = [];
  const calls = new Calls({
    store: new MemoryStore(),
    ...{ agent: '*', profile: 'google', userAgent: 'maycrawl/1.0', timeout: 5_000 },
    allowPrivateAddresses: true,
    onError: (error) => failures.push(error),
    ...options,
  });
  const server = createMcpServer(protocol, calls, '1.2.3');
  const client = new Client({ name: 'test', version: '1' });
  const [near, far] = protocol.InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  // The client checks results by the schemas of the tools that it knows.
  await client.listTools();
  const close = async (): Promise<void> => {
    await client.close();
    await calls.close();
  };
  return { client, failures, call: (name, input, signal) => callTool(client, name, input, signal), close };
}
