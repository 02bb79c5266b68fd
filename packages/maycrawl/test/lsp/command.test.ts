import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { CodeAction, CodeLens } from 'vscode-languageserver';
import { startCommand, startHere } from '../support/editor.ts';
import { createTestFolder } from '../support/folder.ts';

const TEXT = 'User-agent: *\nDisallow: /a\nDisallow: /a/b # old\n';
const TESTS = `- agent: Googlebot
  allow: [/, /c, /a/x]
  block: [/a/b, https://shop.example/a/c]
- agent: '*'
  block: [/a*]
`;

test('maycrawl lsp serves an editor: it opens a file, shows findings and lenses, fixes a line, and ends with exit code 0', async () => {
  const folder = createTestFolder('lsp');
  writeFileSync(join(folder, 'robots.test.yaml'), TESTS);
  const uri = pathToFileURL(join(folder, 'robots.txt')).href;
  const { editor, exitCode } = startCommand('--stdio', '--rules-url', 'https://rules.example/docs/');
  const { capabilities } = await editor.initialize();
  expect(capabilities.positionEncoding).toBe('utf-16');
  await editor.open(uri, TEXT);
  expect(await editor.diagnostics(uri)).toMatchObject([
    {
      severity: 3,
      source: 'maycrawl',
      code: 'redundant-rule',
      codeDescription: { href: 'https://rules.example/docs/redundant-rule.md' },
      range: { start: { line: 2, character: 10 }, end: { line: 2, character: 14 } },
      tags: [1],
    },
  ]);
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 0 } };
  const actions = await editor.request<CodeAction[]>('codeAction', uri, {
    range,
    context: { diagnostics: [] },
  });
  expect(actions).toMatchObject([
    {
      title: 'Remove the record, and keep its comment (proved: no verdict changes)',
      kind: 'quickfix',
      isPreferred: true,
      edit: { changes: { [uri]: [{ newText: '' }] } },
    },
  ]);
  const lenses = await editor.request<CodeLens[]>('codeLens', uri);
  expect(lenses.map(({ range: { start }, command }) => [start.line, command?.title])).toEqual([
    [0, 'meets 5 of 6 expectations of robots.test.yaml'],
    [1, 'decides 2 of your 5 URLs, 1 not as expected'],
    [2, 'decides 1 of your 5 URLs'],
  ]);
  await editor.exit();
  expect(await exitCode).toBe(0);
});

test('a client that ends without a shutdown, with or without a notification, gives exit code 1', async () => {
  const { editor, exitCode } = startHere();
  await editor.initialize();
  await editor.connection.sendNotification('exit');
  expect(await exitCode).toBe(1);
  const other = startHere();
  await other.editor.initialize();
  other.input.end();
  expect(await other.exitCode).toBe(1);
});
