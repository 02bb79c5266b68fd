// Failures to read or write a file, in words.

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
