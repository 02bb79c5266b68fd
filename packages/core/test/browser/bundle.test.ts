import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { CRAWLERS, decide } from '../../src/index.ts';
import { getContent, readVectors } from '../support/vectors.ts';

const CHROMIUM = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);
const CHROMIUM_FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--virtual-time-budget=10000'],
];

/** Questions that need URL parsing, decoding and the matcher, and what this process answers. */
const QUESTIONS = readVectors('matcher.jsonl')
  .filter(({ agents }) => agents !== undefined)
  .map((vector) => ({
    robots: [...getContent(vector)],
    agents: vector.agents ?? [],
    url: vector.url,
    normalize: vector.normalize ?? true,
  }));
const ANSWERS = QUESTIONS.map(({ robots, agents, url, normalize }) =>
  JSON.parse(JSON.stringify(decide(Uint8Array.from(robots), agents, url, { normalize }))),
);

let bundle: string;

beforeAll(async () => {
  const index = fileURLToPath(new URL('../../src/index.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [index],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    globalName: 'maycrawl',
    platform: 'browser',
  });
  bundle = outputFiles[0]?.text ?? '';
});

const DECISIONS = `QUESTIONS.map(({ robots, agents, url, normalize }) =>
  maycrawl.decide(Uint8Array.from(robots), agents, url, { normalize }))`;

describe('a browser bundle', () => {
  test('needs nothing but what every JavaScript runtime has', () => {
    const context = { URL, TextDecoder, TextEncoder, Uint8Array, QUESTIONS };
    const answers = runInNewContext(`${bundle}; JSON.stringify(${DECISIONS})`, context) as string;
    expect(JSON.parse(answers)).toEqual(ANSWERS);
    expect(runInNewContext(`${bundle}; maycrawl.CRAWLERS.length`, context)).toBe(CRAWLERS.length);
  });

  const name = 'answers the same in Chromium';
  test.skipIf(CHROMIUM === undefined)(
    CHROMIUM ? name : `${name} (no Chromium here: install it, or set CHROMIUM)`,
    () => {
      const directory = mkdtempSync(join(tmpdir(), 'maycrawl-browser-'));
      try {
        const page = join(directory, 'page.html');
        const questions = JSON.stringify(QUESTIONS).replaceAll('<', '\\u003c');
        writeFileSync(
          page,
          `<!doctype html><meta charset="utf-8"><pre></pre><script>const QUESTIONS = ${questions};
        ${bundle}
        document.querySelector('pre').textContent = btoa(unescape(encodeURIComponent(JSON.stringify(${DECISIONS}))));
        </script>`,
        );
        const { stdout } = spawnSync(
          CHROMIUM as string,
          [
            ...CHROMIUM_FLAGS,
            `--user-data-dir=${join(directory, 'profile')}`,
            '--dump-dom',
            pathToFileURL(page).href,
          ],
          { encoding: 'utf8', timeout: 50_000, maxBuffer: 64 * 1024 * 1024 },
        );
        const answers = /<pre>([^<]+)<\/pre>/.exec(stdout)?.[1] ?? '';
        expect(JSON.parse(Buffer.from(answers, 'base64').toString('utf8'))).toEqual(
          JSON.parse(JSON.stringify(ANSWERS)),
        );
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
  );
});
