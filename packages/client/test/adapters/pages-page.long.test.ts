// The examples of docs/pages.md, with a site on loopback in the place of example.com.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../maycrawl/test/support/run.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { startSite } from './site.ts';

const CHROMIUM = '/usr/bin/chromium';
const page = readFileSync(join(ROOT, 'docs/pages.md'), 'utf8');
const examples = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);

function runModule(code: string): Promise<{ readonly error: Error | null; readonly stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT }, (error, stdout) =>
      resolve({ error, stdout }),
    );
  });
}

test.each(examples.map((code, index) => [index + 1, code] as const))(
  'example %i of the page runs, and prints what its comments say',
  async (_name, code) => {
    if (code.includes('chromium') && !existsSync(CHROMIUM)) return;
    const site = await closeAtEnd(startSite());
    const { error, stdout } = await runModule(
      code
        .replaceAll('https://example.com', site.origin)
        .replace("agent: 'MyBot',", "agent: 'MyBot', allowPrivateAddresses: true,")
        .replace('launch()', `launch({ executablePath: '${CHROMIUM}', args: ['--no-sandbox'] })`),
    );
    expect(error).toBeNull();
    for (const [, expected = ''] of code.matchAll(/console\.log\(.*\); \/\/ (.*)/g))
      expect(stdout.split('\n')).toContain(expected);
    // Chromium may request the icon before it ends.
    expect(site.received.filter(({ url }) => url !== '/favicon.ico').length).toBe(1);
  },
);

test('the processor for BullMQ is that of the example', () => {
  const [, code = ''] = /```javascript\n([\s\S]*?);\n```/.exec(page) ?? [];
  const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const example = readFileSync(join(ROOT, 'examples/bullmq.mjs'), 'utf8');
  expect(withoutSpace(example)).toContain(withoutSpace(code));
});
