// The bytes of an input, counted and hashed. A reader that needs no more of them does not close the input, so that the rest can be hashed.
// For the reader, an input that fails ends: what it has received so far is read.
import { createHash, type Hash } from 'node:crypto';
import type { InputTotals } from '../input-totals.ts';
import { isReadError } from './open-input.ts';

/** An input that is read once. */
export class CountedInput implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #totals: InputTotals;
  readonly #hash: Hash = createHash('sha256');
  #failure: Error | undefined;

  readonly #signal: AbortSignal | undefined;

  /** @param totals - receive the number of bytes. @param signal - its abort is a failure of the next read: an input can be long without a capture. */
  constructor(input: AsyncIterable<Uint8Array>, totals: InputTotals, signal?: AbortSignal) {
    this.#signal = signal;
    this.#chunks = input[Symbol.asyncIterator]();
    this.#totals = totals;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#read() };
  }

  /** Reads the rest. @returns the SHA-256 of all bytes, in base 16. @throws the failure of the input. */
  async digest(): Promise<string> {
    for await (const _ of this);
    this.requireRead();
    return this.#hash.digest('hex');
  }

  /** Requires that the input has not failed. @throws the failure. */
  requireRead(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #read(): Promise<IteratorResult<Uint8Array>> {
    if (this.#failure !== undefined) return { done: true, value: undefined };
    this.#signal?.throwIfAborted();
    try {
      const result = await this.#chunks.next();
      if (!result.done) {
        this.#totals.inputBytes += result.value.length;
        this.#hash.update(result.value);
      }
      return result;
    } catch (error) {
      if (!isReadError(error)) throw error;
      this.#failure = error;
      return { done: true, value: undefined };
    }
  }

  /** Closes the input. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
