/** `maycrawl preferences set`: the file, the report, exit codes and errors. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setPreferences } from '@maycrawl/core/preferences';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { ROOT } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-preferences-set-'));
const path = join(folder, 'robots.txt');
const tdmrep = join(folder, 'tdmrep.json');

const FILE = 'User-agent: *\r\nContent-Signal: ai-train=yes\r\nDisallow: /a\xff\r\n';
const RESULT =
  'User-agent: *\r\nContent-Usage: train-ai=n\r\nContent-Signal: ai-train=no\r\nDisallow: /a\xff\r\n' +
  '\r\nUser-agent: Google-Extended\r\nUser-agent: Applebot-Extended\r\nDisallow: /\r\n';

const REPORT = `after line 1: the group of * does not state it
  + Content-Usage: train-ai=n
line 2: the line states the opposite about ai-train
  - Content-Signal: ai-train=yes
  + Content-Signal: ai-train=no
after line 3: the rule for Google-Extended and Applebot-Extended refuses the use
  +
  + User-agent: Google-Extended
  + User-agent: Applebot-Extended
  + Disallow: /
3 edits; proved: no verdict changes, for any crawler and URL, except for Google-Extended and Applebot-Extended, which send no requests
note: a rule for Google-Extended refuses ai-input, too
note: APIs-Google, AdsBot-Google, AdsBot-Google-Mobile, Mediapartners-Google do not obey the groups for "*", so no statement reaches them
`;

const REACH = `Google documents that it honours Google-Extended for ai-train and ai-input (https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers, 2026-11-23).
Apple documents that it honours Applebot-Extended for ai-train (https://support.apple.com/en-us/119829, 2026-11-23).
No operator is known to have promised to honour Content-Usage or Content-Signal.
`;

/** The report, whose next line names many crawlers. */
function expectReport(text: string): void {
  expect(text.slice(0, REPORT.length)).toBe(REPORT);
  const rest = text.slice(REPORT.length);
  expect(rest.split('\n')[0]).toMatch(/^A refusal is a request, .*: .*GPTBot \(OpenAI\)/);
  expect(rest.slice(rest.indexOf('\n') + 1)).toBe(REACH);
}

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  writeFileSync(path, FILE, 'latin1');
});
afterAll(() => rmSync(folder, { recursive: true }));

const set = (...args: string[]): ReturnType<typeof runHere> => runHere(['preferences', 'set', ...args]);

test('the file goes to standard output, and the report to standard error', async () => {
  const { code, stderr } = await set(path, '--refuse', 'ai-train');
  expect(code).toBe(0);
  expectReport(stderr);
  expect(readFileSync(path, 'latin1')).toBe(FILE);
  const input = 'User-agent: *\nContent-Usage: train-ai=n\n';
  const { stdout } = await runHere(
    ['preferences', 'set', '-', '--allow', 'search', '--formats', 'content-usage'],
    input,
  );
  expect(stdout).toBe('User-agent: *\nContent-Usage: train-ai=n, search=y\n');
});

test('--output can be the input file, keeps its bytes, and a second run changes nothing', async () => {
  const args = [path, '--refuse', 'ai-train', '-o', path];
  const { code, stdout, stderr } = await set(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expectReport(stdout);
  expect(readFileSync(path, 'latin1')).toBe(RESULT);
  expect((await set(...args)).stdout).toMatch(/^the file already states it: no edit\n/);
  expect(readFileSync(path, 'latin1')).toBe(RESULT);
  expect(readdirSync(folder)).toEqual(['robots.txt']);
});

test('--check writes nothing, and exits with 1 until the file states the wishes', async () => {
  const args = [path, '--refuse', 'ai-train', '--check'];
  const { code, stdout, stderr } = await set(...args);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expectReport(stdout);
  expect(readFileSync(path, 'latin1')).toBe(FILE);
  writeFileSync(path, RESULT, 'latin1');
  expect(await set(...args)).toMatchObject({ code: 0, stderr: '' });
});

test('--json prints the result of the library in place of the file', async () => {
  const { code, stdout } = await set(path, '--refuse', 'ai-train', '--json');
  const { bytes, ...expected } = {
    bytes: null,
    ...setPreferences(readFileSync(path), { 'ai-train': 'disallowed' }),
  };
  expect(code).toBe(0);
  const { reach, ...result } = JSON.parse(stdout);
  expect(result).toEqual({ file: path, ...expected });
  expect(reach.promises.map(({ label }: { label: string }) => label)).toEqual([
    'Google-Extended',
    'Applebot-Extended',
  ]);
  expect(reach.mayFetch[0]).toHaveProperty('token');
  expect(JSON.parse((await set(path, '--allow', 'search', '--json')).stdout).reach).toBeNull();
});

test('purposes can have commas between them, and the usage token is written on request', async () => {
  const args = ['--refuse', 'ai-train, ai-input', '--formats', 'content-usage,usage-token'];
  const { code, stdout, stderr } = await runHere(
    ['preferences', 'set', '-', ...args],
    'User-agent: *\nDisallow: /a\n',
  );
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      'User-agent: *\nContent-Usage: train-ai=n, ai-use=n\nDisallow: /a\n\nUser-agent: __usage_ai-training\nDisallow: /\n',
  });
  expect(stderr).toContain(
    'Google announced that it intends to honour __usage_ai-training for ai-train (https://developers.google.com/crawling/docs/changelog, 2026-10-30).\n',
  );
  const wrong = await set(path, '--refuse', 'ai-train,ads');
  expect(wrong.stderr).toContain('must be one of search, ai-train, ai-input, not ads');
  expect(wrong.code).toBe(2);
});

