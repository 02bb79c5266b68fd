import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkBuild } from '../../src/deployment/check-build.ts';
import { createTestFolder } from '../support/folder.ts';
import { ROOT } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const PAGE = readFileSync(join(ROOT, 'docs', 'deployment-checks.md'), 'utf8');
const blocks = [...PAGE.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
  language,
  code,
}));

test('the output of the first command is that of the page', async () => {
  const [command, output] = blocks;
  expect(command?.language).toBe('sh');
  const args = (command?.code ?? '').trim().split(' ').slice(2);
  const { code, stdout } = await runHere(args.map((each) => each.replace(/^examples\//, `${ROOT}examples/`)));
  expect(stdout.replaceAll(ROOT, '')).toBe(output?.code);
  expect(code).toBe(1);
});

test('the message of the plugin is that of the page', async () => {
  const message = blocks.findLast(({ language }) => language === 'text')?.code;
  const bytes = Buffer.from('User-agent: *\nDisallow: /checkout\nDisallow: checkout\n');
  const { problems } = await checkBuild({ name: 'public/robots.txt', bytes }, { failOn: 'error' });
  expect(`${problems.join('\n')}\n`).toBe(message);
});

// Files as Next.js writes them.
test.each([
  ['User-Agent: *\nAllow: /\nDisallow: /checkout\n\nHost: https://example.com\n', [0, 0]],
  ['User-Agent: *\nDisallow: checkout\n\n', [1]],
  ['User-Agent: *\nDisallow: /\n\n', [0, 1]],
])('the commands for Next.js check %j', async (file, codes) => {
  const root = createTestFolder('next');
  mkdirSync(join(root, '.next/server/app'), { recursive: true });
  writeFileSync(join(root, '.next/server/app/robots.txt.body'), file);
  const block = blocks.find(({ language, code }) => language === 'json' && code.includes('postbuild'));
  const commands = JSON.parse(block?.code ?? '').scripts.postbuild.split(' && ');
  const exits: (number | null)[] = [];
  for (const command of commands) {
    const args: string[] = command.split(' ').slice(1);
    const { code } = await runHere(args.map((each) => each.replace(/^\.next/, join(root, '.next'))));
    exits.push(code);
    if (code !== 0) break;
  }
  expect(exits).toEqual(codes);
});
