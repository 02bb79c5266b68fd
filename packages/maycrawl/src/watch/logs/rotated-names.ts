// The names that programs give to rotated logs: `access.log.1`, `access.log-20261128`, `access-20261128.log`, `access.log.1732752000`, also
// with `.gz` or `.zst` (logrotate, newsyslog, rotatelogs of Apache).
import { parse } from 'node:path';

const COMPRESSION = /\.(?:gz|zst)$/;
/** A number, or a date with a time. */
const SUFFIX = /^[-._]\d[\dTZ._:-]*$/;

/** Returns a name without the extension of its compression. */
export function removeCompression(name: string): string {
  return name.replace(COMPRESSION, '');
}

export function isCompressedName(name: string): boolean {
  return COMPRESSION.test(name);
}

/** Whether a name is that of a rotated file of a log. Both are names without a folder. */
export function isRotatedName(log: string, name: string): boolean {
  const plain = removeCompression(name);
  if (plain.startsWith(log) && SUFFIX.test(plain.slice(log.length))) return true;
  const { name: stem, ext } = parse(log);
  return (
    ext !== '' &&
    plain.startsWith(stem) &&
    plain.endsWith(ext) &&
    SUFFIX.test(plain.slice(stem.length, Math.max(stem.length, plain.length - ext.length)))
  );
}
