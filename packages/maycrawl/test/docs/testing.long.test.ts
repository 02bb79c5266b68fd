import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { ROOT } from '../support/run.ts';

const PAGE = readFileSync(join(ROOT, 'docs', 'testing.md'), 'utf8');

/** The examples: the name of the file, and the program. */
const EXAMPLES = Array.from(
  PAGE.matchAll(/^```ts\n\/\/ (.*)\n([\s\S]*?)^```$/gm),
  ([, name = '', code = '']) => ({
    name,
    code,
  }),
);
const [VITEST = '', JEST = '', NODE = '', DEPLOYED = '', NEXT = ''] = EXAMPLES.map(({ code }) => code);
const ROBOTS = /```robots\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
const FAILURE = /```text\n([\s\S]*?)\n```/.exec(PAGE)?.[1] ?? '';

/** The module of jest for tests, with the `expect` of jest and another runner. */
const JEST_GLOBALS = "export { expect } from 'expect';\nexport { test } from 'node:test';\n";

/** One failing test for each statement. */
const FAILING = {
  vitest: `
    import { matchers } from 'maycrawl/test';
    import { expect, test } from 'vitest';
    expect.extend(matchers);
    const robots = { file: 'public/robots.txt' };
    test('allow', () => expect(robots).toAllow('/blog/**', { agent: 'Googlebot' }));
    test('disallow', () => expect(robots).toDisallow('/b*', { agent: 'Googlebot' }));
    test('equivalent', () => expect(robots).toBeEquivalentTo(''));
    test('server error', async () => {
      await expect(new Response('', { status: 503 })).not.toAllow('/', { agent: 'Googlebot' });
    });
    test('without await', () => {
      expect(new Response('User-agent: *\\nDisallow: /')).toAllow('/', { agent: 'Googlebot' });
    });`,
  jest: `
    import { expect, test } from './jest-globals.mjs';
    import { matchers } from 'maycrawl/test';
    expect.extend(matchers);
    const robots = { file: 'public/robots.txt' };
    test('allow', () => expect(robots).toAllow('/blog/**', { agent: 'Googlebot' }));
    test('disallow', () => expect(robots).toDisallow('/b*', { agent: 'Googlebot' }));
    test('equivalent', () => expect(robots).toBeEquivalentTo(''));`,
  node: `
    import { test } from 'node:test';
    import { assertAllows, assertDisallows, assertEquivalent } from 'maycrawl/test';
    const robots = { file: 'public/robots.txt' };
    test('allow', () => assertAllows(robots, '/blog/**', { agent: 'Googlebot' }));
    test('disallow', () => assertDisallows(robots, '/b*', { agent: 'Googlebot' }));
    test('equivalent', () => assertEquivalent(robots, ''));`,
};

let folder: string;
let site: TestServer;
beforeAll(async () => {
  site = await serve((_request, response) => response.end(ROBOTS));
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-testing-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const name of ['public', 'app', 'passing', 'failing']) mkdirSync(join(folder, name));
  const files = {
    'public/robots.txt': ROBOTS,
    'jest-globals.mjs': JEST_GLOBALS,
    'app/robots.ts': "export default () => ({ rules: { userAgent: '*', disallow: '/api/' } });\n",
    'app/robots.test.ts': NEXT,
    'passing/robots.test.ts': VITEST,
    'passing/deployed.test.ts': DEPLOYED.replace('https://shop.example', site.origin),
    'failing/robots.test.ts': FAILING.vitest,
    'node.mjs': NODE,
    'jest.mjs': JEST.replace('@jest/globals', './jest-globals.mjs'),
    'failing-node.mjs': FAILING.node,
    'failing-jest.mjs': FAILING.jest,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

/** Runs Node in the folder, without the environment of this test runner. */
async function runNode(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const env = { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

/** Removes the indentation of reporters. */
const trimLines = (text: string): string => text.replaceAll(/^ +/gm, '');

/** The message of the page, as an assertion of Node or with a file. */
const getFailure = (title: string): string => trimLines(FAILURE.replace('toAllow', title));

describe('the examples of docs/testing.md', () => {
  test('have the names of test files', () => {
    expect(EXAMPLES.map(({ name }) => name)).toEqual([
      ...['robots.test.ts', 'robots.test.mjs', 'robots.test.mjs', 'deployed.test.ts', 'app/robots.test.ts'],
    ]);
  });

  test('pass in vitest, and the failing tests fail with their messages', async () => {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const { code, output } = await runNode(vitest, 'run', '--root', folder, '--reporter', 'verbose');
    expect(code).toBe(1);
    const lines = trimLines(output);
    expect(lines).toMatch(/✓ passing\/robots\.test\.ts > search engines may fetch the shop/);
    expect(lines).toMatch(/✓ passing\/deployed\.test\.ts > the deployed file/);
    expect(lines).toMatch(/✓ app\/robots\.test\.ts > crawlers may not fetch the API/);
    expect(lines).toContain(getFailure('toAllow'));
    expect(lines).toContain(
      'toDisallow("/b*", { agent: "Googlebot" })\n\nExpected:   all URLs that match /b* are disallowed',
    );
    expect(lines).toContain(
      'toBeEquivalentTo(other)\n\nExpected:   every URL has the same verdict for every crawler',
    );
    expect(lines).toContain('RobotsTestError: the response with status 503 says nothing about the rules');
    expect(lines).toContain('Unhandled Rejection');
  });

  test.each([
    ['jest', 'toAllow', 'toDisallow', 'toBeEquivalentTo'],
    ['node', 'assertAllows', 'assertDisallows', 'assertEquivalent'],
  ])(
    'pass with the expect or the assertions of %s, and the failing tests fail with their messages',
    async (name, allows, disallows, equals) => {
      const passing = await runNode('--test', '--test-reporter', 'tap', `${name}.mjs`);
      expect(passing.output).toMatch(/^# fail 0$/m);
      expect(passing.code).toBe(0);
      const { code, output } = await runNode('--test', '--test-reporter', 'tap', `failing-${name}.mjs`);
      const lines = trimLines(output);
      expect({ code, fail: /^# fail (\d+)$/m.exec(lines)?.[1] }).toEqual({ code: 1, fail: '3' });
      expect(lines).toContain(getFailure(allows));
      expect(lines).toContain(
        `${disallows}("/b*", { agent: "Googlebot" })\n\nExpected:   all URLs that match /b* are`,
      );
      expect(lines).toContain(
        `${equals}(other)\n\nExpected:   every URL has the same verdict for every crawler`,
      );
    },
  );
});
