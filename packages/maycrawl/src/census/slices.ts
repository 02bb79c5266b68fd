// Slices: contiguous parts of a list of paths, of equal length to within one path.
import { hash } from 'node:crypto';
import type { Part } from './census-summary.ts';

/** Returns the paths of a part. All parts together are all paths, in their order. @throws {RangeError} if `index` is not from 1 to `count`. */
export function slicePaths(
  paths: readonly string[],
  index: number,
  count: number,
): { readonly paths: readonly string[]; readonly part: Part } {
  if (!Number.isInteger(index) || !Number.isInteger(count) || index < 1 || index > count)
    throw new RangeError(`there is no part ${index} of ${count}`);
  if (count === 1) return { paths, part: { index, count } };
  const start = (place: number): number => Math.floor((place * paths.length) / count);
  const part = { index, count, manifestSha256: hash('sha256', JSON.stringify(paths)) };
  return { paths: paths.slice(start(index - 1), start(index)), part };
}
