import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from './folder.ts';

export const BIN: string = fileURLToPath(new URL('../../bin/maycrawl.js', import.meta.url));
export const ROOT: string = fileURLToPath(new URL('../../../../', import.meta.url));

requireNewBundle(join(ROOT, 'packages'));

/** @throws if a package was built after the command was bundled from it: tests would run the former command. */
function requireNewBundle(packages: string): void {
  const bundledAt = statSync(join(packages, 'maycrawl', 'dist', 'command', 'main.js')).mtimeMs;
  for (const folder of ['core', 'client', 'maycrawl'].map((name) => join(packages, name, 'dist')))
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (
        /^(?!command|web|report-page|census-page|logs-page).*\.js$/.test(path) &&
        statSync(join(folder, path)).mtimeMs > bundledAt
      )
        throw new Error(`${join(folder, path)} is newer than the bundled command: npm run build`);
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @returns an environment with an empty cache, which is deleted after the tests of the file: servers of other tests may have had the same ports. */
export function ownCache(): NodeJS.ProcessEnv {
  const folder = createTestFolder('cache');
  return { ...process.env, XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder };
}

/** Runs the built command with arguments and redirections as a shell reads them. */
export function runShell(command: string): Promise<RunResult> {
  return new Promise((resolve) => {
    const script = `"${process.execPath}" "${BIN}" ${command}`;
    execFile('sh', ['-c', script], { cwd: ROOT, env: ownCache() }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/**
 * Runs the built command, with the project's root as the current directory.
 *
 * @param command - the arguments, or one text with a space between them.
 */
export function run(
  command: string | readonly string[],
  input: string | Uint8Array = '',
  options: SpawnOptions = {},
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const env = options.env ?? ownCache();
    const args = typeof command === 'string' ? command.split(' ') : command;
    const child = spawn(process.execPath, [BIN, ...args], { cwd: ROOT, ...options, env, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
    // The command may end before it has read all of its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
