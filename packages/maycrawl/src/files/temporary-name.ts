// Names of files that are being written. They have the process, and a random number: processes of several machines or containers with one
// folder can have the same ID.
import { randomBytes } from 'node:crypto';

/** Returns the name under which a file is written. @param path - its own name. */
export function createTemporaryName(path: string): string {
  return `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
}

/** Returns the own name of a file that is being written; `undefined` if it has it already. */
export function getFinalName(path: string): string | undefined {
  return /^(.*)\.\d+-[0-9a-f]{8}\.tmp$/.exec(path)?.[1];
}
