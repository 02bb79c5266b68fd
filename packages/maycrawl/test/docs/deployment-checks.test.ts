import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkBuild } from '../../src/deployment/check-build.ts';
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
