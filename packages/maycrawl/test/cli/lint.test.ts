import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../support/run.ts';

const FILE = 'Useragent: *\nDisallow: /x\nDisallow: /x/y\nDisallow: /a b\nSitemap: https://h.example/s.xml\n';
let path = '';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-lint-'));
  path = join(folder, 'robots.txt');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('for people', async () => {
  const { code, stdout, stderr } = await run(['lint', '-'], FILE);
  expect(stdout.split('\n')).toEqual([
    '-',
    expect.stringMatching(/^ +1:1 {2}warning {2}"Useragent" is a misspelling .* misspelt-field, --fix$/),
    expect.stringMatching(/^ +3:11 {2}info {5}It can go: .* line 2 decides alike\. rule-covered, --fix$/),
    expect.stringMatching(/^ +4:13 {2}error {4}" " never stands .* character-never-in-url$/),
    '1 errors, 1 warnings, 1 notes',
    '',
  ]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
});

test('only what is bad enough; nothing bad is exit 0', async () => {
  const errors = await run(['lint', '-', '--severity', 'error', '--format', 'json'], FILE);
  expect(JSON.parse(errors.stdout).findings).toMatchObject([
    { code: 'character-never-in-url', line: 4, fixable: false },
  ]);
  const clean = await run(['lint', '-'], 'User-agent: *\nDisallow: /x\n');
  expect(clean).toMatchObject({ code: 0, stdout: '-\n0 errors, 0 warnings, 0 notes\n' });
});

test('for GitHub: text from the file cannot end an annotation, or begin another', async () => {
  const { stdout } = await run(
    ['lint', '-', '--format', 'github'],
    'user-agent: *\ndisallow: a%0A::error::x\u001b[31m\n',
  );
  for (const line of stdout.trimEnd().split('\n'))
    expect(line).toMatch(/^::(?:error|warning|notice) file=-,line=2,/);
  expect(stdout).toMatch(
    /^::error file=-,line=2,col=11,endColumn=\d+,title=pattern-without-slash::"a%250A::error::x\\x1b\[31m"/,
  );
});

test('SARIF', async () => {
  const { stdout } = await run(['lint', '-', '--format', 'sarif'], FILE);
  const { version, runs } = JSON.parse(stdout);
  expect(version).toBe('2.1.0');
  const [{ tool, results }] = runs;
  const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
  for (const { ruleId, ruleIndex, level, message, locations } of results) {
    expect(ids[ruleIndex]).toBe(ruleId);
    expect(['error', 'warning', 'note']).toContain(level);
    expect(message.text).not.toBe('');
    const { region } = locations[0].physicalLocation;
    expect(region.endColumn).toBeGreaterThanOrEqual(region.startColumn);
  }
  expect(results.length).toBe(3);
});

test('several files', async () => {
  writeFileSync(path, FILE);
  const good = join(folder, 'good.txt');
  writeFileSync(good, 'User-agent: *\nDisallow: /x\n');
  const { code, stdout } = await run(['lint', good, path, '--severity', 'error', '--format', 'json']);
  expect(JSON.parse(stdout)).toMatchObject([
    { robots: good, findings: [] },
    { robots: path, findings: [{ line: 4 }] },
  ]);
  expect(code).toBe(1);
});

test('--fix mends the file and proves that no verdict changes', async () => {
  writeFileSync(path, FILE);
  const { code, stdout, stderr } = await run(['lint', path, '--fix']);
  expect(stderr).toBe(`maycrawl: ${path}: mended: 2; no verdict changes\n`);
  expect(readFileSync(path, 'utf8')).toBe(
    'User-agent: *\nDisallow: /x\nDisallow: /a b\nSitemap: https://h.example/s.xml\n',
  );
  expect(stdout).toMatch(/\n1 errors, 0 warnings, 0 notes\n$/);
  expect(code).toBe(1);
  expect((await run(['lint', path, '--fix'])).stderr).toBe(`maycrawl: ${path}: nothing to mend\n`);
});

test.each([
  ['no such format', ['-', '--format', 'xml'], /--format is one of text, json, sarif, github, not xml/],
  ['no such severity', ['-', '--severity', 'bad'], /--severity is one of info, warning, error, not bad/],
  ['no file to mend', ['-', '--fix'], /--fix mends files: name some/],
  ['no such file', ['no-such'], /cannot read no-such: there is no such file/],
])('%s: one clear line, exit 2', async (_name, args, message) => {
  const { code, stdout, stderr } = await run(['lint', ...args], FILE);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n').length).toBe(1);
});
