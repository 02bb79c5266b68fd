// The entries of a store in Redis: a hash for each origin, and the index of its bucket.
import { randomUUID } from 'node:crypto';
import type { OriginHistory } from '../../robots/history.ts';
import { MAX_EVENTS, type StoreEvent } from '../../robots/store-event.ts';
import { getStoredSize, type StoredRow, toStored } from '../../robots/stored.ts';
import { ENTRY_BYTES, type EntryKind, EVENT_BYTES, type Totals } from '../limits.ts';
import type { EntryUsage } from '../store.ts';
import type { RedisCommands } from './redis-client.ts';
import type { IndexKeys, RedisKeys } from './redis-keys.ts';
import { FIND_LEAST_USED, PUT_ENTRY, READ_TOTALS, RECORD_USE, REMOVE_ENTRIES } from './redis-scripts.ts';

/** Entries that one script removes, so that no other client waits for long. */
const MAX_REMOVALS = 100;
/** The longest lifetime of a key, in milliseconds: 100 years. */
const MAX_LIFETIME = 36_525 * 86_400_000;

/** What a store has of one origin. The history may be damaged (`fromStored`), as may the events (`fromStoredEvents`). */
export interface RedisEntry extends StoredRow {
  /** A text that no other state of the entry has. */
  readonly version: string;
  readonly events: string;
  readonly usedAt: number;
}

/** An entry that is to be stored. */
interface NewEntry {
  readonly history: OriginHistory;
  /** The newest first. */
  readonly events: readonly StoreEvent[];
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** The result of {@link RedisEntries.put}: how much was stored, or what is stored, because it was changed or the lease was lost. */
export type PutResult =
  | { readonly kind: 'stored'; readonly bytes: number }
  | { readonly kind: 'changed' | 'lost'; readonly entry: RedisEntry | undefined };

/** An origin that may be evicted. */
export interface RedisCandidate {
  readonly origin: string;
  readonly usedAt: number;
  readonly bytes: number;
}

export class RedisEntries {
  readonly #commands: RedisCommands;
  readonly #keys: RedisKeys;
  /** How long an entry stays that no caller uses. Milliseconds. */
  readonly #lifetime: number;

  constructor(commands: RedisCommands, keys: RedisKeys, maxAge: number) {
    this.#commands = commands;
    this.#keys = keys;
    this.#lifetime = Math.ceil(Math.min(maxAge, MAX_LIFETIME));
  }

