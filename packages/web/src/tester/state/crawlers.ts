// Crawlers of the matrix: names of the catalogue, and any product tokens.
import { resolveAgent } from '@maycrawl/core';
import { COMMON_CRAWLERS } from 'maycrawl/api';

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

/** The chosen crawlers, then the common ones. */
export function addCommonCrawlers(crawlers: readonly string[]): string[] {
  const names = new Set([...crawlers, ...COMMON_CRAWLERS.map(({ name }) => name)]);
  return [...names].slice(0, MAX_CRAWLERS);
}
