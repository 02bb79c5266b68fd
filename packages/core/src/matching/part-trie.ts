// An Aho-Corasick trie of the parts between the stars of patterns (part-matcher.ts).
import { ARRAY_BYTES, OBJECT_BYTES } from '../bytes/memory.ts';

/** No part or no node. */
export const NOTHING = -1;
/** Patterns are ASCII: a character has 7 bits. */
const ASCII_BITS = 7;
const ASCII = 1 << ASCII_BITS;

/** An Aho-Corasick trie of parts with suffix links. Node 0 is the root. */
export class PartTrie {
  /** Hash table with open addressing: from node and character to the child node. */
  readonly #keys: Int32Array;
  readonly #children: Int32Array;
  readonly #mask: number;
  /** Suffix links: for each node, the node of its longest proper suffix in the trie. */
  readonly #suffixes: Int32Array;
  /** The part that ends at each node, or NOTHING. */
  readonly #parts: Int32Array;
  /** Output links: for each node, the node of the longest part that is a proper suffix of it, or NOTHING. */
  readonly #shorter: Int32Array;
  readonly #lengths: Int32Array;
  #size = 1;

  /** @param parts - distinct non-empty strings. */
  constructor(parts: readonly string[]) {
    const maxNodes = 1 + parts.reduce((sum, { length }) => sum + length, 0);
    const slots = 2 ** Math.ceil(Math.log2(2 * maxNodes));
    this.#mask = slots - 1;
    this.#keys = new Int32Array(slots);
    this.#children = new Int32Array(slots);
    const parents = new Int32Array(maxNodes);
    const characters = new Uint8Array(maxNodes);
    const depths = new Int32Array(maxNodes);
    this.#parts = new Int32Array(maxNodes).fill(NOTHING);
    this.#lengths = Int32Array.from(parts, ({ length }) => length);
    for (const [number, part] of parts.entries()) {
      let node = 0;
      for (let i = 0; i < part.length; i++) {
        const code = part.charCodeAt(i);
        const slot = this.#slot(node, code);
        if (this.#keys[slot] === 0) {
          this.#keys[slot] = toKey(node, code);
          this.#children[slot] = this.#size;
          parents[this.#size] = node;
          characters[this.#size] = code;
          depths[this.#size] = i + 1;
          this.#size++;
        }
        node = this.#children[slot] as number;
      }
      this.#parts[node] = number;
    }
    this.#suffixes = new Int32Array(this.#size);
    this.#shorter = new Int32Array(this.#size).fill(NOTHING);
    // Breadth-first: the links of shorter nodes are complete before longer nodes need them.
    for (const node of sortNodesByDepth(depths, this.#size)) {
      const parent = parents[node] as number;
      const suffix =
        parent === 0 ? 0 : this.next(this.#suffixes[parent] as number, characters[node] as number);
      this.#suffixes[node] = suffix;
      this.#shorter[node] = this.firstEnd(suffix);
    }
  }

  get sizeInBytes(): number {
    const arrays = [this.#keys, this.#children, this.#suffixes, this.#parts, this.#shorter, this.#lengths];
    return OBJECT_BYTES + arrays.reduce((sum, { byteLength }) => sum + byteLength + ARRAY_BYTES, 0);
  }

  /** Returns the node of the longest suffix of `node` plus a character. */
  next(node: number, code: number): number {
    if (code >= ASCII) return 0;
    for (let from = node; ; from = this.#suffixes[from] as number) {
      const slot = this.#slot(from, code);
      if (this.#keys[slot] !== 0) return this.#children[slot] as number;
      if (from === 0) return 0;
    }
  }

  /** Returns the node of the longest part that ends at `node`, or NOTHING. */
  firstEnd(node: number): number {
    return this.#parts[node] === NOTHING ? (this.#shorter[node] as number) : node;
  }

  /** Returns the node of the next shorter part that is a suffix of the part of `end`, or NOTHING. */
  shorterEnd(end: number): number {
    return this.#shorter[end] as number;
  }

  /** Returns the number of the part that ends at node `end`. */
  part(end: number): number {
    return this.#parts[end] as number;
  }

  partLength(part: number): number {
    return this.#lengths[part] as number;
  }

  /** Returns the slot of a node's child in the hash table, or the empty slot for it. */
  #slot(node: number, code: number): number {
    const wanted = toKey(node, code);
    let slot = (Math.imul(wanted, 0x9e3779b1) >>> 7) & this.#mask;
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== wanted) slot = (slot + 1) & this.#mask;
    return slot;
  }
}

/** A key is never 0, which marks an empty slot, because no pattern contains a NUL. */
function toKey(node: number, code: number): number {
  return (node << ASCII_BITS) | code;
}

/** Returns the nodes without the root, in ascending order of depth (counting sort). */
function sortNodesByDepth(depths: Int32Array, size: number): Int32Array {
  let deepest = 0;
  for (let node = 1; node < size; node++) deepest = Math.max(deepest, depths[node] as number);
  const starts = new Int32Array(deepest + 2);
  for (let node = 1; node < size; node++) {
    const depth = (depths[node] as number) + 1;
    starts[depth] = (starts[depth] as number) + 1;
  }
  for (let depth = 1; depth < starts.length; depth++)
    starts[depth] = (starts[depth] as number) + (starts[depth - 1] as number);
  const nodes = new Int32Array(size - 1);
  for (let node = 1; node < size; node++) {
    const depth = depths[node] as number;
    nodes[starts[depth] as number] = node;
    starts[depth] = (starts[depth] as number) + 1;
  }
  return nodes;
}
