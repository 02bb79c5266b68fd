/**
 * Whom a question is about: crawlers of the catalogue by their names, and any product token.
 *
 * @module
 */
import { resolveAgent } from '@maycrawl/core';

/** More columns than this are cut off. */
export const MAX_CRAWLERS = 60;
const MAX_NAME_LENGTH = 100;

/** The name under which a crawler is asked about that a person means: also by a whole User-Agent header. */
export function nameMeant(written: string): string | null {
  const name = written.trim();
  if (name === '' || name.length > 1000) return null;
  try {
    const { name: meant } = resolveAgent(name);
    return meant.length <= MAX_NAME_LENGTH ? meant : null;
  } catch {
    return null;
  }
}
