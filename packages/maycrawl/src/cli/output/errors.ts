/**
 * Failures that a user is told about in one line.
 *
 * @module
 */

/** The command cannot answer. Its message says what, where, and what to do; the command ends with exit code 2. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** What a failed file operation means, in words. */
export function describeFileError(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EISDIR':
      return 'that is a directory, not a file';
    case 'ENOTDIR':
      return 'a part of its path is no directory';
    case 'EBADF':
      return 'it is not open for reading';
    case 'ELOOP':
      return 'its links lead in a circle';
    case 'ENOSPC':
      return 'no space is left on the device';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    default:
      return code ?? String(error);
  }
}