test('the format tdmrep creates a file, and changes it later', async () => {
  const args = [path, '--formats', 'tdmrep', '--tdmrep', tdmrep];
  expect(await set(...args, '--refuse', 'ai-train', '--check')).toMatchObject({ code: 1 });
  expect(readdirSync(folder)).toEqual(['robots.txt']);
  expect((await set(...args, '--refuse', 'ai-train', '-o', path)).stdout).toContain(
    `${tdmrep}: the file states the wish about training`,
  );
  expect(JSON.parse(readFileSync(tdmrep, 'utf8'))).toEqual([{ location: '/', 'tdm-reservation': 1 }]);
  expect(await set(...args, '--refuse', 'ai-train', '--check')).toMatchObject({ code: 0 });
  await set(...args, '--allow', 'ai-train');
  expect(JSON.parse(readFileSync(tdmrep, 'utf8'))).toEqual([{ location: '/', 'tdm-reservation': 0 }]);
});

test('a site without a robots.txt gets a new one', async () => {
  const site = await serve((_request, response) => response.writeHead(404).end());
  const { code, stdout } = await set(site.origin, '--refuse', 'ai-train', '--database', 'none');
  await site.close();
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: Buffer.from(
      (setPreferences('', { 'ai-train': 'disallowed' }) as { bytes: Uint8Array }).bytes,
    ).toString(),
  });
});

test('a refusal exits with 2, writes nothing, and has a code in JSON', async () => {
  writeFileSync(path, 'User-agent: Google-Extended\nDisallow: /\n');
  const args = [path, '--refuse', 'ai-train', '--allow', 'ai-input', '-o', path];
  const { code, stdout, stderr } = await set(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(
    `maycrawl: ${path}: not changed: line 2: the rules for Google-Extended state the same about ai-train and ai-input: remove its group, or choose the same for both\n`,
  );
  expect(readFileSync(path, 'utf8')).toBe('User-agent: Google-Extended\nDisallow: /\n');
  const json = await set(...args, '--json');
  expect(json.code).toBe(2);
  expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'refused', code: 'inseparable-purposes' });
});

test.each([
  {
    title: 'no wishes',
    args: [],
    message: 'give --refuse or --allow with a purpose: search, ai-train or ai-input',
  },
  {
    title: 'an unknown purpose',
    args: ['--refuse', 'training'],
    message: '--refuse must be one of search, ai-train, ai-input, not training',
  },
  {
    title: 'a purpose that is refused and allowed',
    args: ['--refuse', 'search', '--allow', 'search'],
    message: '--refuse search and --allow search exclude each other',
  },
  {
    title: 'an unknown format',
    args: ['--refuse', 'search', '--formats', 'content-usage,rsl'],
    message:
      '--formats must name content-usage, content-signal, policy-token, usage-token, tdmrep, not "rsl"',
  },
  {
    title: 'the format tdmrep without its file',
    args: ['--refuse', 'ai-train', '--formats', 'tdmrep'],
    message: 'the format tdmrep requires --tdmrep FILE, the file to create or change',
  },
  {
    title: '--check with --output',
    args: ['--refuse', 'ai-train', '--check', '-o', 'x'],
    message: '--check writes nothing: omit --output',
  },
  {
    title: 'an invalid policy token',
    args: ['--refuse', 'ai-train', '--policy-token', 'a b'],
    message: '--policy-token "a b": give a product token (letters, digits, "_", "-" and ".")',
  },
])('$title: a one-line error with exit code 2', async ({ args, message }) => {
  expect(await set(path, ...args)).toEqual({ code: 2, stdout: '', stderr: `maycrawl: ${message}\n` });
});

test.each([
  { title: 'a missing file', name: 'no-such', message: /^maycrawl: cannot read no-such: no such file\n$/ },
  { title: 'a folder', name: folder, message: /^maycrawl: cannot read .*: it is a directory, not a file\n$/ },
  {
    title: 'an HTML page',
    name: 'html',
    message: /^maycrawl: .*html: not changed: the file is an HTML page, not a robots\.txt\n$/,
  },
  {
    title: 'a file that is too long',
    name: 'long',
    message: /crawlers ignore everything after the first 512,000 bytes\n$/,
  },
])('$title: a one-line error with exit code 2', async ({ name, message }) => {
  writeFileSync(join(folder, 'html'), '<html><p>404</p></html>\n');
  writeFileSync(join(folder, 'long'), 'User-agent: *\n'.padEnd(512_001, '#'));
  const file = name === 'html' || name === 'long' ? join(folder, name) : name;
  const { code, stdout, stderr } = await set(file, '--refuse', 'ai-train');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});

test('the file in docs/preferences.md is the one that the command writes for a site without rules', async () => {
  const page = readFileSync(join(ROOT, 'docs/preferences.md'), 'utf8');
  const [, args = ''] = /npx maycrawl preferences set - (.*)$/m.exec(page) ?? [];
  const [, written] = /^```\n(User-agent: \*\n[\s\S]*?)```$/m.exec(page) ?? [];
  const { code, stdout } = await runHere(['preferences', 'set', '-', ...args.split(' ')], '');
  expect({ code, stdout }).toEqual({ code: 0, stdout: written });
});
