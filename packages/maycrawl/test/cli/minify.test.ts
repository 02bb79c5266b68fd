import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHere } from '../support/run-here.ts';

const FILE =
  '# All\nUser-agent: *\nDisallow: /a\nDisallow: /a/b # too\nAllow: /\n\nSitemap: https://h.example/s.xml\n';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-minify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the result is written to standard output', async () => {
  const { code, stdout, stderr } = await runHere(['minify', '-'], FILE);
  expect(stdout).toBe('user-agent:*\ndisallow:/a\nsitemap:https://h.example/s.xml\n');
  expect(stderr).toBe(
    'maycrawl: 97 bytes reduced to 57 (41 % less); same verdicts for every crawler and URL\n',
  );
  expect(code).toBe(0);
});

test('--output can be the input file, and a second run changes nothing', async () => {
  const path = join(folder, 'robots.txt');
  writeFileSync(path, FILE);
  expect((await runHere(['minify', '--comments', '-o', path, path])).code).toBe(0);
  const once = readFileSync(path, 'utf8');
  expect(once).toBe('# All\nuser-agent:*\ndisallow:/a\nsitemap:https://h.example/s.xml\n');
  expect((await runHere(['minify', '--comments', '-o', path, path])).stderr).toMatch(
    /no smaller file was found/,
  );
  expect(readFileSync(path, 'utf8')).toBe(once);
  expect(readdirSync(folder)).toEqual(['robots.txt']);
});

test.each([
  ['no such file', ['no-such'], /cannot read no-such: no such file/],
  [
    'a folder that does not exist',
    ['-', '-o', '/no/such/folder/x'],
    /cannot write \/no\/such\/folder\/x: no such file/,
  ],
  ['an unknown profile', ['-', '--profile', 'rfc'], /unknown profile "rfc"; profiles: /],
])('%s: a one-line error with exit code 2', async (_name, args, message) => {
  const { code, stdout, stderr } = await runHere(['minify', ...args], FILE);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});
