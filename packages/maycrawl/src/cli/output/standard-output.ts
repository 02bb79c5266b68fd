/**
 * Standard output that takes no more than its reader: what is long does not pile up in memory.
 *
 * @module
 */
import { once } from 'node:events';

/** Writes text or bytes, and waits while the reader is slow. */
export async function writeOut(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
