// Optional packages that are not installed.

/** Whether an import failed because a package is not installed. */
export function isMissingModule(error: unknown): boolean {
  // The first code is that of import(), the other one that of require(), which a bundle uses.
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
