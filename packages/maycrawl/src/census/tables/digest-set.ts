// A set of SHA-256 digests that takes 32 to 64 bytes for each: an open-addressing hash table of their first 128 bits, with linear probing.

/** 32-bit words of an entry. */
const WORDS = 4;
const FIRST_CAPACITY = 1024;

/** A set of digests. Two digests with equal first 128 bits count as one: that does not happen by chance. */
export class DigestSet {
  #capacity = FIRST_CAPACITY;
  #words: Uint32Array = new Uint32Array(FIRST_CAPACITY * WORDS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(digest: string): boolean {
    return findSlot(this.#words, this.#capacity, toEntry(digest)) < 0;
  }

  /** Adds a digest. @param digest - in base 16. @returns whether it is new. */
  add(digest: string): boolean {
    if (2 * this.#size >= this.#capacity) this.#grow();
    const entry = toEntry(digest);
    const at = findSlot(this.#words, this.#capacity, entry);
    if (at < 0) return false;
    this.#words.set(entry, at);
    this.#size++;
    return true;
  }

  #grow(): void {
    const words = new Uint32Array(2 * this.#capacity * WORDS);
    for (let at = 0; at < this.#words.length; at += WORDS) {
      const entry = this.#words.subarray(at, at + WORDS);
      if (entry.some((word) => word !== 0)) words.set(entry, findSlot(words, 2 * this.#capacity, entry));
    }
    this.#capacity *= 2;
    this.#words = words;
  }
}

function toEntry(digest: string): Uint32Array {
  const entry = new Uint32Array(WORDS);
  for (let index = 0; index < WORDS; index++)
    entry[index] = Number.parseInt(digest.slice(8 * index, 8 * index + 8), 16);
  // An entry of zeros is free.
  if (entry.every((word) => word === 0)) entry[0] = 1;
  return entry;
}

/** Finds the place for an entry; -1 if it is there. @param capacity - a power of two. */
function findSlot(words: Uint32Array, capacity: number, entry: Uint32Array): number {
  for (let slot = (entry[0] as number) & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
    const at = slot * WORDS;
    let isEqual = true;
    let isFree = true;
    for (let index = 0; index < WORDS; index++) {
      const word = words[at + index];
      if (word !== 0) isFree = false;
      if (word !== entry[index]) isEqual = false;
    }
    if (isEqual) return -1;
    if (isFree) return at;
  }
}
