// Looks addresses up in a list of prefixes by binary search: the prefixes become disjoint segments, each with its most specific prefix
// (a sweep over sorted intervals with a stack of those that are open).
import { getEnd, getWidth, type IpPrefix, type ParsedAddress } from './address.ts';

/** The number that stands for "no prefix". */
const NONE = -1;

/** Where an address space is cut into segments. */
interface Segments {
  /** The first address of each segment, in ascending order; four numbers each for IPv6. */
  readonly starts: Uint32Array;
  /** The index of the most specific prefix of each segment, or {@link NONE}. */
  readonly prefixes: Int32Array;
}

/** A list of prefixes. */
export class RangeSet<P extends IpPrefix = IpPrefix> {
  readonly #prefixes: readonly P[];
  readonly #ipv4: Segments;
  readonly #ipv6: Segments;

  /** Of equal prefixes the first counts. */
  constructor(prefixes: readonly P[]) {
    this.#prefixes = prefixes;
    this.#ipv4 = cut(prefixes, 4);
    this.#ipv6 = cut(prefixes, 6);
  }

  /** The number of prefixes. */
  get size(): number {
    return this.#prefixes.length;
  }

  /** Checks whether a prefix contains an address. */
  has(address: ParsedAddress): boolean {
    return this.#findIndex(address) !== NONE;
  }

  /** Finds the most specific prefix that contains an address. */
  find(address: ParsedAddress): P | undefined {
    return this.#prefixes[this.#findIndex(address)];
  }

  #findIndex(address: ParsedAddress): number {
    return typeof address === 'number' ? findIpv4(this.#ipv4, address) : findIpv6(this.#ipv6, address);
  }
}

function findIpv4({ starts, prefixes }: Segments, address: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) <= address) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? NONE : (prefixes[low - 1] as number);
}

function findIpv6({ starts, prefixes }: Segments, address: readonly number[]): number {
  let [low, high] = [0, prefixes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAtOrBefore(starts, middle * 4, address)) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? NONE : (prefixes[low - 1] as number);
}

function isAtOrBefore(starts: Uint32Array, offset: number, address: readonly number[]): boolean {
  for (let word = 0; word < 4; word++) {
    const difference = (starts[offset + word] as number) - (address[word] as number);
    if (difference !== 0) return difference < 0;
  }
  return true;
}

function cut(all: readonly IpPrefix[], family: 4 | 6): Segments {
  const sorted = all
    .map((prefix, index) => ({ index, start: prefix.start, end: getEnd(prefix), prefix }))
    .filter(({ prefix }) => prefix.family === family)
    .sort((a, b) => compare(a.start, b.start) || compare(b.end, a.end) || a.index - b.index);
  const starts: bigint[] = [];
  const indexes: number[] = [];
  const begin = (start: bigint, index: number): void => {
    // A segment that another one replaces at its first address is empty.
    if (starts.at(-1) === start) indexes[indexes.length - 1] = index;
    else {
      starts.push(start);
      indexes.push(index);
    }
  };
  const open: (typeof sorted)[number][] = [];
  const close = (until: bigint | undefined): void => {
    for (
      let top = open.at(-1);
      top !== undefined && (until === undefined || top.end < until);
      top = open.at(-1)
    ) {
      open.pop();
      begin(top.end + 1n, open.at(-1)?.index ?? NONE);
    }
  };
  for (const each of sorted) {
    close(each.start);
    const top = open.at(-1);
    if (top !== undefined && top.start === each.start && top.end === each.end) continue;
    open.push(each);
    begin(each.start, each.index);
  }
  close(undefined);
  const limit = 1n << BigInt(getWidth(family));
  // The segment after the last address does not exist.
  while (starts.length > 0 && (starts.at(-1) as bigint) >= limit) {
    starts.pop();
    indexes.pop();
  }
  return { starts: encode(starts, family), prefixes: Int32Array.from(indexes) };
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function encode(starts: readonly bigint[], family: 4 | 6): Uint32Array {
  const words = family === 4 ? [0n] : [96n, 64n, 32n, 0n];
  const encoded = new Uint32Array(starts.length * words.length);
  for (const [index, start] of starts.entries())
    for (const [word, shift] of words.entries())
      encoded[index * words.length + word] = Number((start >> shift) & 0xffff_ffffn);
  return encoded;
}
