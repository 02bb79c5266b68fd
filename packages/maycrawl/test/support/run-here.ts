import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createTestFolder } from './folder.ts';
import type { RunResult } from './run.ts';

/** The folders of the user, in which commands have their caches. */
const FOLDERS = ['XDG_CACHE_HOME', 'XDG_DATA_HOME'] as const;

/**
 * Runs a command in this process, with an empty cache, which takes a tenth of the time of a process of its own. Not for commands that start
 * threads, and not what is about the process itself, such as signals and closed pipes.
 *
 * @param command - the arguments, or one text with a space between them.
 * @param folder - for its cache.
 */
export async function runHere(
  command: string | readonly string[],
  input: string | Uint8Array = '',
  folder: string = createTestFolder('cache'),
): Promise<RunResult> {
  if (vi.isMockFunction(process.stdout.write)) throw new Error('runHere runs one command at a time');
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      return true;
    }),
  );
  const stdin = vi.spyOn(process, 'stdin', 'get');
  stdin.mockReturnValue(Readable.from([Buffer.from(input)]) as typeof process.stdin);
  const before = FOLDERS.map((name) => [name, process.env[name]] as const);
  for (const name of FOLDERS) process.env[name] = folder;
  try {
    return { code: await main(typeof command === 'string' ? command.split(' ') : command), ...printed };
  } finally {
    for (const spy of [...spies, stdin]) spy.mockRestore();
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}