  async read(origin: string): Promise<RedisEntry | undefined> {
    const fields = ['version', 'response', 'outage', 'body', 'events', 'usedAt'];
    return toEntry(await this.#readFields(origin, fields));
  }

  async readUsage(origin: string): Promise<EntryUsage | undefined> {
    const [bytes, usedAt] = await this.#readFields(origin, ['bytes', 'usedAt']);
    return bytes === null || usedAt === null ? undefined : { bytes: Number(bytes), usedAt: Number(usedAt) };
  }

  /**
   * Replaces an entry.
   *
   * @param before - what is replaced; `undefined` if there was none.
   * @param owner - who has the lease of the origin, which ends; `undefined` for a change without a lease.
   */
  async put(
    origin: string,
    before: RedisEntry | undefined,
    owner: string | undefined,
    { history, events, usedAt }: NewEntry,
  ): Promise<PutResult> {
    const stored = toStored(history);
    const { response, outage, body } = stored;
    const newest = events.slice(0, MAX_EVENTS);
    const bytes = ENTRY_BYTES + 5 * origin.length + getStoredSize(stored) + EVENT_BYTES * newest.length;
    const { names, sizes, good, failing } = this.#keys.getIndex(origin);
    const [result, ...fields] = requireArray(
      await this.#commands.run(
        PUT_ENTRY,
        [names, sizes, good, failing, this.#keys.getEntry(origin), this.#keys.getLease(origin)],
        [
          ...[origin, before?.version ?? '', owner ?? '', randomUUID()],
          ...[response ?? '', outage ?? '', toBuffer(body), JSON.stringify(newest)],
          ...[bytes, usedAt, outage === null ? 0 : 1, this.#lifetime],
        ],
      ),
    );
    const kind = String(result) as PutResult['kind'];
    return kind === 'stored' ? { kind, bytes } : { kind, entry: toEntry(requireBuffers(fields)) };
  }

  async recordUse(origin: string, now: number): Promise<void> {
    const { names, sizes, good, failing } = this.#keys.getIndex(origin);
    const keys = [names, sizes, good, failing, this.#keys.getEntry(origin)] as const;
    await this.#commands.run(RECORD_USE, keys, [origin, now, this.#lifetime]);
  }

  /** Names of origins in their order, those behind `after`. */
  async list(limit: number, after: string): Promise<string[]> {
    const lists = await Promise.all(this.#keys.indexes.map(({ names }) => this.#list(names, limit, after)));
    return lists.flat().sort().slice(0, limit);
  }

  async #list(names: string, limit: number, after: string): Promise<string[]> {
    const range = [after === '' ? '-' : `(${after}`, '+'];
    const command = ['ZRANGEBYLEX', names, ...range, 'LIMIT', '0', String(limit)];
    return requireArray(await this.#commands.send(names, command)).map(String);
  }

  /**
   * Removes entries.
   *
   * @param usedUntil - one that was used later stays. @defaultValue none stays
   */
  async remove(
    origins: readonly string[],
    usedUntil: number = Number.MAX_SAFE_INTEGER,
  ): Promise<{ readonly count: number; readonly bytes: number }> {
    const parts: { readonly index: IndexKeys; readonly origins: string[] }[] = [];
    for (const origin of origins) {
      const index = this.#keys.getIndex(origin);
      const part = parts.find((each) => each.index === index && each.origins.length < MAX_REMOVALS);
      if (part === undefined) parts.push({ index, origins: [origin] });
      else part.origins.push(origin);
    }
    const removed = await Promise.all(parts.map((part) => this.#remove(part.index, part.origins, usedUntil)));
    return removed.reduce((sum, each) => ({ count: sum.count + each.count, bytes: sum.bytes + each.bytes }), {
      count: 0,
      bytes: 0,
    });
  }

  async #remove(
    { names, sizes, good, failing }: IndexKeys,
    origins: readonly string[],
    usedUntil: number,
  ): Promise<{ readonly count: number; readonly bytes: number }> {
    const entries = origins.map((origin) => this.#keys.getEntry(origin));
    const reply = await this.#commands.run(
      REMOVE_ENTRIES,
      [names, sizes, good, failing, ...entries],
      [usedUntil, ...origins],
    );
    const [count, bytes] = requireArray(reply).map(Number) as [number, number];
    return { count, bytes };
  }

  /** Removes all entries. @returns the number of removed entries. */
  async removeAll(): Promise<number> {
    let removed = 0;
    for (const { names } of this.#keys.indexes) {
      let origins = await this.#list(names, MAX_REMOVALS, '');
      while (origins.length > 0) {
        removed += (await this.remove(origins)).count;
        origins = await this.#list(names, MAX_REMOVALS, origins.at(-1) as string);
      }
    }
    return removed;
  }

  /** How much is in the store. */
  async readTotals(): Promise<Totals> {
    const replies = await Promise.all(
      this.#keys.indexes.map(({ good, failing, sizes }) =>
        this.#commands.run(READ_TOTALS, [good, failing, sizes], []),
      ),
    );
    const sums: number[] = [];
    for (const reply of replies)
      for (const [index, value] of requireArray(reply).entries())
        sums[index] = (sums[index] ?? 0) + Number(value);
    const [origins = 0, bytes = 0, failingOrigins = 0, failingBytes = 0] = sums;
    return { origins, bytes, failingOrigins, failingBytes };
  }

  /**
   * Returns the least recently used entries of a kind, in this order.
   *
   * @param before - they were used last before this time. Milliseconds since 1970.
   * @param limit - the number of entries that are read of each bucket.
   */
  async findLeastUsed(kind: EntryKind, before: number, limit: number): Promise<RedisCandidate[]> {
    const lists = await Promise.all(
      this.#keys.indexes.map((index) => this.#findLeastUsed(index, kind, before, limit)),
    );
    // Behind the last entry of a bucket that has more, entries of that bucket are missing.
    const complete = Math.min(
      ...lists.map((list) => (list.length < limit ? Number.POSITIVE_INFINITY : (list.at(-1)?.usedAt ?? 0))),
    );
    return lists
      .flat()
      .filter(({ usedAt }) => usedAt <= complete)
      .sort((a, b) => a.usedAt - b.usedAt);
  }

  async #findLeastUsed(
    index: IndexKeys,
    kind: EntryKind,
    before: number,
    limit: number,
  ): Promise<RedisCandidate[]> {
    const range = before === Number.POSITIVE_INFINITY ? '+inf' : `(${before}`;
    const reply = await this.#commands.run(FIND_LEAST_USED, [index[kind], index.sizes], [range, limit]);
    const values = requireArray(reply).map(String);
    return Array.from({ length: values.length / 3 }, (_, number) => {
      const [origin, usedAt, bytes] = values.slice(3 * number, 3 * number + 3) as [string, string, string];
      return { origin, usedAt: Number(usedAt), bytes: Number(bytes) };
    });
  }

  async #readFields(origin: string, fields: readonly string[]): Promise<(Buffer | null)[]> {
    const key = this.#keys.getEntry(origin);
    return requireBuffers(requireArray(await this.#commands.send(key, ['HMGET', key, ...fields])));
  }
}

/** An empty field is one without a value. */
function toEntry(fields: readonly (Buffer | null)[]): RedisEntry | undefined {
  const [version = null, response, outage, body, events, usedAt] = fields;
  if (version === null) return undefined;
  return {
    version: version.toString(),
    response: response?.toString() || null,
    outage: outage?.toString() || null,
    body: body ?? null,
    events: events?.toString() ?? '[]',
    usedAt: Number(usedAt),
  };
}

function toBuffer(bytes: Uint8Array | null): Buffer {
  return bytes === null ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function requireArray(reply: unknown): unknown[] {
  if (!Array.isArray(reply)) throw new TypeError('the client of Redis returned a reply of another type');
  return reply;
}

/** @throws {TypeError} if the client has decoded the bytes: the file would be another one. */
function requireBuffers(values: readonly unknown[]): (Buffer | null)[] {
  for (const value of values)
    if (value !== null && !Buffer.isBuffer(value))
      throw new TypeError('the client of Redis returned a text in place of bytes');
  return values as (Buffer | null)[];
}
