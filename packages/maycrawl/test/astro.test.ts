// The hooks of the integration, called as Astro calls them, and the plugin for Vite in a project of Astro.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type RobotsTxtOptions, robotsTxt } from '../src/astro.ts';
import { robotsTxt as viteRobotsTxt } from '../src/vite.ts';
import { createTestFolder } from './support/folder.ts';

const GOOD = 'User-agent: *\nDisallow: /checkout\n';

/** Builds a project: the files are what Astro has written. @returns the warnings, and the message of the error if the build fails. */
async function buildProject(
  files: Readonly<Record<string, string>>,
  options?: RobotsTxtOptions,
  mode = 'production',
): Promise<{ readonly warnings: string; readonly error: string }> {
  const root = createTestFolder('astro');
  for (const [name, text] of Object.entries({ 'dist/index.html': '<title>Shop</title>\n', ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const folder = (path: string): URL => pathToFileURL(`${join(root, path)}/`);
  const warnings: string[] = [];
  const { hooks } = robotsTxt(options);
  hooks['astro:config:setup']({
    updateConfig: ({ vite: { plugins } }) => {
      // Astro resolves the configuration of Vite several times.
      for (const plugin of [...plugins, ...plugins]) plugin.configResolved({ mode });
    },
  });
  hooks['astro:config:done']({ config: { root: folder('.'), publicDir: folder('public') } });
  const logger = { warn: (message: string): number => warnings.push(message) };
  const error = await hooks['astro:build:done']({ dir: folder('dist'), logger }).then(
    () => '',
    (cause: unknown) => (cause as Error).message,
  );
  return { warnings: warnings.join('\n'), error };
}

test('a build with a right robots.txt succeeds, from the public folder or an endpoint', async () => {
  const passed = { warnings: '', error: '' };
  expect(await buildProject({ 'public/robots.txt': GOOD, 'dist/robots.txt': GOOD })).toEqual(passed);
  expect(await buildProject({ 'dist/robots.txt': GOOD })).toEqual(passed);
});

test('a wrong robots.txt fails the build, and the message names the file to edit', async () => {
  const wrong = `${GOOD}Disallow: checkout\n`;
  const getMessage = (name: string): string =>
    `${name}:3:11: "checkout" starts with neither "/" nor "*", so it matches no URL. (pattern-without-slash)\nCorrect the file; "maycrawl lint ${name}" prints all its findings.`;
  const copied = await buildProject({ 'public/robots.txt': wrong, 'dist/robots.txt': wrong });
  expect(copied.error).toBe(getMessage('public/robots.txt'));
  const generated = await buildProject({ 'dist/robots.txt': wrong });
  expect(generated.error).toBe(getMessage('dist/robots.txt'));
});

test('the mode of the build is its environment', async () => {
  const closed = { 'dist/robots.txt': 'User-agent: *\nDisallow: /\n' };
  expect((await buildProject(closed)).error).toContain('The built file closes production');
  expect(await buildProject(closed, {}, 'staging')).toEqual({ warnings: '', error: '' });
  const open = await buildProject({ 'dist/robots.txt': GOOD }, { environment: 'preview' });
  expect(open.error).toContain('The built file opens preview');
});

test('a missing file fails the build', async () => {
  expect((await buildProject({})).error).toContain(
    'the build has no robots.txt at dist/robots.txt or public/robots.txt: put it into the public folder',
  );
});

test('findings below errors are warnings', async () => {
  const { warnings, error } = await buildProject({ 'dist/robots.txt': `${GOOD}Disalow: /a\n` });
  expect(warnings).toMatch(/^dist\/robots\.txt:3:1: "Disalow" is a misspelling.*\(misspelled-field-name\)$/);
  expect(error).toBe('');
});

test('options that do not exist are errors', () => {
  expect(() => robotsTxt({ tset: 'a' } as RobotsTxtOptions)).toThrow(/tset/);
});

test('the plugin for Vite ends builds of Astro, which it cannot check', () => {
  const config = { root: '/', publicDir: '', mode: 'production', build: { outDir: 'dist' } };
  expect(() =>
    viteRobotsTxt().configResolved({ ...config, plugins: [{ name: 'vite:css' }, { name: 'astro:build' }] }),
  ).toThrow('write "integrations: [robotsTxt()]" with the one of maycrawl/astro');
  viteRobotsTxt().configResolved({ ...config, plugins: [{ name: 'vite:css' }] });
});
