import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../support/run-here.ts';

const FILE =
  'User-agent: *\nDisallow: /private\nAllow: /private/press\nDisallow: /*.pdf$\n\nUser-agent: GPTBot\nDisallow: /\n';
let folder = '';
let tests = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-verify-'));
  tests = join(folder, 'robots.test.yaml');
});
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (expectations: string | Uint8Array, ...args: string[]) => {
  writeFileSync(tests, expectations);
  return runHere(['verify', '-', '--tests', tests, ...args], FILE);
};

const MIXED = `
- agent: Googlebot
  allow: [/, /private/press/*, "https://x.example/<&>.pdf"]
  block: [/private*, /a.pdf, /x/../y*]
- agent: GPTBot
  block: ["/*"]
`;

test('all expectations are met', async () => {
  const { code, stdout } = await verify(
    '- agent: Googlebot\n  allow: [/]\n  block: [/private/x, /*.pdf$]\n'.replace('/*.pdf$', '/x*.pdf$'),
  );
  expect(stdout).toBe(
    'met        Googlebot: allow /\nmet        Googlebot: block /private/x\nmet        Googlebot: block /x*.pdf$\n3 met, 0 not met\n',
  );
  expect(code).toBe(0);
});

test('the error for missing expectations mentions the option that writes them', async () => {
  const { code, stderr } = await runHere(['verify', '-', '--tests', join(folder, 'no-such')], FILE);
  expect(stderr).toMatch(/^maycrawl: cannot read .*no-such: no such file; verify --init writes it\n$/);
  expect(code).toBe(2);
});

test('a pattern is proved for all its URLs, or has a counterexample', async () => {
  const { code, stdout } = await verify(MIXED);
  expect(stdout).toMatch(
    /^not met {4}Googlebot: block \/private\* \(not \/private\/press: Allowed\..* Line 3, .*\)$/m,
  );
  expect(stdout).toMatch(/^not met {4}Googlebot: allow https:\/\/x\.example\/<&>\.pdf \(Disallowed\..*\)$/m);
  expect(stdout).toMatch(
    /^met {8}Googlebot: block \/x\/\.\.\/y\* \(no URL that can be requested is described\)$/m,
  );
  expect(stdout).toMatch(/\n5 met, 2 not met\n$/);
  expect(code).toBe(1);
});

test('JUnit, JSON and GitHub formats', async () => {
  const junit = await verify(MIXED, '--format', 'junit');
  const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(
    junit.stdout,
  );
  expect(testsuites.testsuite).toMatchObject({ tests: '7', failures: '2', errors: '0' });
  expect(testsuites.testsuite.testcase[2].failure.message).toMatch(/^Disallowed\./);
  const json = JSON.parse((await verify(MIXED, '--format', 'json')).stdout);
  expect(json.checks.map(({ passed }: { passed: boolean }) => passed)).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
    true,
  ]);
  const github = await verify(MIXED, '--format', 'github');
  expect(
    github.stdout
      .trimEnd()
      .split('\n')
      .every((line) => line.startsWith('::error file=')),
  ).toBe(true);
  expect(github.stdout.trimEnd().split('\n').length).toBe(2);
});

test('--init writes the current verdicts, and does not overwrite a file', async () => {
  const path = join(folder, 'new.yaml');
  const first = await runHere(['verify', '-', '--tests', path, '--init'], FILE);
  expect(first).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(path, 'utf8')).toMatch(/^# .*\n- agent: "\*"\n {2}allow:\n {4}- \/private\/press\*\n/);
  const checked = await runHere(['verify', '-', '--tests', path], FILE);
  expect(checked.code).toBe(0);
  const again = await runHere(['verify', '-', '--tests', path, '--init'], FILE);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toMatch(/exists; --init does not overwrite it/);
});

