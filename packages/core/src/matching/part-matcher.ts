/**
 * Matches many wildcard patterns against a path in one pass, for paths that contain the grams of too many patterns (gram-index.ts). The
 * Aho-Corasick algorithm finds the parts between stars: a trie of all parts with suffix links. Each pattern waits for its next part.
 * When the part ends at a character of the path, the pattern advances to the following part. The first occurrence of a part is always
 * the best one, because it leaves the longest rest of the path for the other parts.
 *
 * A decision takes time proportional to the path plus all patterns, not to their product.
 *
 * @module
 */
import { ARRAY_BYTES, OBJECT_BYTES } from '../bytes/memory.ts';
import { NONE, type RuleTable } from './rule-table.ts';

/** No pattern, no part or no node. */
const NOTHING = -1;
/** Patterns are ASCII: a character has 7 bits. */
const ASCII_BITS = 7;
const ASCII = 1 << ASCII_BITS;

/** A pattern with at least one star. */
interface WildcardPattern {
  readonly entry: number;
  readonly isAllow: boolean;
  /** The text before the first star. */
  readonly prefix: string;
  /** Start and end of its parts in the sequence of all parts. */
  readonly from: number;
  readonly to: number;
  /** The text after the last star if the pattern ends with `$`; `null` if it does not. */
  readonly suffix: string | null;
}

/** Matches the wildcard patterns of a rule table. */
export class PartMatcher {
  readonly #patterns: readonly WildcardPattern[];
  /** The parts of all patterns, in order, as numbers of distinct parts. */
  readonly #sequence: readonly number[];
  readonly #trie: PartTrie;
  /** Linked lists of patterns: the first one that waits for each part, and the next one that waits for the same part. */
  readonly #waiting: Int32Array;
  readonly #nextWaiting: Int32Array;
  /** For each pattern, the index of its next part in the sequence, and the earliest position at which that part may start. */
  readonly #nextPart: Int32Array;
  readonly #earliest: Int32Array;

  constructor(table: Pick<RuleTable, 'count' | 'read'>) {
    const parts = new Map<string, number>();
    const sequence: number[] = [];
    const patterns: WildcardPattern[] = [];
    const seen = new Set<string>();
    for (let entry = 0; entry < table.count; entry++) {
      const { hasStar, isAllow, isAnchored, pattern } = table.read(entry);
      // Of several entries of one kind with the same pattern only the first can win.
      const key = `${isAllow ? '+' : '-'}${pattern}${isAnchored ? '$' : ''}`;
      if (!hasStar || seen.has(key)) continue;
      seen.add(key);
      const [prefix = '', ...rest] = pattern.split('*');
      const suffix = isAnchored ? (rest.pop() ?? null) : null;
      const from = sequence.length;
      for (const part of rest) {
        const number = parts.get(part) ?? parts.size;
        parts.set(part, number);
        sequence.push(number);
      }
      patterns.push({ entry, isAllow, prefix, from, to: sequence.length, suffix });
    }
    this.#patterns = patterns;
    this.#sequence = sequence;
    this.#trie = new PartTrie([...parts.keys()]);
    this.#waiting = new Int32Array(parts.size);
    this.#nextWaiting = new Int32Array(patterns.length);
    this.#nextPart = new Int32Array(patterns.length);
    this.#earliest = new Int32Array(patterns.length);
  }

  /** Memory in bytes, without the rule table. */
  get sizeInBytes(): number {
    const arrays = this.#waiting.byteLength + 3 * this.#nextPart.byteLength + 4 * ARRAY_BYTES;
    const texts = this.#patterns.reduce(
      (sum, { prefix, suffix }) => sum + prefix.length + (suffix?.length ?? 0),
      0,
    );
    return (
      3 * OBJECT_BYTES +
      arrays +
      8 * this.#sequence.length +
      (OBJECT_BYTES + 48) * this.#patterns.length +
      texts +
      this.#trie.sizeInBytes
    );
  }

  /**
   * Finds the winning wildcard pattern for the path from `start` to the end of `text`.
   *
   * @param limit - only entries before this one are considered.
   * @param isAllow - considers only entries of this kind. Default: both kinds.
   * @returns the entry of the pattern, or `NONE`.
   */
  find(text: string, start: number, limit: number, isAllow?: boolean): number {
    let best = limit;
    let waiting = 0;
    this.#waiting.fill(NOTHING);
    for (let index = 0; index < this.#patterns.length; index++) {
      const pattern = this.#patterns[index] as WildcardPattern;
      const { entry, prefix, suffix, from, to } = pattern;
      // Patterns are sorted by precedence.
      if (entry >= best) break;
      if (isAllow !== undefined && pattern.isAllow !== isAllow) continue;
      if (!text.startsWith(prefix, start)) continue;
      const first = start + prefix.length;
      if (suffix !== null && (text.length - suffix.length < first || !text.endsWith(suffix))) continue;
      if (from === to) best = entry;
      else {
        this.#wait(index, from, first);
        waiting++;
      }
    }
    return waiting === 0 ? toWinner(best, limit) : toWinner(this.#scan(text, start, best), limit);
  }

  /** Scans the path and advances the patterns whose next part ends at the current character. */
  #scan(text: string, start: number, limit: number): number {
    const trie = this.#trie;
    let best = limit;
    let node = 0;
    for (let at = start; at < text.length; at++) {
      node = trie.next(node, text.charCodeAt(at));
      for (let end = trie.firstEnd(node); end !== NOTHING; end = trie.shorterEnd(end)) {
        const part = trie.part(end);
        let index = this.#waiting[part] as number;
        if (index === NOTHING) continue;
        this.#waiting[part] = NOTHING;
        const partStart = at + 1 - trie.partLength(part);
        while (index !== NOTHING) {
          const next = this.#nextWaiting[index] as number;
          const { entry, to, suffix } = this.#patterns[index] as WildcardPattern;
          const nextPart = this.#nextPart[index] as number;
          // Patterns that can no longer win are dropped.
          if (entry < best) {
            if ((this.#earliest[index] as number) > partStart)
              this.#wait(index, nextPart, this.#earliest[index] as number);
            else if (nextPart + 1 < to) this.#wait(index, nextPart + 1, at + 1);
            else if (suffix === null || at + 1 <= text.length - suffix.length) best = entry;
          }
          index = next;
        }
      }
    }
    return best;
  }

  #wait(index: number, nextPart: number, earliest: number): void {
    const part = this.#sequence[nextPart] as number;
    this.#nextPart[index] = nextPart;
    this.#earliest[index] = earliest;
    this.#nextWaiting[index] = this.#waiting[part] as number;
    this.#waiting[part] = index;
  }
}

function toWinner(best: number, limit: number): number {
  return best === limit ? NONE : best;
}

/** An Aho-Corasick trie of parts with suffix links. Node 0 is the root. */
class PartTrie {
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
