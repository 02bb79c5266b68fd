import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type InlineConfig, type LogErrorOptions, type LogOptions, type Plugin } from 'vite';
import { expect, test } from 'vitest';
import { type RobotsTxtOptions, robotsTxt } from '../src/vite.ts';
import { createTestFolder } from './support/folder.ts';

const GOOD = 'User-agent: *\nDisallow: /checkout\n';
const PAGE = '<!doctype html><title>Shop</title><script type="module">document.title += "!";</script>\n';

/** Builds a project with Vite. @returns the warnings, and the message of the error if the build fails. */
async function buildProject(
  files: Readonly<Record<string, string>>,
  options?: RobotsTxtOptions,
  config: InlineConfig = {},
): Promise<{ readonly warnings: string; readonly error: string }> {
  const root = createTestFolder('vite');
  for (const [name, text] of Object.entries({ 'index.html': PAGE, ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const warnings: string[] = [];
  const ignore = (): void => {};
  const warn = (message: string, _options?: LogOptions): number => warnings.push(message);
  // The type of plugins of Vite accepts the plugin without any package of Vite in its declarations.
  const plugin: Plugin = robotsTxt(options);
  const { plugins = [], ...others } = config;
  const customLogger = {
    ...{ info: ignore, warn, warnOnce: warn, clearScreen: ignore, hasWarned: false },
    error: (_message: string, _options?: LogErrorOptions): void => {},
    hasErrorLogged: (): boolean => false,
  };
  const error = await build({
    ...{ root, configFile: false, logLevel: 'warn', customLogger, plugins: [plugin, ...plugins], ...others },
  }).then(
    () => '',
    (cause: unknown) => (cause as Error).message,
  );
  return { warnings: warnings.join('\n'), error };
}

test('a build with a right robots.txt succeeds', async () => {
  const files = {
    'public/robots.txt': GOOD,
    'robots.test.yaml': '- agent: Googlebot\n  allow: [/]\n  block: [/checkout*]\n',
  };
  expect(await buildProject(files)).toEqual({ warnings: '', error: '' });
});

test('a build with a wrong robots.txt fails, with the line and what to do', async () => {
  const files = { 'public/robots.txt': `${GOOD}Disallow: checkout\n` };
  const { error } = await buildProject(files);
  expect(error).toContain(
    'public/robots.txt:3:11: "checkout" starts with neither "/" nor "*", so it matches no URL. (pattern-without-slash)\nCorrect the file; "maycrawl lint public/robots.txt" prints all its findings.',
  );
});

test('a closed production fails the build', async () => {
  const { error } = await buildProject({ 'public/robots.txt': 'User-agent: *\nDisallow: /\n' });
  expect(error).toContain(
    'public/robots.txt:2: The built file closes production for every crawler that it does not name, and for Googlebot: line 2. Deploy the file of production, or remove this rule.',
  );
});

test('a preview must be closed, by the option or the mode', async () => {
  const open = await buildProject({ 'public/robots.txt': GOOD }, { environment: 'preview' });
  expect(open.error).toContain('public/robots.txt: The built file opens preview for Googlebot and');
  const closed = { 'public/robots.txt': 'User-agent: *\nDisallow: /\n' };
  expect(await buildProject(closed, {}, { mode: 'staging' })).toEqual({ warnings: '', error: '' });
  expect((await buildProject({ 'public/robots.txt': GOOD }, {}, { mode: 'staging' })).error).toContain(
    'opens staging',
  );
});

test('an expectation that is not met fails the build', async () => {
  const files = {
    'public/robots.txt': GOOD,
    'robots.test.yaml': '- agent: Googlebot\n  block: [/account*]\n',
  };
  const { error } = await buildProject(files);
  expect(error).toMatch(
    /public\/robots\.txt: Googlebot is expected to be blocked for \/account\* \(not \/account: Allowed\..*\)\nCorrect the file, or the expectations in robots\.test\.yaml\./,
  );
  const invalid = await buildProject({ ...files, 'robots.test.yaml': 'agent: x\n' });
  expect(invalid.error).toContain('robots.test.yaml: it must be a list of expectations');
});

test('the built file must equal its source', async () => {
  const files = { 'public/robots.txt': GOOD, 'robots.txt': `${GOOD}Disallow: /private\n` };
  const { error } = await buildProject(files, { source: 'robots.txt' });
  expect(error).toContain(
    'public/robots.txt: The built file is not the file in the repository: line 3 (Disallow: /private) is missing, and /private is open for Googlebot',
  );
  const missing = await buildProject(files, { source: 'other.txt' });
  expect(missing.error).toMatch(/option "source" of robotsTxt\(\): ENOENT: no such file/);
});

test('an emitted file is checked, and is the one that messages name', async () => {
  const emitting = (text: string): Plugin => ({
    name: 'emit',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'robots.txt', source: text });
    },
  });
  expect((await buildProject({}, {}, { plugins: [emitting(GOOD)] })).error).toBe('');
  const { error } = await buildProject({}, {}, { plugins: [emitting('Disallow: /a\n')] });
  expect(error).toContain('dist/robots.txt:1:1: The rule precedes the first user-agent line');
});

test('a missing file fails the build, except for servers', async () => {
  expect((await buildProject({})).error).toContain(
    'the build has no robots.txt at dist/robots.txt or public/robots.txt: put it into the public folder, or name the file with the option "file" of robotsTxt()',
  );
  expect((await buildProject({}, { file: 'static/robots.txt' })).error).toContain(
    'the build has no robots.txt at static/robots.txt: correct the option "file" of robotsTxt()',
  );
  const server = { build: { ssr: 'server.js' } };
  expect((await buildProject({ 'server.js': 'export const a = 1;\n' }, {}, server)).error).toBe('');
});

test('findings below errors are warnings, unless they fail the build', async () => {
  const files = { 'public/robots.txt': `${GOOD}Disalow: /a\n` };
  const { warnings, error } = await buildProject(files);
  expect(warnings).toMatch(/public\/robots\.txt:3:1: "Disalow" is a misspelling.*\(misspelled-field-name\)/);
  expect(error).toBe('');
  expect((await buildProject(files, { failOn: 'warning' })).error).toContain('"Disalow" is a misspelling');
});

test('text of the file is escaped', async () => {
  const { error } = await buildProject({ 'public/robots.txt': `${GOOD}Disallow: \u001b[31mx\n` });
  expect(error).toContain('\\x1b[31mx');
  expect(error).not.toContain('\u001b[31mx');
});

test('options that do not exist are errors', () => {
  expect(() => robotsTxt({ tset: 'a' } as RobotsTxtOptions)).toThrow(/tset/);
  expect(() => robotsTxt({ environment: 'test' } as unknown as RobotsTxtOptions)).toThrow(
    'robotsTxt: environment must be one of production, preview, staging, not "test"',
  );
  expect(() => robotsTxt({ failOn: 'info' } as unknown as RobotsTxtOptions)).toThrow(RangeError);
});
