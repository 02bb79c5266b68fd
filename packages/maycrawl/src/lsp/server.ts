// The language server: the requests and notifications of the Language Server Protocol (version 3.17), answered by the modules beside this one.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
import type { Finding } from '@maycrawl/core/lint';
import type {
  CancellationToken,
  ClientCapabilities,
  CodeActionParams,
  CodeLens,
  Connection,
  InitializeParams,
  InitializeResult,
  TextDocumentIdentifier,
} from 'vscode-languageserver';
import { visible } from '../text/printable.ts';
import type { RunAnalysis } from './analysis.ts';
import { ACTION_KINDS, isRequested, selectFindings, toCodeActions } from './features/code-actions.ts';
import { createProblemLens, readTests, TESTS_NAME, toCodeLenses } from './features/code-lens.ts';
import { getCompletion, TRIGGER_CHARACTERS } from './features/completion.ts';
import { createDiagnostic, toDiagnostics } from './features/diagnostics.ts';
import { getFoldingRanges } from './features/folding.ts';
import { getHover } from './features/hover.ts';
import { getSymbols, toFlatSymbols } from './features/symbols.ts';
import { LintSchedule } from './lint-schedule.ts';
import { type PositionEncoding, selectEncoding } from './positions.ts';
import { RobotsDocument } from './robots-document.ts';
import { selectFormat, type TextFormat } from './texts/text-format.ts';

/** The package `vscode-languageserver`, which is loaded when it is needed. */
export type Protocol = typeof import('vscode-languageserver');

export interface LanguageServerOptions {
  readonly version: string;
  /** The folder with the pages of the findings on the web. @defaultValue none: diagnostics have no links */
  readonly rulesUrl?: string | undefined;
  readonly run: RunAnalysis;
  /** Milliseconds from the last change of a file to the start of the linter. @defaultValue 150 */
  readonly delay?: number;
}

const DELAY = 150;

/** What the server knows of the client after `initialize`. */
interface Client {
  readonly encoding: PositionEncoding;
  readonly hoverFormat: TextFormat;
  readonly completionFormat: TextFormat;
  readonly capabilities: ClientCapabilities;
}

/** Registers the handlers of all requests and notifications on a connection. */
export function registerHandlers(
  connection: Connection,
  protocol: Protocol,
  { version, rulesUrl, run, delay = DELAY }: LanguageServerOptions,
): void {
  const { CodeLensRefreshRequest, DidChangeWatchedFilesNotification, TextDocuments } = protocol;
  let client = toClient({});
  const documents = new TextDocuments<RobotsDocument>({
    create: (uri, _language, number, text) => RobotsDocument.open(uri, number, text, client.encoding),
    update: (document, changes, number) => document.change(changes, number),
  });
  const publish = (document: RobotsDocument, result: readonly Finding[] | Error): void => {
    const diagnostics =
      result instanceof Error
        ? [createDiagnostic(document, `the file could not be checked: ${visible(result.message)}`)]
        : toDiagnostics(document, result, rulesUrl);
    void connection.sendDiagnostics({ uri: document.uri, version: document.version, diagnostics });
  };
  const schedule = new LintSchedule({ run, delay, onResult: publish });

  connection.onInitialize(({ capabilities }: InitializeParams): InitializeResult => {
    client = toClient(capabilities);
    return describeServer(version, client.encoding);
  });
  connection.onInitialized(() => {
    if (client.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration)
      void connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: `**/${TESTS_NAME}` }],
      });
  });
  connection.onDidChangeWatchedFiles(() => {
    if (client.capabilities.workspace?.codeLens?.refreshSupport)
      void connection.sendRequest(CodeLensRefreshRequest.type);
  });

  documents.onDidChangeContent(({ document }) => schedule.update(document));
  documents.onDidClose(({ document: { uri } }) => {
    schedule.close(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });

  /** Answers a request about an open file. */
  const withDocument =
    <Params extends { readonly textDocument: TextDocumentIdentifier }, Result>(
      answer: (document: RobotsDocument, params: Params, token: CancellationToken) => Result,
    ) =>
    (params: Params, token: CancellationToken): Result | null => {
      const document = documents.get(params.textDocument.uri);
      return document === undefined ? null : answer(document, params, token);
    };

  connection.onHover(
    withDocument((document, { position }) =>
      getHover(document, position, schedule.getFinishedFindings(document), client.hoverFormat),
    ),
  );
  connection.onCompletion(
    withDocument((document, { position }) => getCompletion(document, position, client.completionFormat)),
  );
  connection.onDocumentSymbol(
    withDocument((document) => {
      const symbols = getSymbols(document);
      return client.capabilities.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport
        ? symbols
        : toFlatSymbols(document.uri, symbols);
    }),
  );
  connection.onFoldingRanges(withDocument(getFoldingRanges));
  connection.onCodeAction(
    withDocument(async (document, { range, context: { only } }: CodeActionParams, token) => {
      const all = await schedule.getFindings(document);
      const findings = isRequested(ACTION_KINDS.quickFix, only) ? selectFindings(document, all, range) : [];
      // Editors request all kinds after each move of the cursor, and all proofs would take long.
      const isFixAll = only === undefined ? findings.length > 0 : isRequested(ACTION_KINDS.fixAll, only);
      if ((findings.length === 0 && !isFixAll) || token.isCancellationRequested) return [];
      const fixes = await run({
        kind: 'fixes',
        text: document.parsedText,
        findings,
        all: isFixAll ? all : [],
      });
      return toCodeActions(document, fixes, only, rulesUrl);
    }),
  );
  connection.onCodeLens(withDocument((document) => getCodeLenses(document, run)));
  documents.listen(connection);
}

async function getCodeLenses(document: RobotsDocument, run: RunAnalysis): Promise<CodeLens[]> {
  try {
    const tests = await readTests(document.uri);
    if (tests === undefined) return [];
    return toCodeLenses(document, await run({ kind: 'expectations', text: document.parsedText, tests }));
  } catch (error) {
    return [createProblemLens(document, (error as Error).message)];
  }
}

function toClient(capabilities: ClientCapabilities): Client {
  const { general, textDocument } = capabilities;
  return {
    encoding: selectEncoding(general?.positionEncodings),
    hoverFormat: selectFormat(textDocument?.hover?.contentFormat),
    completionFormat: selectFormat(textDocument?.completion?.completionItem?.documentationFormat),
    capabilities,
  };
}

function describeServer(version: string, encoding: PositionEncoding): InitializeResult {
  return {
    serverInfo: { name: 'maycrawl', version },
    capabilities: {
      positionEncoding: encoding,
      // Changes are ranges of the text, not the whole text.
      textDocumentSync: { openClose: true, change: 2 },
      hoverProvider: true,
      completionProvider: { triggerCharacters: [...TRIGGER_CHARACTERS] },
      codeActionProvider: { codeActionKinds: Object.values(ACTION_KINDS) },
      codeLensProvider: {},
      documentSymbolProvider: true,
      foldingRangeProvider: true,
    },
  };
}
