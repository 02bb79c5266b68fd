/**
 * Sites as users name them.
 *
 * @module
 */
import { CommandError } from '../output/errors.ts';
import { visible } from '../output/terminal.ts';

/**
 * The origin of a URL, or of a host alone, which is taken for an https one.
 *
 * @throws {CommandError} if it is neither.
 */
export function parseOrigin(url: string): string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
  try {
    const { origin, protocol } = new URL(full);
    if (/^(https?|ftp):$/.test(protocol)) return origin;
  } catch {
    // Told below.
  }
  throw new CommandError(`"${visible(url)}" is no site: give an http, https or ftp URL, or a host`);
}
