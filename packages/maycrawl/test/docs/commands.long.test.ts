import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { BIN, ownCache, ROOT, type RunResult } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The code blocks of a Markdown file, in order. */
function readBlocks(path: string): { readonly language: string; readonly code: string }[] {
  const blocks = readDocument(path).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, language = '', code = '']) => ({ language, code }));
}

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'conformance/README.md',
  'packages/core/README.md',
  'packages/client/README.md',
  'packages/maycrawl/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    // Excludes the packages and pages that `npm run docs` installs and generates there.
    .filter((name) => name.endsWith('.md') && !/^(node_modules|api)\//.test(name))
    .map((name) => `docs/${name}`),
];

/** The command of a line, without its comment. The packages are already installed. */
const readCommand = (line: string): string =>
  line
    .replace(/^npm install && /, '')
    .replace(/ +# .*$/, '')
    .trim();

/** The commands, each with the first document that has it. */
const COMMANDS = [
  ...new Map(
    DOCUMENTS.flatMap((document) =>
      readBlocks(document)
        .filter(({ language }) => language === 'sh')
        .flatMap(({ code }) => code.split('\n'))
        .filter((line) => line.includes('npx maycrawl'))
        .map(readCommand)
        .map((command) => [command, { document, command }] as const),
    ).reverse(),
  ).values(),
].reverse();

/** Whether a command runs until it is stopped. */
const isServing = ({ command }: { readonly command: string }): boolean =>
  /maycrawl serve(?!.* --help)/.test(command);

let site: TestServer;
/** Where the commands write censuses. */
const censuses = mkdtempSync(join(tmpdir(), 'maycrawl-docs-censuses-'));

beforeAll(async () => {
  site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /b\n'));
});

afterAll(async () => {
  rmSync(censuses, { recursive: true, force: true });
  await site.close();
});

/** Commands that need neither a shell nor threads, of which other tests start processes. */
const SIMPLE =
  /^npx maycrawl (?:check|parse|crawlers|diff|lint|minify|verify|watch(?! (?:run|check)\b)|preferences)(?: [^"'$|<>]*)?$/;

const results = new Map<string, Promise<RunResult>>();

/** Runs a command from the documents once. */
function runDocumented(line: string): Promise<RunResult> {
  const command = readCommand(line).replaceAll('https://example.com', site.origin);
  const result =
    results.get(command) ??
    (SIMPLE.test(command) ? runHere(command.split(/ +/).slice(2)) : runInShell(command));
  results.set(command, result);
  return result;
}

/** Runs a shell command from the documents, with the built command for `npx maycrawl`. */
function runInShell(command: string): Promise<RunResult> {
  const script = command
    .replaceAll('npx maycrawl', `"${process.execPath}" "${BIN}"`)
    .replaceAll(/(?<= )censuses\//g, `${censuses}/`);
  return promisify(execFile)('bash', ['-c', script], { cwd: ROOT, env: ownCache() }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe('commands in the documents', () => {
  test.each(COMMANDS.filter(isServing))('$document: $command', async ({ command }) => {
    const args = command.replace(/^.*npx maycrawl /, '').split(/ +/);
    const child = spawn(process.execPath, [BIN, ...args, '--port', '0', '--drain-time', '0s'], {
      cwd: ROOT,
      env: ownCache(),
    });
    child.stderr.setEncoding('utf8');
    let output = '';
    for await (const chunk of child.stderr) {
      output += chunk;
      if (output.includes('\n')) break;
    }
    const address = /^maycrawl: page: (http:\S+\/),/.exec(output)?.[1] ?? output;
    expect(await (await fetch(address)).text()).toContain('<title>');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.each(COMMANDS.filter((each) => !isServing(each)))('$document: $command', async ({ command }) => {
    const { code, stdout, stderr } = await runDocumented(command);
    // These commands print their totals to standard error.
    const totals: readonly (readonly [RegExp, RegExp])[] = [
      [/watch run/, /^maycrawl: \d+ sites? checked\n$/],
      [/check .*--urls/, /^maycrawl: \d+ allowed, .*\n$/],
      [/audit/, /^maycrawl: \d+ URLs? fetched, .*\n$/],
      [/census report/, /^maycrawl: wrote .*\/report\.html: \d+ sites in the last of 2 crawls, 5 agents\n$/],
      [/census judge/, /^maycrawl: \d+ captures?, \d+ distinct files, written to .*\n$/],
      [/minify/, /^maycrawl: \d+ bytes reduced to \d+ .*\n$/],
      [
        /preferences set(?!.*--check)/,
        /\d+ edits?; proved: no verdict changes, .*\n(?:note: .*\n)*(?:.*\.\n)*$/,
      ],
    ];
    expect(stderr).toMatch(totals.find(([which]) => which.test(command))?.[1] ?? /^$/);
    expect([0, 1]).toContain(code);
    if (!/watch run|census (?:judge|report)/.test(command)) expect(stdout).not.toBe('');
  });

  test('the documents contain commands', () => {
    expect(COMMANDS.length).toBeGreaterThan(6);
  });

  test('the queries of the census are those of the examples, and their output is shown', async () => {
    const blocks = readBlocks('docs/census-queries.md');
    const outputs = blocks.flatMap(({ language, code: shown }, index) => {
      const [query, command] = [blocks[index - 2], blocks[index - 1]];
      return language === 'text' && command?.language === 'sh'
        ? [{ shown, query, command: command.code }]
        : [];
    });
    expect(outputs).toHaveLength(8);
    for (const { shown, query, command } of outputs) {
      const [path] = /examples\/\S+\.sql/.exec(command) ?? [];
      if (path !== undefined) expect(query?.code).toBe(readDocument(path));
      const { stdout } = await runDocumented(command);
      const output = stdout.replace(/ +$/gm, '');
      // Only the beginning of a comparison is shown.
      expect(command.includes('compare') ? output.slice(0, shown.length) : output, command).toBe(shown);
    }
  });

  test('the documents show the actual output of the commands', async () => {
    for (const [document, language] of [
      ['README.md', 'text'],
      ['docs/command.md', 'json'],
    ] as const) {
      const blocks = readBlocks(document);
      const index = blocks.findIndex((block) => block.language === language);
      const shown = blocks[index]?.code ?? '';
      const { stdout } = await runDocumented(blocks[index - 1]?.code ?? '');
      expect(stdout.replace(/ +$/gm, '')).toBe(shown);
    }
  });
});

describe('code in the documents', () => {
  // A test of the adapters runs those of docs/pages.md, some of which need Chromium.
  const examples = DOCUMENTS.filter((document) => document !== 'docs/pages.md').flatMap((document) =>
    readBlocks(document)
      .filter(({ language }) => language === 'js')
      .map(({ code }) => ({ document, code })),
  );

  /** Runs the code with a site on loopback in the place of example.com, and returns what it prints. */
  async function runCode(code: string): Promise<string> {
    const source = code.replaceAll('https://example.com', site.origin);
    const args = ['--input-type=module', '--eval', source];
    // Examples write to the folder for temporary files, which must be empty.
    const folder = mkdtempSync(join(tmpdir(), 'maycrawl-docs-'));
    const env = { ...process.env, TMPDIR: folder };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    rmSync(folder, { recursive: true });
    expect(stderr).toBe('');
    return stdout;
  }

  test.each(examples)('$document', async ({ document, code }) => {
    const stdout = await runCode(code);
    expect(stdout !== '').toBe(code.includes('console.log('));
    const documented = [...code.matchAll(/console\.log\(.*\); \/\/ ([^:\n]+)/g)].map(([, output]) => output);
    for (const output of documented) expect(stdout.split('\n')).toContain(output);
    if (!/README/.test(document) || !code.includes('RobotsClient')) return;
    // The crawler that newcomers see first.
    expect(stdout).toBe(`200 ${site.origin}/\ndisallowed by line 2 ${site.origin}/b\n`);
    expect(code.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10);
  });

  test('the documents contain code', () => {
    expect(examples.length).toBeGreaterThan(3);
  });
});

/** The anchors of a Markdown file, as GitHub derives them from the headings. */
function readAnchors(path: string): string[] {
  const headings = readDocument(path).matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('links within the project point to existing files and headings', () => {
  for (const document of DOCUMENTS) {
    for (const [, target = ''] of readDocument(document).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file, anchor] = target.split('#') as [string, string | undefined];
      const path = file === '' ? document : join(document, '..', file);
      expect(existsSync(join(ROOT, path)), `${document}: ${target}`).toBe(true);
      if (anchor !== undefined) expect(readAnchors(path), `${document}: ${target}`).toContain(anchor);
    }
  }
});
