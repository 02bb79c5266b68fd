// Keys of URLs in the tables of a run, and the hashes by which they are found.

/** Upper bound of keys, which JavaScript numbers and SQLite represent exactly. */
export const KEYS: number = 2 ** 53;

/**
 * Hashes a URL or another text, by which its row is found again. Each run has its own seed, so sites cannot prepare texts that collide.
 *
 * @param seed - any 32 bits.
 */
export function hashUrl(url: string, seed: number): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let at = 0; at < url.length; at++) {
    const unit = url.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0);
}
