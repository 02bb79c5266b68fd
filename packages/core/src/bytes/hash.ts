/**
 * A hash for spreading work, not for security.
 *
 * @module
 */

/** Returns the FNV-1a hash of the UTF-16 code units of a text: 32 bits, unsigned. @param seed - changes the hash. */
export function hashText(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
