// Errors that the command prints in one line.
import { visible } from '../../text/printable.ts';

/** The command cannot do what the user requests. The message says why, and what to do; the exit code is 2. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Returns the error to throw after a failed fetch. An error of the program itself stays as it is: it does not mean that the site is
 * unreachable. A RangeError names an invalid option.
 */
export function createFetchError(url: string, cause: unknown): unknown {
  if (cause instanceof CommandError || cause instanceof TypeError || cause instanceof ReferenceError)
    return cause;
  return new CommandError(`cannot fetch ${visible(url)}: ${visible((cause as Error).message)}`, { cause });
}

/** Describes a failed file operation. */
export function describeFileError(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
      return 'no such file';
    case 'EISDIR':
      return 'it is a directory, not a file';
    case 'ENOTDIR':
      return 'a part of its path is not a directory';
    case 'EBADF':
      return 'it is not open for reading';
    case 'ELOOP':
      return 'its symbolic links form a loop';
    case 'ENOSPC':
      return 'no space is left on the device';
    case 'EDQUOT':
      return 'the disk quota is exceeded';
    case 'EFBIG':
      return 'the file would be larger than the limit of the process';
    case 'EROFS':
      return 'the file system is read-only';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    default:
      return code ?? String(error);
  }
}
