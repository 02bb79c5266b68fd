import { expect, test } from 'vitest';
import { run } from '../../support/run.ts';
import { runHere } from '../../support/run-here.ts';

const WITHOUT = new URL('../../support/without-drivers.mjs', import.meta.url).href;
const AUDIT = ['audit', 'http://127.0.0.1:9/', '--render'];
const IS_ROOT = process.geteuid?.() === 0;

/**
 * Runs that end before the first request, with one line. Any program will do where none is started. A run with an environment of its own is a
 * process.
 */
const REFUSALS: readonly (readonly [
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv | undefined,
  RegExp,
])[] = [
  ['without playwright-core', [], { NODE_OPTIONS: `--import=${WITHOUT}` }, /npm install playwright-core/],
  [
    'with a path without Chromium',
    ['--chromium', '/nowhere/chromium'],
    undefined,
    /is no program that can be started/,
  ],
  [
    ...([
      'with a program that is not Chromium',
      ['--render-without-sandbox', '--chromium', process.execPath],
    ] as const),
    ...([undefined, /could not be started: /] as const),
  ],
  ...(process.platform === 'linux'
    ? [['without Chromium in PATH (Linux)', [], { PATH: '/nowhere' }, /was not found: install it/] as const]
    : []),
  ...(IS_ROOT
    ? [
        [
          'as root without --render-without-sandbox',
          ['--chromium', process.execPath],
          undefined,
          /no sandbox when root/,
        ] as const,
      ]
    : []),
];

test.each(REFUSALS)('--render is refused in one line %s', async (_name, args, env, message) => {
  const command = [...AUDIT, ...args];
  const { code, stdout, stderr } =
    env === undefined ? await runHere(command) : await run(command, '', { env: { ...process.env, ...env } });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^maycrawl: [^\n]*\n$/);
  expect(stderr).toMatch(message);
});
