import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from '@maycrawl/core';
import { CRAWLER_RECORDS, toDocumentedCrawler } from '@maycrawl/core/crawlers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  DocumentSymbol,
  FoldingRange,
  Hover,
  SymbolInformation,
  TextEdit,
} from 'vscode-languageserver';
import { analyze, type RunAnalysis } from '../../src/lsp/analysis.ts';
import { listGroupCrawlers } from '../../src/lsp/catalogue-crawlers.ts';
import { applyEdits, type Session, startHere } from '../support/editor.ts';
import { createTestFolder } from '../support/folder.ts';

const runHere = analyze as RunAnalysis;

let session: Session;
let count = 0;

beforeAll(async () => {
  session = startHere();
  await session.editor.initialize();
});
afterAll(() => session.editor.exit());

/** Opens a text, in which `|` is the position. */
async function open(marked: string): Promise<{ uri: string; text: string; position: object }> {
  const at = marked.indexOf('|');
  const text = at < 0 ? marked : marked.slice(0, at) + marked.slice(at + 1);
  const before = text.slice(0, Math.max(0, at)).split(/\r\n|\r|\n/);
  const uri = `file:///nowhere/${++count}/robots.txt`;
  await session.editor.open(uri, text);
  return { uri, text, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
}

async function hover(marked: string): Promise<string | null> {
  const { uri, position } = await open(marked);
  await session.editor.diagnostics(uri);
  const result = await session.editor.request<Hover | null>('hover', uri, { position });
  return result === null ? null : (result.contents as { value: string }).value;
}

/** The labels of completion, and the texts after selecting them. */
async function complete(marked: string): Promise<{ labels: string[]; select: (label: string) => string }> {
  const { uri, text, position } = await open(marked);
  const items = await session.editor.request<CompletionItem[]>('completion', uri, { position });
  return {
    labels: items.map(({ label }) => label),
    select: (label) => {
      const item = items.find((each) => each.label === label);
      return applyEdits(text, [item?.textEdit as TextEdit]);
    },
  };
}

async function listActions(marked: string, only?: readonly string[]) {
  const { uri, text, position } = await open(marked);
  const context = { diagnostics: [], ...(only && { only }) };
  const actions = await session.editor.request<CodeAction[]>('codeAction', uri, {
    range: { start: position, end: position },
    context,
  });
  return actions.map(({ title, kind, isPreferred, edit }) => ({
    title,
    kind,
    isPreferred,
    text: applyEdits(text, edit?.changes?.[uri] ?? []),
  }));
}

/** Converts a number to letters, which product tokens can have. */
const toLetters = (index: number): string =>
  [...index.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');

test('a hover over a user-agent line says what is documented about the crawler, and who obeys the group', async () => {
  const text = await hover('User-agent: Google|bot\nDisallow: /a\n');
  expect(text).toContain('**Googlebot** (Google): ');
  expect(text).toContain('- robots.txt: its group, else \\*');
  expect(text).toContain('- source: <https://developers.google.com/');
  expect(text).toContain('Group of `Googlebot`, obeyed by ');
  expect(text).toContain('Googlebot Image');
});

test('a hover over the group for all others names the crawlers that ignore it', async () => {
  const text = await hover('User-agent: |*\nDisallow: /a\nUser-agent: GPTBot\nDisallow: /\n');
  expect(text).toContain('Group of `*`, obeyed by ');
  expect(text).toMatch(/Not obeyed by .*AdsBot-Google.*: they ignore groups for `\*`\./);
});

test('a hover over a rule says what it matches, and which line decides about an example', async () => {
  expect(await hover('User-agent: *\nDisallow: /a*/|b$\n')).toContain(
    'Matches URLs whose path and query are `/a*/b`, where `*` stands for any characters. Its priority is its length, 6 bytes',
  );
  expect(await hover('User-agent: *\nDisallow: |/a\nAllow: /a\n')).toContain(
    'Another line decides, for example, about `/a` for a crawler without a group of its own. Allowed.',
  );
  expect(await hover('Disallow: /|a\n')).toContain('The line is in no group, so it applies to no crawler.');
  expect(await hover('User-agent: a\nDisallow:| ')).toContain('The rule is empty');
  expect(await hover('User-agent: a\nDisallow: |a')).toContain('No URL matches');
});

test('a hover over a field explains it, also if it is misspelled, and over a finding shows its documentation', async () => {
  expect(await hover('User-agent: a\nDis|alow: /b\n')).toContain('**Disallow**: ');
  expect(await hover('User-agent: a\nDis|alow: /b\n')).toContain('**misspelled-field-name**: ');
  expect(await hover('Crawl-del|ay: 1')).toContain('Documented to obey it: ');
  expect(await hover('what is |this')).toContain('**invalid-line**: ');
  expect(await hover('# noth|ing')).toBeNull();
});

test('a hover over a declaration lists its purposes', async () => {
  const text = await hover('User-agent: *\nContent-Signal: ai-train=|no, search=yes\nAllow: /\n');
  expect(text).toContain('- ai-train (training of AI models): disallowed');
  expect(text).toContain('- search (results of a search engine): allowed');
});

test('the crawlers of a group are those whose rulesets select it', () => {
  const robots = parse(
    [
      'User-agent: Googlebot\nUser-agent: MJ12bot\nDisallow: /1',
      'User-agent: *\nDisallow: /2',
      'User-agent: Bingbot/2.0\nUser-agent: *\nDisallow: /3',
      'User-agent: AdsBot-Google\nDisallow: /4',
    ].join('\n'),
  );
  const groups = robots.groups();
  const obeying = groups.map((group) => new Set(listGroupCrawlers(groups, group).obeying));
  const crawlers = CRAWLER_RECORDS.map(toDocumentedCrawler);
  for (const crawler of crawlers) {
    const values = new Set(robots.ruleset(crawler).rules.map(({ value }) => value));
    const expected = crawler.obeys === 'nothing' ? [] : [...values];
    const found = obeying.flatMap((names, index) => (names.has(crawler.name) ? [`/${index + 1}`] : []));
    expect(found, crawler.name).toEqual(expected);
  }
});

test('completion offers fields, before a colon and without one', async () => {
  const { labels, select } = await complete('User-agent: a\nDis|\n');
  expect(labels).toContain('Content-Usage');
  expect(select('Disallow')).toBe('User-agent: a\nDisallow: \n');
  expect((await complete('  us|er: a')).select('User-agent')).toBe('  User-agent: a');
  expect((await complete('# Dis|')).labels).toEqual([]);
});

test('completion offers the tokens of the catalogue after User-agent, the best known first', async () => {
  const { labels, select } = await complete('User-agent: GPT|B\r\nDisallow: /\r\n');
  expect(labels.slice(0, 2)).toEqual(['*', 'Googlebot']);
  expect(labels).toHaveLength(CRAWLER_RECORDS.length + 1);
  expect(select('GPTBot')).toBe('User-agent: GPTBot\r\nDisallow: /\r\n');
  expect((await complete('User-agent:|')).select('*')).toBe('User-agent:*');
  expect((await complete('User-agent: a b|')).labels).toEqual([]);
  expect((await complete('Disallow: |')).labels).toEqual([]);
});

test('completion offers the labels that a declaration does not have, with their values', async () => {
  const { labels, select } = await complete('Content-Signal: search=yes, ai-|');
  expect(labels).toEqual(['ai-input=no', 'ai-input=yes', 'ai-train=no', 'ai-train=yes']);
  expect(select('ai-train=no')).toBe('Content-Signal: search=yes, ai-train=no');
  expect((await complete('Content-Usage: /blog/ |')).select('train-ai=n')).toBe(
    'Content-Usage: /blog/ train-ai=n',
  );
});

test('a quick fix changes one line, and its title says that no verdict changes', async () => {
  expect(await listActions('User-agent: *\r\nDisallow: /a\r\nDisallow: /a/|b\r\n\r\n')).toEqual([
    {
      title: 'Remove the line (proved: no verdict changes)',
      kind: 'quickfix',
      isPreferred: true,
      text: 'User-agent: *\r\nDisallow: /a\r\n\r\n',
    },
  ]);
  expect(await listActions('User-agent: *\nDisallow: /|a\n')).toEqual([]);
});

test('a quick fix that moves a line names the place, and changes the lines between as they are', async () => {
  expect(await listActions('Content-Signal: |ai-train=no\nUser-agent: *\nDisallow: /a\n')).toEqual([
    {
      title: 'Move 1 line below line 2 (proved: no verdict changes)',
      kind: 'quickfix',
      isPreferred: true,
      text: 'User-agent: *\nContent-Signal: ai-train=no\nDisallow: /a\n',
    },
  ]);
});

test('a suggestion that changes verdicts says so with an example, and is not the preferred fix', async () => {
  expect(await listActions('User-agent: *\nDisl|low: /a\n')).toEqual([
    {
      title:
        'Replace the line with: Disallow: /a (changes verdicts: any other crawler may no longer fetch /a)',
      kind: 'quickfix',
      isPreferred: undefined,
      text: 'User-agent: *\nDisallow: /a\n',
    },
  ]);
});

test('one action fixes all findings of a file, also far from the position', async () => {
  const text = '|User-agent: *\nDisallow: /a\nDisallow: /a/b\nDisallow: /a/c # c\n';
  const [action] = await listActions(text, ['source']);
  expect(action).toEqual({
    title: 'Fix 2 findings of the file (proved: no verdict changes)',
    kind: 'source.fixAll.maycrawl',
    isPreferred: undefined,
    text: 'User-agent: *\nDisallow: /a\n# c\n',
  });
  expect(await listActions(text)).toEqual([]);
  expect(await listActions(text, ['refactor'])).toEqual([]);
  const beside = await listActions(text.replace('|', '').replace('/a/b', '/a/|b'));
  expect(beside.map(({ kind }) => kind)).toEqual(['quickfix', 'source.fixAll.maycrawl']);
});

test('lenses are missing without expectations, and describe expectations that cannot be read', async () => {
  const { uri } = await open('User-agent: *\nDisallow: /a\n');
  expect(await session.editor.request('codeLens', uri)).toEqual([]);
  const folder = createTestFolder('lsp-tests');
  const beside = pathToFileURL(join(folder, 'robots.txt')).href;
  await session.editor.open(beside, 'User-agent: *\n');
  mkdirSync(join(folder, 'robots.test.yaml'));
  expect(await session.editor.request('codeLens', beside)).toEqual([]);
  const other = createTestFolder('lsp-tests');
  writeFileSync(join(other, 'robots.test.yaml'), '- agent: [');
  const invalid = pathToFileURL(join(other, 'robots.txt')).href;
  await session.editor.open(invalid, 'User-agent: *\n');
  const [lens] = await session.editor.request<CodeLens[]>('codeLens', invalid);
  expect(lens?.command?.title).toMatch(/^robots\.test\.yaml cannot be read: /);
});

test('expectations that would take minutes take a bounded time: the file has no lenses about lines', async () => {
  const agents = Array.from({ length: 3000 }, (_, index) => `Bot${toLetters(index)}`);
  const robots = agents.map((agent) => `User-agent: ${agent}\nDisallow: /${'a'.repeat(20)}\n`).join('');
  const tests = agents.map((agent) => `- agent: ${agent}\n  allow: [/b]\n`).join('');
  const { count: checked, lines } = await runHere({ kind: 'expectations', text: robots, tests });
  expect(checked).toBe(3000);
  expect(lines).toEqual([]);
});

test('a client that watches files is notified when expectations change', async () => {
  const { editor } = startHere();
  const registered = new Promise((resolve) =>
    editor.connection.onRequest('client/registerCapability', (params) => {
      resolve(params);
      return null;
    }),
  );
  const refreshed = new Promise<void>((resolve) =>
    editor.connection.onRequest('workspace/codeLens/refresh', () => {
      resolve();
      return null;
    }),
  );
  await editor.initialize({
    workspace: {
      didChangeWatchedFiles: { dynamicRegistration: true },
      codeLens: { refreshSupport: true },
    },
  });
  expect(await registered).toMatchObject({
    registrations: [
      {
        method: 'workspace/didChangeWatchedFiles',
        registerOptions: { watchers: [{ globPattern: '**/robots.test.yaml' }] },
      },
    ],
  });
  await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [] });
  await refreshed;
  await editor.exit();
});

