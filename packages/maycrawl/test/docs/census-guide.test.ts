/** The guide of the census: the commands with the sample have the output that it shows, its scripts exist, and the citation has the version. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createEnvironment } from '../census/support/programs.ts';
import { ROOT } from '../support/run.ts';

const readRoot = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const guide = readRoot('docs/census-guide.md');
const hasDuckdb = await import('@duckdb/node-api').then(
  () => true,
  () => false,
);

/** The commands in the blocks of a section, with the output that follows each. */
function readCommands(section: string): { readonly command: string; readonly output: string }[] {
  const [, text = ''] = guide.split(`## ${section}\n`);
  const blocks = (text.split('\n## ')[0] ?? '').matchAll(/^```console\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((entry) => {
        const [, command = '', output = ''] = /^((?:.*\\\n)*.*\n)([\s\S]*)$/.exec(entry) ?? [];
        return { command: command.trim(), output };
      }),
  );
}

test.skipIf(!hasDuckdb)(
  'the sample has the figures of the guide (skipped without @duckdb/node-api)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maycrawl-guide-'));
    try {
      symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
      const env = createEnvironment(folder);
      const commands = readCommands('From nothing to a figure');
      expect(commands).toHaveLength(4);
      for (const { command, output } of commands) {
        const result = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
        expect(`${result.stderr}${result.stdout}`.replace(/ +$/gm, ''), command).toBe(output);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('the launchers of the guide exist, and their options are options of the command', () => {
  const commands = ['A whole crawl of Common Crawl', 'On a cluster'].flatMap(readCommands);
  const paths = commands.flatMap(({ command }) => command.match(/examples\/[\w/.-]+/g) ?? []);
  expect(paths).toHaveLength(3);
  for (const path of paths) expect(existsSync(join(ROOT, path)), path).toBe(true);
  const options = readRoot('docs/options.md');
  for (const { command } of commands.filter((each) => /launchers\/\w+\.sh|census judge/.test(each.command)))
    for (const [option] of command.matchAll(/--[\w-]+/g)) expect(options).toContain(`\`${option} <`);
});

test('the citation has the version of the packages', () => {
  const { version } = JSON.parse(readRoot('packages/maycrawl/package.json')) as { readonly version: string };
  expect(readRoot('CITATION.cff')).toContain(`\nversion: ${version}\n`);
});
