/** The example with wget in docs/crawler-conformance.md, where wget is installed. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openConformanceServer } from '../../src/conformance/conformance-server.ts';
import { createTestFolder } from '../support/folder.ts';
import { ROOT } from '../support/run.ts';

// Wget2 is another program.
const hasWget = /^GNU Wget 1\./.test(spawnSync('wget', ['--version'], { encoding: 'utf8' }).stdout ?? '');

test.skipIf(!hasWget)('the commands for wget print the report of the page', async () => {
  const page = readFileSync(join(ROOT, 'docs/crawler-conformance.md'), 'utf8');
  const blocks = [...page.matchAll(/^```(?:bash|text)\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const index = blocks.findIndex((code) => code.includes('serve --agent wget'));
  const [serve = '', crawl = '', report = ''] = blocks.slice(index);
  const server = await openConformanceServer({
    port: 0,
    agent: 'wget',
    scenarios: [...serve.matchAll(/--scenario (\S+)/g)].map(([, id = '']) => id),
  });
  try {
    const script = crawl.replaceAll('http://127.0.0.1:8900/', server.url);
    const cwd = createTestFolder('wget');
    const settings = join(cwd, 'wgetrc');
    writeFileSync(settings, '');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      cwd,
      env: { ...process.env, WGETRC: settings, no_proxy: '127.0.0.1' },
    });
    expect(stdout.replace(/Wget\/\S+/, 'Wget/1.21.3')).toBe(report);
  } finally {
    await server.close();
  }
});
