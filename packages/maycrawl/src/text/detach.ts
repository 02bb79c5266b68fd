// Strings that do not keep others in memory.

/** A copy that does not keep the whole document in memory, as a part of a string does. */
export function detach(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
