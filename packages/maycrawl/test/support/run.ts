import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const BIN: string = fileURLToPath(new URL('../../bin/maycrawl.js', import.meta.url));
export const ROOT: string = fileURLToPath(new URL('../../../../', import.meta.url));

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command with arguments and redirections as a shell reads them. */
export function runShell(command: string): Promise<RunResult> {
  return new Promise((resolve) => {
    const script = `"${process.execPath}" "${BIN}" ${command}`;
    execFile('sh', ['-c', script], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Runs the built command, with the project's root as the current directory. */
export function run(
  args: readonly string[],
  input: string | Uint8Array = '',
  options: SpawnOptions = {},
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd: ROOT, ...options, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    // The command may end before it has read all of its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
