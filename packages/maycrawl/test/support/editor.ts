// A client of the language server, as an editor has one: it opens and changes files, and waits for diagnostics.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import * as common from 'vscode-languageserver';
import * as node from 'vscode-languageserver/node';
import { analyze, type RunAnalysis } from '../../src/lsp/analysis.ts';
import { runLanguageServer } from '../../src/lsp/run-server.ts';
import { BIN, ownCache, ROOT } from './run.ts';

type Diagnostics = common.PublishDiagnosticsParams;

/** Capabilities of a modern editor. */
export const CAPABILITIES: common.ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown', 'plaintext'] },
    completion: { completionItem: { documentationFormat: ['markdown'] } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
};

/** An editor that is connected to a server. */
class Editor {
  readonly connection: common.ProtocolConnection;
  readonly #texts: Map<string, { version: number; diagnostics: Diagnostics | undefined }> = new Map();
  #waiting: (() => void)[] = [];

  constructor(input: Readable, output: Writable) {
    this.connection = node.createProtocolConnection(input, output);
    this.connection.onNotification('textDocument/publishDiagnostics', (params: Diagnostics) => {
      const file = this.#texts.get(params.uri);
      if (file !== undefined) file.diagnostics = params;
      for (const notify of this.#waiting.splice(0)) notify();
    });
    this.connection.listen();
  }

  async initialize(capabilities: common.ClientCapabilities = CAPABILITIES): Promise<common.InitializeResult> {
    const result = await this.connection.sendRequest<common.InitializeResult>('initialize', {
      processId: null,
      rootUri: null,
      capabilities,
    });
    await this.connection.sendNotification('initialized', {});
    return result;
  }

  async open(uri: string, text: string): Promise<void> {
    this.#texts.set(uri, { version: 1, diagnostics: undefined });
    const textDocument = { uri, languageId: 'robots-txt', version: 1, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Sends changes: ranges with their new texts, or the whole text. */
  async change(
    uri: string,
    ...contentChanges: readonly common.TextDocumentContentChangeEvent[]
  ): Promise<void> {
    const file = this.#texts.get(uri);
    if (file === undefined) throw new Error(`${uri} is not open`);
    const version = file.version + 1;
    file.version = version;
    const textDocument = { uri, version };
    await this.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges });
  }

  async close(uri: string): Promise<void> {
    const file = this.#texts.get(uri);
    if (file === undefined) throw new Error(`${uri} is not open`);
    // Diagnostics of a closed file have no version.
    Object.assign(file, { version: undefined, diagnostics: undefined });
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** Waits for the diagnostics of the newest version of a file. */
  async diagnostics(uri: string): Promise<common.Diagnostic[]> {
    for (;;) {
      const file = this.#texts.get(uri);
      if (file?.diagnostics !== undefined && file.diagnostics.version === file.version)
        return file.diagnostics.diagnostics;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Sends a request about a file. */
  request<Result>(method: string, uri: string, params: object = {}): Promise<Result> {
    return this.connection.sendRequest<Result>(`textDocument/${method}`, {
      textDocument: { uri },
      ...params,
    });
  }

  async exit(): Promise<void> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
  }
}

/** An editor with a server, and the exit code of the server. */
export interface Session {
  readonly editor: Editor;
  readonly exitCode: Promise<number | null>;
}

/** Starts a server in this process, which analyses files without threads, and with a short delay. */
export function startHere({
  rulesUrl,
  run = analyze as RunAnalysis,
}: {
  readonly rulesUrl?: string;
  readonly run?: RunAnalysis;
} = {}): Session & { readonly input: PassThrough } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const options = { version: '0.0.0', rulesUrl, run, delay: 5 };
  const exitCode = runLanguageServer({ common, node }, { input, output }, options);
  return { editor: new Editor(output, input), exitCode, input };
}

/** Starts the built command. */
export function startCommand(...args: readonly string[]): Session {
  const child = spawn(process.execPath, [BIN, 'lsp', ...args], {
    cwd: ROOT,
    env: ownCache(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exitCode = once(child, 'exit').then(([code]) => code as number | null);
  return { editor: new Editor(child.stdout, child.stdin), exitCode };
}

/** Applies edits to a text, as an editor with positions in UTF-16 does. */
export function applyEdits(text: string, edits: readonly common.TextEdit[]): string {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ index, 0: end }) => index + end.length)];
  const toOffset = ({ line, character }: common.Position): number =>
    (starts[line] ?? text.length) + character;
  return [...edits]
    .sort((a, b) => toOffset(b.range.start) - toOffset(a.range.start))
    .reduce(
      (edited, { range, newText }) =>
        edited.slice(0, toOffset(range.start)) + newText + edited.slice(toOffset(range.end)),
      text,
    );
}