test('the outline has groups with their records, and sitemaps beside them', async () => {
  const { uri } = await open(
    'Sitemap: https://h.example/s\nUser-agent: a\nUser-agent: b\nDisallow: /x\n# c\n# d\n',
  );
  const symbols = await session.editor.request<DocumentSymbol[]>('documentSymbol', uri);
  expect(symbols.map(({ name, children }) => [name, children?.map((child) => child.name)])).toEqual([
    ['Sitemap: https://h.example/s', undefined],
    ['a, b', ['Disallow: /x']],
  ]);
  expect(await session.editor.request<FoldingRange[]>('foldingRange', uri)).toEqual([
    { startLine: 1, endLine: 3 },
    { startLine: 4, endLine: 5, kind: 'comment' },
  ]);
});

test('an old client receives plain text and a flat outline', async () => {
  const { editor } = startHere();
  await editor.initialize({});
  await editor.open('file:///r', 'User-agent: Googlebot\nDisallow: /*_a_\n');
  const position = { line: 1, character: 12 };
  const { contents } = await editor.request<Hover>('hover', 'file:///r', { position });
  expect(contents).toMatchObject({ kind: 'plaintext' });
  expect((contents as { value: string }).value).toContain('begin with "/*_a_", where "*" stands');
  const symbols = await editor.request<SymbolInformation[]>('documentSymbol', 'file:///r');
  expect(symbols.map(({ name, containerName }) => [name, containerName])).toEqual([
    ['Googlebot', undefined],
    ['Disallow: /*_a_', 'Googlebot'],
  ]);
  await editor.exit();
});

