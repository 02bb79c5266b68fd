/**
 * Matches many patterns with stars against one path in a single pass, where the automaton (automaton.ts) would need too large
 * states. The parts between stars are found by the Aho-Corasick algorithm: a trie of all parts, with links to the longest suffix
 * that is in the trie too. Each pattern waits for its next part; when that part ends at a character of the path, the
 * pattern goes on to the part behind it. The first place of a part is the best: it leaves the most room for the rest.
 *
 * One decision takes time in proportion to the path plus all patterns, not to their product.
 *
 * @module
 */
import { ARRAY_BYTES, OBJECT_BYTES } from '../bytes/memory.ts';
import { NONE, type RuleTable } from './rule-table.ts';

/** No pattern, no part or no node. */
const NOTHING = -1;
/** Patterns are ASCII. */
const ASCII_BITS = 7;
const ASCII = 1 << ASCII_BITS;

/** A pattern: what it begins with, the parts that it waits for, and what the path must end with. */
interface WildcardPattern {
  readonly entry: number;
  readonly prefix: string;
  /** Where its parts are in the list of all. */
  readonly from: number;
  readonly to: number;
  /** `null` if the pattern has no `$` at its end. */
  readonly suffix: string | null;
}

/** The patterns with a star of one rule table. */
export class PartMatcher {
  readonly #patterns: readonly WildcardPattern[];
  /** For each pattern one part after another, as numbers of distinct parts. */
  readonly #sequence: readonly number[];
  readonly #trie: PartTrie;
  /** The first pattern that waits for a part, and for each pattern the next one that waits for the same. */
  readonly #waiting: Int32Array;
  readonly #nextWaiting: Int32Array;
  /** For each pattern the part that it waits for, as a place in the sequence, and where that may start. */
  readonly #place: Int32Array;
  readonly #earliest: Int32Array;

  constructor(table: Pick<RuleTable, 'count' | 'read'>) {
    const parts = new Map<string, number>();
    const sequence: number[] = [];
    const patterns: WildcardPattern[] = [];
    const known = new Set<string>();
    for (let entry = 0; entry < table.count; entry++) {
      const { hasStar, isAnchored, pattern } = table.read(entry);
      // Of two entries with the same pattern only the first can win.
      const key = isAnchored ? `${pattern}$` : pattern;
      if (!hasStar || known.has(key)) continue;
      known.add(key);
      const [prefix = '', ...rest] = pattern.split('*');
      const suffix = isAnchored ? (rest.pop() ?? null) : null;
      const from = sequence.length;
      for (const part of rest) {
        const number = parts.get(part) ?? parts.size;
        parts.set(part, number);
        sequence.push(number);
      }
      patterns.push({ entry, prefix, from, to: sequence.length, suffix });
    }
    this.#patterns = patterns;
    this.#sequence = sequence;
    this.#trie = new PartTrie([...parts.keys()]);
    this.#waiting = new Int32Array(parts.size);
    this.#nextWaiting = new Int32Array(patterns.length);
    this.#place = new Int32Array(patterns.length);
    this.#earliest = new Int32Array(patterns.length);
  }

  /** Memory in bytes, without the rule table. */
  get sizeInBytes(): number {
    const arrays = this.#waiting.byteLength + 3 * this.#place.byteLength + 4 * ARRAY_BYTES;
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
   * Finds the pattern that wins for the path that starts at `start` of `text` and goes to its end.
   *
   * @param limit - only entries before this one count.
   * @returns its entry, or `NONE`.
   */
  find(text: string, start: number, limit: number): number {
    let best = limit;
    let waiting = 0;
    this.#waiting.fill(NOTHING);
    for (let index = 0; index < this.#patterns.length; index++) {
      const { entry, prefix, suffix, from, to } = this.#patterns[index] as WildcardPattern;
      // They are in the order in which they win.
      if (entry >= best) break;
      if (!text.startsWith(prefix, start)) continue;
      const first = start + prefix.length;
      if (suffix !== null && (text.length - suffix.length < first || !text.endsWith(suffix))) continue;
      if (from === to) best = entry;
      else {
        this.#wait(index, from, first);
        waiting++;
      }
    }
    return waiting === 0 ? found(best, limit) : found(this.#scan(text, start, best), limit);
  }

  /** Reads the path, and lets each pattern go on whose next part ends at a character. */
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
          const place = this.#place[index] as number;
          // One that cannot win any more is dropped.
          if (entry < best) {
            if ((this.#earliest[index] as number) > partStart)
              this.#wait(index, place, this.#earliest[index] as number);
            else if (place + 1 < to) this.#wait(index, place + 1, at + 1);
            else if (suffix === null || at + 1 <= text.length - suffix.length) best = entry;
          }
          index = next;
        }
      }
    }
    return best;
  }

