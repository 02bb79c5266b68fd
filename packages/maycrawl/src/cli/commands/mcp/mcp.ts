// `maycrawl mcp`: tools about robots.txt for agents, on standard input and output.
import { isMissingModule } from '../../../files/missing-module.ts';
import { Calls } from '../../../mcp/calls.ts';
import { createMcpServer } from '../../../mcp/server.ts';
import { visible } from '../../../text/printable.ts';
import { requireCrawler, requireProfile } from '../../input/options.ts';
import { getServiceStorePath, openStore } from '../../input/response-store.ts';
import { VERSION } from '../../options/fetch-options.ts';
import { CommandError } from '../../output/errors.ts';
import { onInterrupt } from '../../output/interrupt.ts';
import { printMessage } from '../../output/terminal.ts';
import type { McpOptions } from './options.ts';

/** Size of a message. Two files of 520,000 characters of three bytes fit in. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * Serves until standard input ends, or until a signal.
 *
 * @returns the exit code, 0.
 * @throws {CommandError} if the package of the protocol is missing, or an option is invalid.
 */
export async function mcp(options: McpOptions): Promise<number> {
  const {
    agent,
    profile,
    userAgent,
    timeout,
    allowPrivate = false,
    database,
    maxBytes,
    maxOrigins,
  } = options;
  requireCrawler(agent);
  requireProfile(profile);
  const [protocol, { serveStdio, StdioServerTransport }] = await loadProtocol();
  const store = await openStore(database ?? getServiceStorePath(), {
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxOrigins !== undefined && { maxOrigins }),
  });
  const printError = (error: unknown): void => printMessage(visible(String(error)));
  const calls = new Calls({
    ...{ store, agent, profile, userAgent, timeout, allowPrivateAddresses: allowPrivate },
    onError: printError,
    onEvent: (event) => {
      if (event.kind === 'store-failed') printError(event.error);
    },
  });
  try {
    const transport = new StdioServerTransport(undefined, undefined, { maxBufferSize: MAX_MESSAGE_BYTES });
    const serving = { transport, onerror: printError };
    const connection = serveStdio(() => createMcpServer(protocol, calls, VERSION), serving);
    await waitForEnd(transport);
    await connection.close();
    return 0;
  } finally {
    await calls.close();
    await store.close();
  }
}

/** Resolves when the connection ends, with standard input or with a message that is too long, or at a signal. */
function waitForEnd(transport: { onclose?: (() => void) | undefined }): Promise<void> {
  return new Promise((resolve) => {
    const stopWaiting = onInterrupt(() => resolve(), ['SIGINT', 'SIGTERM', 'SIGHUP']);
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      stopWaiting();
      resolve();
    };
  });
}

type Protocol = [
  typeof import('@modelcontextprotocol/server'),
  typeof import('@modelcontextprotocol/server/stdio'),
];

/** Loads the optional package. @throws {CommandError} if it is not installed. */
async function loadProtocol(): Promise<Protocol> {
  try {
    return [await import('@modelcontextprotocol/server'), await import('@modelcontextprotocol/server/stdio')];
  } catch (cause) {
    if (!isMissingModule(cause)) throw cause;
    throw new CommandError(
      'mcp needs the package @modelcontextprotocol/server: npm install @modelcontextprotocol/server@2',
      { cause },
    );
  }
}
