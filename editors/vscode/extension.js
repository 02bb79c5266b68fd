// The extension for VS Code: it starts `maycrawl lsp`, which does everything else (docs/editors.md).
const { window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** @type {LanguageClient | undefined} */
let client;

/** Reads the settings. @returns the program of the language server, and its arguments. */
function readCommand() {
  const settings = workspace.getConfiguration('maycrawl');
  const [program = 'maycrawl', ...args] = settings.get('command', []);
  const rulesUrl = settings.get('rulesUrl', '');
  return { program, args: [...args, 'lsp', ...(rulesUrl === '' ? [] : ['--rules-url', rulesUrl])] };
}

async function start() {
  const { program, args } = readCommand();
  const [folder] = workspace.workspaceFolders ?? [];
  // On Windows, npx is a script of the shell.
  const options = { cwd: folder?.uri.fsPath, shell: process.platform === 'win32' };
  client = new LanguageClient(
    'maycrawl',
    'maycrawl',
    { command: program, args, options },
    { documentSelector: [{ language: 'robots-txt' }] },
  );
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(
      `maycrawl lsp does not start: ${error.message}. Install it: npm install --save-dev maycrawl vscode-languageserver@11`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.needsStop()) await running.stop();
}

/** Called by VS Code when the first robots.txt is opened. */
async function activate(context) {
  context.subscriptions.push(
    workspace.onDidChangeConfiguration(async (change) => {
      if (!change.affectsConfiguration('maycrawl')) return;
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
