// Matches many wildcard patterns against a path in one pass, for paths that contain the grams of too many patterns (grams/gram-index.ts).
//
// The Aho-Corasick algorithm finds the parts between stars: a trie of all parts with suffix links (part-trie.ts). Patterns that begin
// with the same parts share nodes of a tree. A node waits for its part. When the part ends at a character of the path, the node is
// reached, and its children wait for their parts. The first occurrence of a part is always the best one, because it leaves the longest
// rest of the path for the other parts.
//
// A decision takes time proportional to the path times the parts that can end at one character (one of each length), plus the nodes that wait:
// not to the product of the path and the patterns.
import { addToList } from '../bytes/add-to-list.ts';
import { ARRAY_BYTES, OBJECT_BYTES } from '../bytes/memory.ts';
import { NOTHING, PartTrie } from './part-trie.ts';
import { ALLOW_FLAG, NONE, type RuleTable, STAR_FLAG } from './rule-table.ts';

/** What all patterns below a root have in common: their kind and the text before the first star. */
interface Root {
  readonly isAllow: boolean;
  readonly prefix: string;
}

/** A pattern whose last part is that of a node. */
interface PatternEnd {
  readonly entry: number;
  /** The text after the last star if the pattern ends with `$`; empty if it does not. */
  readonly suffix: string;
}

/** Matches the wildcard patterns of a rule table. */
export class PartMatcher {
  readonly #trie: PartTrie;
  /** The roots of the tree by their nodes, sorted by precedence. */
  readonly #roots: ReadonlyMap<number, Root>;
  /** The patterns that end at each node, sorted by precedence. */
  readonly #ends: ReadonlyMap<number, readonly PatternEnd[]>;
  /** For each node, the number of its part, and the first of the entries below it. */
  readonly #parts: Int32Array;
  readonly #firstEntries: Int32Array;
  /** For each node, its first child, and the next child of its parent. Children are sorted by their first entries. */
  readonly #children: Int32Array;
  readonly #siblings: Int32Array;
  /** Linked lists of nodes: the first one that waits for each part, and the next one that waits for the same part. */
  readonly #waiting: Int32Array;
  readonly #nextWaiting: Int32Array;
  /** For each node that waits, the earliest position at which its part may start. */
  readonly #earliest: Int32Array;

  constructor(table: Pick<RuleTable, 'count' | 'read'>) {
    const numbers = new Map<string, number>();
    const tree = new PartTree();
    const seen = new Set<string>();
    for (let entry = 0; entry < table.count; entry++) {
      const { hasStar, isAllow, isAnchored, pattern } = table.read(entry);
      // Of several entries of one kind with the same pattern only the first can win. A `$` in the pattern itself is a literal one.
      const key = `${isAllow ? '+' : '-'}${isAnchored ? '$' : ' '}${pattern}`;
      if (!hasStar || seen.has(key)) continue;
      seen.add(key);
      const [prefix = '', ...texts] = pattern.split('*');
      const suffix = isAnchored ? (texts.pop() ?? '') : '';
      let node = tree.addRoot(isAllow, prefix, entry);
      for (const text of texts) {
        const part = numbers.get(text) ?? numbers.size;
        numbers.set(text, part);
        node = tree.addChild(node, part, entry);
      }
      tree.addEnd(node, { entry, suffix });
    }
    this.#roots = tree.roots;
    this.#ends = tree.ends;
    this.#parts = Int32Array.from(tree.parts);
    this.#firstEntries = Int32Array.from(tree.firstEntries);
    this.#children = Int32Array.from(tree.children);
    this.#siblings = Int32Array.from(tree.siblings);
    this.#trie = new PartTrie([...numbers.keys()]);
    this.#waiting = new Int32Array(numbers.size);
    this.#nextWaiting = new Int32Array(tree.parts.length);
    this.#earliest = new Int32Array(tree.parts.length);
  }

