import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTestFolder } from '../support/folder.ts';
import { BIN, ownCache, ROOT } from '../support/run.ts';

const SCRIPT = fileURLToPath(new URL('neovim.lua', import.meta.url));
const version = spawnSync('nvim', ['--version'], { encoding: 'utf8' }).stdout ?? '';
const hasNeovim = version !== '';

const TEXT = `User-agent: GPTBot
Disallow: /search
Disallow: /search/old
Dislow: /cart
`;
const TESTS = '- agent: GPTBot\n  block: [/search, /search/a]\n';

/** Reads the configuration for the installed version from the documentation, with the built command. */
function readConfiguration(): string {
  const document = readFileSync(join(ROOT, 'docs', 'editors.md'), 'utf8');
  const blocks = Array.from(document.matchAll(/^```lua\n([\s\S]*?)^```$/gm), ([, code = '']) => code);
  const [current, earlier] = blocks;
  const [, minor = '0'] = /^NVIM v0\.(\d+)/.exec(version) ?? [];
  const code = (Number(minor) >= 11 ? current : earlier) ?? '';
  const command = [process.execPath, BIN].map((part) => JSON.stringify(part)).join(', ');
  expect(code).toContain("'npx', '--no', 'maycrawl'");
  return code.replace("'npx', '--no', 'maycrawl'", command);
}

/** Runs the script in Neovim without a terminal. @returns the screens by name. */
async function runNeovim(folder: string): Promise<Record<string, readonly string[]>> {
  const settings = 'set columns=120 lines=22 noswapfile shortmess+=F';
  writeFileSync(join(folder, 'init.lua'), readConfiguration());
  const args = ['--headless', '--clean', '--cmd', settings, '--cmd', 'luafile init.lua', 'robots.txt'];
  const child = spawn('nvim', [...args, '-c', `luafile ${SCRIPT}`], {
    cwd: folder,
    env: ownCache(),
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