test.each([
  ['no list', 'agent: a', /it must be a list of expectations/],
  ['nothing', '', /it must be a list of expectations/],
  ['no YAML', '- a: [', /robots\.test\.yaml: /],
  ['no UTF-8', Buffer.from('- agent: a\n  block: [/\xe9]', 'latin1'), /it is not UTF-8/],
  ['no crawler', '- allow: [/]', /expectation 1 needs "agent"/],
  ['nothing expected', '- agent: a', /expectation 1 expects nothing/],
  ['another field', '- agent: a\n  alow: [/]', /expectation 1 has "alow"/],
  ['no texts', '- agent: a\n  allow: [1]', /"allow" and "block" are lists/],
])('%s: a one-line error with exit code 2', async (_name, expectations, message) => {
  const { code, stdout, stderr } = await verify(expectations);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n').length).toBe(1);
});

const INVALID = `
- agent: "*"
  allow: [/]
  block: [/private*]
- agent: Foo Bar
  allow: [/]
- agent: Googlebot
  allow: [no url, "x*", /]
`;

test('an invalid agent or target is a result with a message, and the other expectations are checked', async () => {
  const { code, stdout, stderr } = await verify(INVALID.replace('/private*', '/private/x'));
  expect(stdout.trimEnd().split('\n')).toEqual([
    'met        *: allow /',
    'met        *: block /private/x',
    expect.stringMatching(/^invalid {4}Foo Bar: allow \/ \(.*names no crawler.*\)$/),
    expect.stringMatching(/^invalid {4}Googlebot: allow no url \("no url": No verdict\. .*\)$/),
    'invalid    Googlebot: allow x* ("x*" is no pattern: it begins with "/" or "*")',
    'met        Googlebot: allow /',
    '3 met, 0 not met, 3 invalid',
  ]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  const { checks } = JSON.parse((await verify(INVALID, '--format', 'json')).stdout);
  expect(checks.map(({ passed }: { passed: boolean | null }) => passed)).toEqual([
    ...[true, false, null, null, null, true],
  ]);
  const junit = await verify(INVALID, '--format', 'junit');
  expect(junit.stdout).toMatch(/tests="6" failures="1" errors="3"/);
  expect(junit.code).toBe(1);
});

test.each([
  [
    'an agent',
    '- agent: "*"\n  allow: [/]\n- agent: Foo Bar\n  allow: [/]',
    /expectation 2: .*names no crawler/,
  ],
  ['a target', '- agent: "*"\n  allow: [/, "x*"]', /expectation 1: "x\*" is no pattern/],
  ['a URL', '- agent: "*"\n  block: [no url]', /expectation 1: "no url": No verdict\./],
])('watch add refuses expectations with %s that is invalid', async (_name, expectations, message) => {
  writeFileSync(tests, expectations);
  const database = join(folder, 'watch.sqlite');
  const { code, stderr } = await runHere([
    'watch',
    'add',
    'h.example',
    '--tests',
    tests,
    '--database',
    database,
  ]);
  expect(stderr).toMatch(message);
  expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, lines: 1 });
});

describe('the output of --init can be parsed', () => {
  const encodeIndex = (index: number): string =>
    String.fromCharCode(97 + (index % 26), 97 + (Math.floor(index / 26) % 26));
  const agents = (count: number): string =>
    Array.from({ length: count }, (_, index) => `User-agent: bot${encodeIndex(index)}\n`).join('');

  test('if many crawlers have the same rules', async () => {
    const path = join(folder, 'many.test.yaml');
    const file = `${agents(300)}Disallow: /a/\nDisallow: /b/\n`;
    expect(await runHere(['verify', '-', '--init', '--tests', path], file)).toMatchObject({ code: 0 });
    const { code, stderr } = await runHere(['verify', '-', '--tests', path], file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('and is not written otherwise', async () => {
    const path = join(folder, 'long.test.yaml');
    const rules = Array.from({ length: 200 }, (_, index) => `Disallow: /${'x'.repeat(100)}${index}/\n`).join(
      '',
    );
    const { code, stderr } = await runHere(
      ['verify', '-', '--init', '--tests', path],
      `${agents(300)}${rules}`,
    );
    expect(stderr).toMatch(/^maycrawl: not written: the expectations have more than 524,288 bytes/m);
    expect(code).toBe(2);
    expect(existsSync(path)).toBe(false);
  });
});