  /** Memory in bytes, without the rule table. */
  get sizeInBytes(): number {
    const arrays = this.#waiting.byteLength + 6 * this.#parts.byteLength + 7 * ARRAY_BYTES;
    let objects = 4 * OBJECT_BYTES;
    for (const { prefix } of this.#roots.values()) objects += OBJECT_BYTES + 24 + prefix.length;
    for (const ends of this.#ends.values()) {
      objects += ARRAY_BYTES + 32;
      for (const { suffix } of ends) objects += OBJECT_BYTES + 24 + suffix.length;
    }
    return objects + arrays + this.#trie.sizeInBytes;
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
    this.#waiting.fill(NOTHING);
    for (const [node, root] of this.#roots) {
      if ((this.#firstEntries[node] as number) >= best) break;
      if (isAllow !== undefined && root.isAllow !== isAllow) continue;
      const { prefix } = root;
      if (text.startsWith(prefix, start)) best = this.#reach(node, text, start + prefix.length, best);
    }
    best = this.#scan(text, start, best);
    return best === limit ? NONE : best;
  }

  /** Scans the path and reaches the nodes whose part ends at the current character. */
  #scan(text: string, start: number, limit: number): number {
    const trie = this.#trie;
    let best = limit;
    let state = 0;
    for (let at = start; at < text.length; at++) {
      state = trie.next(state, text.charCodeAt(at));
      for (let end = trie.firstEnd(state); end !== NOTHING; end = trie.shorterEnd(end)) {
        const part = trie.part(end);
        let node = this.#waiting[part] as number;
        if (node === NOTHING) continue;
        this.#waiting[part] = NOTHING;
        const partStart = at + 1 - trie.partLength(part);
        while (node !== NOTHING) {
          const next = this.#nextWaiting[node] as number;
          const earliest = this.#earliest[node] as number;
          // Nodes whose patterns can no longer win are dropped.
          if ((this.#firstEntries[node] as number) < best) {
            if (earliest > partStart) this.#wait(node, earliest);
            else best = this.#reach(node, text, at + 1, best);
          }
          node = next;
        }
      }
    }
    return best;
  }

  /**
   * The part of `node` ends at index `end` of `text`: decides the patterns that end there, and lets the children of the node wait.
   *
   * @returns the best entry that is known to match.
   */
  #reach(node: number, text: string, end: number, limit: number): number {
    let best = limit;
    for (const { entry, suffix } of this.#ends.get(node) ?? []) {
      if (entry >= best) break;
      if (end <= text.length - suffix.length && text.endsWith(suffix)) best = entry;
    }
    let child = this.#children[node] as number;
    while (child !== NOTHING && (this.#firstEntries[child] as number) < best) {
      this.#wait(child, end);
      child = this.#siblings[child] as number;
    }
    return best;
  }

  #wait(node: number, earliest: number): void {
    const part = this.#parts[node] as number;
    this.#earliest[node] = earliest;
    this.#nextWaiting[node] = this.#waiting[part] as number;
    this.#waiting[part] = node;
  }
}

/** The tree of the patterns while it is created. Patterns are added in order of precedence. */
class PartTree {
  readonly roots: Map<number, Root> = new Map();
  readonly ends: Map<number, PatternEnd[]> = new Map();
  readonly parts: number[] = [];
  readonly firstEntries: number[] = [];
  readonly children: number[] = [];
  readonly siblings: number[] = [];
  /** The last child of each node. */
  readonly #lastChildren: number[] = [];
  /** The nodes by kind and prefix, or by parent and part. */
  readonly #nodes: Map<string, number> = new Map();

  addRoot(isAllow: boolean, prefix: string, entry: number): number {
    const node = this.#add(`${isAllow ? '+' : '-'}${prefix}`, NOTHING, entry);
    this.roots.set(node, { isAllow, prefix });
    return node;
  }

  addChild(parent: number, part: number, entry: number): number {
    const size = this.parts.length;
    const node = this.#add(`${parent} ${part}`, part, entry);
    if (node < size) return node;
    const last = this.#lastChildren[parent] as number;
    if (last === NOTHING) this.children[parent] = node;
    else this.siblings[last] = node;
    this.#lastChildren[parent] = node;
    return node;
  }

  addEnd(node: number, end: PatternEnd): void {
    addToList(this.ends, node, end);
  }

  /** Returns the node of a key, which is created if it does not exist. */
  #add(key: string, part: number, entry: number): number {
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    this.#nodes.set(key, this.parts.length);
    for (const links of [this.children, this.siblings, this.#lastChildren]) links.push(NOTHING);
    this.firstEntries.push(entry);
    return this.parts.push(part) - 1;
  }
}

/**
 * Finds the winning entry among those without a star, which a part matcher does not contain; `NONE` if no entry matches.
 *
 * @param isAllow - considers only entries of this kind. Default: both kinds.
 */
export function findLiteral(table: RuleTable, text: string, start: number, isAllow?: boolean): number {
  const mask = isAllow === undefined ? STAR_FLAG : STAR_FLAG | ALLOW_FLAG;
  return table.findFirst(text, start, mask, isAllow ? ALLOW_FLAG : 0);
}
