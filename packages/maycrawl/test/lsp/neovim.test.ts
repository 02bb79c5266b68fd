import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTestFolder } from '../support/folder.ts';
import { BIN, ownCache } from '../support/run.ts';

const SCRIPT = fileURLToPath(new URL('neovim.lua', import.meta.url));
const hasNeovim = spawnSync('nvim', ['--version']).status === 0;

const TEXT = `User-agent: GPTBot
Disallow: /search
Disallow: /search/old
Dislow: /cart
`;
const TESTS = '- agent: GPTBot\n  block: [/search, /search/a]\n';

/** Runs the script in Neovim without a terminal. @returns the screens by name. */
async function runNeovim(folder: string): Promise<Record<string, readonly string[]>> {
  const settings = 'set columns=120 lines=22 noswapfile shortmess+=F';
  const args = ['--headless', '--clean', '--cmd', settings, 'robots.txt', '-c', `luafile ${SCRIPT}`];
  const child = spawn('nvim', args, {
    cwd: folder,
    env: { ...ownCache(), MAYCRAWL_LSP: JSON.stringify([process.execPath, BIN, 'lsp']) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) output += chunk;
  return JSON.parse(output) as Record<string, readonly string[]>;
}

test.skipIf(!hasNeovim)(
  hasNeovim
    ? 'Neovim shows findings, lenses and a hover, and a quick fix changes the file'
    : 'Neovim shows findings and applies a fix (skipped: nvim is not installed)',
  async () => {
    const folder = createTestFolder('neovim');
    writeFileSync(join(folder, 'robots.txt'), TEXT);
    writeFileSync(join(folder, 'robots.test.yaml'), TESTS);
    const { error, diagnostics = [], lenses = [], hover = [], fixed = [] } = await runNeovim(folder);
    expect(error).toBeUndefined();
    expect(diagnostics[2]).toMatch(
      /^I Disallow: \/search\/old +■ Redundant: line 2 already gives the same verdict/,
    );
    expect(diagnostics[3]).toMatch(/^E Dislow: \/cart +■ "Dislow" is not a field name/);
    expect(lenses[0]).toContain('meets 2 of 2 expectations of robots.test.yaml');
    expect(lenses[1]).toContain('decides 2 of your 2 URLs');
    expect(hover.join('\n')).toMatch(/GPTBot.* \(OpenAI\): /);
    expect(fixed[2]).toMatch(/^E Dislow: \/cart +■ "Dislow" is not a field name/);
    expect(readFileSync(join(folder, 'robots.txt'), 'utf8')).toBe(
      TEXT.replace('Disallow: /search/old\n', ''),
    );
  },
);
