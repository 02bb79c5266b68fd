/**
 * Crawlers of the matrix: names of the catalogue, and any product tokens.
 *
 * @module
 */
import { resolveAgent } from '@maycrawl/core';

/** Columns of the matrix. */
export const MAX_CRAWLERS = 60;
const MAX_NAME_LENGTH = 100;

/** Finds the name of a crawler by a name, a product token or a User-Agent header; `null` if it is not valid. */
export function parseCrawler(written: string): string | null {
  const name = written.trim();
  if (name === '' || name.length > 1000) return null;
  try {
    const { name: found } = resolveAgent(name);
    return found.length <= MAX_NAME_LENGTH ? found : null;
  } catch {
    return null;
  }
}
