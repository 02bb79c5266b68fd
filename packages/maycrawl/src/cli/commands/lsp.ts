// `maycrawl lsp`: the language server for editors, on standard input and output.
import { isMissingModule } from '../../files/missing-module.ts';
import { createAnalysisThreads } from '../../lsp/analysis-thread.ts';
import { type ProtocolPackage, runLanguageServer } from '../../lsp/run-server.ts';
import { VERSION } from '../options/fetch-options.ts';
import { CommandError } from '../output/errors.ts';
import { printMessage } from '../output/terminal.ts';
import type { LspOptions } from './options.ts';

/**
 * Serves an editor until it ends the session.
 *
 * @returns the exit code of the protocol: 0 after a shutdown, 1 without one.
 * @throws {CommandError} if the package of the protocol is not installed.
 */
export async function lsp({ rulesUrl }: LspOptions): Promise<number> {
  const protocol = await loadProtocol();
  const threads = createAnalysisThreads((error) => printMessage(String(error)));
  const { stdin: input, stdout: output } = process;
  try {
    return await runLanguageServer(
      protocol,
      { input, output },
      { version: VERSION, rulesUrl, run: threads.run },
    );
  } finally {
    // An open pipe would keep the process alive.
    input.destroy();
    await threads.close();
  }
}

/** Loads the optional package. @throws {CommandError} if it is not installed. */
async function loadProtocol(): Promise<ProtocolPackage> {
  try {
    return {
      common: await import('vscode-languageserver'),
      node: await import('vscode-languageserver/node'),
    };
  } catch (cause) {
    if (!isMissingModule(cause)) throw cause;
    throw new CommandError(
      'lsp needs the package vscode-languageserver: npm install vscode-languageserver@11',
      {
        cause,
      },
    );
  }
}
