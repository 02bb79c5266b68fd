// Bytes of an input that were read and not used yet.

/** Bytes of an input, with their offset. */
export class ByteSource {
  readonly #input: AsyncIterator<Uint8Array>;
  bytes: Buffer = Buffer.alloc(0);
  /** The offset of {@link bytes} in the input. */
  offset = 0;
  isEnded = false;

  /** @param input - the caller ends it. */
  constructor(input: AsyncIterator<Uint8Array>) {
    this.#input = input;
  }

  /** Reads more. @returns whether there was more. */
  async read(): Promise<boolean> {
    const before = this.bytes.length;
    await this.readUpTo(before + 1);
    return this.bytes.length > before;
  }

  /** Reads until there are as many bytes, or the input ends. Small chunks are not concatenated one by one. */
  async readUpTo(length: number): Promise<void> {
    if (this.bytes.length >= length || this.isEnded) return;
    const chunks: Uint8Array[] = [this.bytes];
    let total = this.bytes.length;
    while (total < length) {
      const { value, done } = await this.#input.next();
      if (done) {
        this.isEnded = true;
        break;
      }
      chunks.push(value);
      total += value.length;
    }
    const [, only] = chunks;
    // Most chunks need no copy.
    if (chunks.length === 2 && only !== undefined && chunks[0]?.length === 0)
      this.bytes = Buffer.from(only.buffer as ArrayBuffer, only.byteOffset, only.length);
    else this.bytes = Buffer.concat(chunks);
  }

  take(length: number): Buffer {
    const taken = this.bytes.subarray(0, length);
    this.bytes = this.bytes.subarray(length);
    this.offset += length;
    return taken;
  }
}
