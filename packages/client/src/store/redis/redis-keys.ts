// The keys of a store in Redis. Each origin belongs to one of 64 buckets, and all keys of a bucket have the same hash tag (Redis Cluster
// specification, "Hash tags"): one server has them, and one script can change an entry together with the index that has it.
import { toStoreKey } from '../../robots/stored.ts';

/** The number of buckets, which a cluster distributes over its servers. */
const BUCKETS = 64;

/** The keys of the index of a bucket. */
export interface IndexKeys {
  /** A sorted set of its origins in the order of their bytes. */
  readonly names: string;
  /** A hash of the sizes of its entries, and of their sums in `bytes` and `failingBytes`, which are no origins. */
  readonly sizes: string;
  /** Sorted sets of its origins by their last use: those that are in no outage, and the others. */
  readonly good: string;
  readonly failing: string;
}

export class RedisKeys {
  /** The keys of all indexes. */
  readonly indexes: readonly IndexKeys[];
  readonly #tags: readonly string[];

  /** @throws {RangeError} if `prefix` has braces, which would change the hash tags. */
  constructor(prefix: string) {
    if (/[{}]/.test(prefix)) throw new RangeError(`RedisStore: prefix must not contain braces: ${prefix}`);
    this.#tags = Array.from({ length: BUCKETS }, (_, bucket) => `${prefix}{${prefix}${bucket}}:`);
    this.indexes = this.#tags.map((tag) => ({
      ...{ names: `${tag}names`, sizes: `${tag}sizes`, good: `${tag}good`, failing: `${tag}failing` },
    }));
  }

  getIndex(origin: string): IndexKeys {
    return this.indexes[getBucket(origin)] as IndexKeys;
  }

  /** The key of the entry of an origin: a hash. */
  getEntry(origin: string): string {
    return `${this.#tags[getBucket(origin)]}entry:${origin}`;
  }

  /** The key of the lease of an origin: a string. */
  getLease(origin: string): string {
    return `${this.#tags[getBucket(origin)]}lease:${origin}`;
  }
}

function getBucket(origin: string): number {
  return toStoreKey(origin).readUInt8() % BUCKETS;
}