test('a file that is not open has no results, and a closed one has no diagnostics', async () => {
  const position = { line: 0, character: 0 };
  expect(await session.editor.request('hover', 'file:///other', { position })).toBeNull();
  const { uri } = await open('nonsense');
  expect(await session.editor.diagnostics(uri)).toHaveLength(1);
  await session.editor.close(uri);
  expect(await session.editor.diagnostics(uri)).toEqual([]);
});

test('a linter that fails is a diagnostic, not silence', async () => {
  const { editor } = startHere({ run: () => Promise.reject(new Error('out of memory')) });
  await editor.initialize();
  await editor.open('file:///r', 'User-agent: *\n');
  expect(await editor.diagnostics('file:///r')).toMatchObject([
    { severity: 2, message: 'the file could not be checked: out of memory' },
  ]);
  await editor.exit();
});

test('of more than a thousand findings the most severe ones are shown, with the number of the others', async () => {
  const { uri } = await open(`${'x: 1\n'.repeat(1200)}nonsense\n`);
  const diagnostics = await session.editor.diagnostics(uri);
  expect(diagnostics).toHaveLength(1001);
  expect(diagnostics[0]).toMatchObject({ code: 'invalid-line' });
  expect(diagnostics.at(-1)?.message).toMatch(/^201 further findings/);
});
