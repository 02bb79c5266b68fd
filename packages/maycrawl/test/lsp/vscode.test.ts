import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

const FOLDER = join(ROOT, 'editors', 'vscode');
const readJson = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));

/** Runs the extension with other modules in place of those of VS Code. @returns the arguments of the client. */
async function activate(settings: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
  const created: unknown[][] = [];
  class LanguageClient {
    constructor(...args: unknown[]) {
      created.push(args);
    }
    start(): Promise<void> {
      return Promise.resolve();
    }
  }
  const vscode = {
    window: {},
    workspace: {
      workspaceFolders: [{ uri: { fsPath: '/folder' } }],
      getConfiguration: () => ({ get: (name: string, other: unknown) => settings[name] ?? other }),
      onDidChangeConfiguration: () => {},
    },
  };
  const module = { exports: {} as { activate: (context: object) => Promise<void> } };
  const load = (name: string): object => (name === 'vscode' ? vscode : { LanguageClient });
  const code = readFileSync(join(FOLDER, 'extension.js'), 'utf8');
  new Function('require', 'module', code)(load, module);
  await module.exports.activate({ subscriptions: [] });
  return created[0] ?? [];
}

test('the extension for VS Code starts maycrawl lsp for the language that it registers', async () => {
  const { contributes } = readJson('package.json');
  const { properties } = contributes.configuration;
  const command: unknown = properties['maycrawl.command'].default;
  const [, , server, options] = await activate({ command });
  expect(server).toMatchObject({
    command: 'npx',
    args: ['--no', 'maycrawl', 'lsp'],
    options: { cwd: '/folder' },
  });
  expect(options).toEqual({ documentSelector: [{ language: contributes.languages[0].id }] });
  const [, , other] = await activate({ command: ['maycrawl'], rulesUrl: 'https://rules.example' });
  expect(other).toMatchObject({
    command: 'maycrawl',
    args: ['lsp', '--rules-url', 'https://rules.example'],
  });
});

test('the extension for VS Code has all files that its manifest names', () => {
  const { main, contributes } = readJson('package.json');
  const files = [main, contributes.languages[0].configuration, contributes.grammars[0].path];
  for (const file of files) expect(existsSync(join(FOLDER, file)), file).toBe(true);
  for (const file of files.filter((name) => name.endsWith('.json'))) readJson(file);
  expect(spawnSync(process.execPath, ['--check', join(FOLDER, main)]).status).toBe(0);
});
