/**
 * Files as git has them: `git:REV:PATH`.
 *
 * @module
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MAX_FILE_BYTES } from '@maycrawl/core';
import { CommandError } from '../../output/errors.ts';
import { visible } from '../../output/terminal.ts';

/** What git may print: more than counts of any robots.txt. */
const MAX_BYTES = 64 * MAX_FILE_BYTES;

/**
 * Reads a file of a revision.
 *
 * @param name - `git:REV:PATH`, the path as from the root of the repository, or from here if it begins with `./`.
 * @throws {CommandError} if there is none.
 */
export async function readFromGit(name: string): Promise<Uint8Array> {
  const [, revision = '', path = ''] = /^git:([^:]*):(.*)$/s.exec(name) ?? [];
  if (path === '') throw new CommandError(`"${visible(name)}" names no file: write git:REVISION:PATH`);
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      ['cat-file', 'blob', '--end-of-options', `${revision}:${path}`],
      { encoding: 'buffer', maxBuffer: MAX_BYTES },
    );
    return stdout;
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: Buffer };
    const reason = stderr?.toString().trim().split('\n')[0] || message;
    throw new CommandError(`cannot read ${visible(name)}: ${visible(reason.replace(/^fatal: /, ''))}`, {
      cause,
    });
  }
}
