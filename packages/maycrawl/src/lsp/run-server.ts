// Runs the language server on two streams, until the client ends it.
import type { Readable, Writable } from 'node:stream';
import type { ProtocolConnection } from 'vscode-languageserver/node';
import { type LanguageServerOptions, type Protocol, registerHandlers } from './server.ts';

/** The package of the protocol: the part for all runtimes, and a function of the part for Node.js. */
export interface ProtocolPackage {
  readonly common: Protocol;
  readonly node: Pick<typeof import('vscode-languageserver/node'), 'createProtocolConnection'>;
}

/**
 * Runs a language server.
 *
 * @returns the exit code of the protocol: 0 after `shutdown`, and 1 without it.
 */
export function runLanguageServer(
  { common, node }: ProtocolPackage,
  streams: { readonly input: Readable; readonly output: Writable },
  options: LanguageServerOptions,
): Promise<number> {
  return new Promise((resolve) => {
    let protocol: ProtocolConnection | undefined;
    const end = (code: number): void => {
      protocol?.dispose();
      resolve(code);
    };
    // That of the package ends the process.
    const watchDog = { shutdownReceived: false, initialize: () => {}, exit: end };
    const connection = common.createConnection((logger) => {
      protocol = node.createProtocolConnection(streams.input, streams.output, logger);
      return protocol;
    }, watchDog);
    registerHandlers(connection, common, options);
    // The client ended without a word.
    const onEnd = (): void => end(watchDog.shutdownReceived ? 0 : 1);
    streams.input.once('end', onEnd).once('close', onEnd);
    connection.listen();
  });
}