  #wait(index: number, place: number, earliest: number): void {
    const part = this.#sequence[place] as number;
    this.#place[index] = place;
    this.#earliest[index] = earliest;
    this.#nextWaiting[index] = this.#waiting[part] as number;
    this.#waiting[part] = index;
  }
}

function found(best: number, limit: number): number {
  return best === limit ? NONE : best;
}

/** A trie of parts with suffix links. Node 0 is the root. */
class PartTrie {
  /** An open hash table from node and character to node. */
  readonly #keys: Int32Array;
  readonly #children: Int32Array;
  readonly #mask: number;
  /** The longest proper suffix of a node that is a node. */
  readonly #suffixes: Int32Array;
  /** The part that ends at a node, or NOTHING. */
  readonly #parts: Int32Array;
  /** The longest part that ends at a proper suffix of a node, as its node, or NOTHING. */
  readonly #shorter: Int32Array;
  readonly #lengths: Int32Array;
  #size = 1;

  /** @param parts - distinct, none empty. */
  constructor(parts: readonly string[]) {
    const most = 1 + parts.reduce((sum, { length }) => sum + length, 0);
    const slots = 2 ** Math.ceil(Math.log2(2 * most));
    this.#mask = slots - 1;
    this.#keys = new Int32Array(slots);
    this.#children = new Int32Array(slots);
    const parents = new Int32Array(most);
    const characters = new Uint8Array(most);
    const depths = new Int32Array(most);
    this.#parts = new Int32Array(most).fill(NOTHING);
    this.#lengths = Int32Array.from(parts, ({ length }) => length);
    for (const [number, part] of parts.entries()) {
      let node = 0;
      for (let i = 0; i < part.length; i++) {
        const code = part.charCodeAt(i);
        const slot = this.#slot(node, code);
        if (this.#keys[slot] === 0) {
          this.#keys[slot] = key(node, code);
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
    // Suffixes are shorter, so they are complete before they are needed.
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

  /** The longest node that is a suffix of `node` with a character behind it. */
  next(node: number, code: number): number {
    if (code >= ASCII) return 0;
    for (let from = node; ; from = this.#suffixes[from] as number) {
      const slot = this.#slot(from, code);
      if (this.#keys[slot] !== 0) return this.#children[slot] as number;
      if (from === 0) return 0;
    }
  }

  /** The longest part that ends at a node, as its node, or NOTHING. */
  firstEnd(node: number): number {
    return this.#parts[node] === NOTHING ? (this.#shorter[node] as number) : node;
  }

  /** The next shorter part that ends where that of `end` does. */
  shorterEnd(end: number): number {
    return this.#shorter[end] as number;
  }

  part(end: number): number {
    return this.#parts[end] as number;
  }

  partLength(part: number): number {
    return this.#lengths[part] as number;
  }

  /** Where the child of a node is in the hash table, or would be. */
  #slot(node: number, code: number): number {
    const wanted = key(node, code);
    let slot = (Math.imul(wanted, 0x9e3779b1) >>> 7) & this.#mask;
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== wanted) slot = (slot + 1) & this.#mask;
    return slot;
  }
}

/** Never 0, which marks an empty slot: no pattern has a NUL. */
function key(node: number, code: number): number {
  return (node << ASCII_BITS) | code;
}

/** The nodes but the root, those of less depth first (counting sort). */
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
