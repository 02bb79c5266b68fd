// Files of a git revision: `git:REVISION:PATH`.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MAX_FILE_BYTES } from '@maycrawl/core';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';

/** Maximum output of git in bytes, well above the limit of a robots.txt. */
const MAX_BYTES = 64 * MAX_FILE_BYTES;

/** Why `git cat-file --follow-symlinks` gives no content, by the first word of its response. */
const PROBLEMS: Readonly<Record<string, string>> = {
  dangling: 'it is a symbolic link to a file that does not exist',
  loop: 'its symbolic links form a loop',
  symlink: 'it is a symbolic link to a file outside the repository',
  notdir: 'a part of its path is not a directory',
  missing: 'no such revision, or no such file in it',
};

/**
 * Reads a file of a revision. Follows symbolic links within the revision.
 *
 * @param name - `git:REVISION:PATH`, with the path from the root of the repository, or from here if it begins with `./`. Without a
 *   revision it is a file of the index.
 * @throws {CommandError} if there is no such file, or it is a symbolic link that cannot be followed.
 */
export async function readFromGit(name: string): Promise<Uint8Array> {
  const [, revision = '', path = ''] = /^git:([^:]*):(.*)$/s.exec(name) ?? [];
  if (path === '') throw new CommandError(`"${visible(name)}" is not git:REVISION:PATH`);
  if (/[\n\0]/.test(name)) throw unreadable(name, 'its name contains a line end or a NUL');
  // Git does not follow links in the index, and would return the path in the link.
  if (revision === '' && (await isLinkInIndex(name, path)))
    throw unreadable(name, 'git does not follow symbolic links in the index: give a revision');
  const response = await runGit(name, ['cat-file', '--batch', '--follow-symlinks'], `${revision}:${path}\n`);
  const head = response.subarray(0, response.indexOf('\n')).toString();
  const [, kind, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(head) ?? [];
  if (kind === 'blob') return response.subarray(head.length + 1, head.length + 1 + Number(size));
  if (kind !== undefined) throw unreadable(name, `it is a ${kind}, not a file`);
  const [word = ''] = head.endsWith(' missing') ? ['missing'] : head.split(' ');
  throw unreadable(name, PROBLEMS[word] ?? head);
}

async function isLinkInIndex(name: string, path: string): Promise<boolean> {
  const pathspec = path.startsWith('./') ? `:(literal)${path}` : `:(top,literal)${path}`;
  const entries = await runGit(name, ['ls-files', '--stage', '--', pathspec]);
  return entries.toString().startsWith('120000 ');
}

async function runGit(name: string, args: readonly string[], input = ''): Promise<Buffer> {
  const running = promisify(execFile)('git', [...args], { encoding: 'buffer', maxBuffer: MAX_BYTES });
  // Git may end before it has read its input; then its own message is the error.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  try {
    return (await running).stdout;
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: Buffer };
    const problem = stderr?.toString().trim().split('\n')[0] || message;
    throw unreadable(name, problem.replace(/^fatal: /, ''), cause);
  }
}

function unreadable(name: string, problem: string, cause?: unknown): CommandError {
  return new CommandError(`cannot read ${visible(name)}: ${visible(problem)}`, { cause });
}
