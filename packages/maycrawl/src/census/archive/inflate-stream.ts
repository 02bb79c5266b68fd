// Decompresses the data of one gzip member of any length step by step (RFC 1951).
import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib';

/** Bytes of one piece of data. */
const OUTPUT_BYTES = 256 * 1024;

/** Decompresses until the data of the member ends. */
export class InflateStream {
  readonly #inflate: InflateRaw = createInflateRaw({ chunkSize: OUTPUT_BYTES });
  #data: Buffer[] = [];
  /** The checksum and the length of the data that was taken. */
  checksum = 0;
  length = 0;

  constructor() {
    this.#inflate.on('data', (piece: Buffer) => this.#data.push(piece)).on('error', () => {});
  }

  /** Writes bytes, or ends the stream if there are none. @returns the error of damaged data, or whether the data ended. */
  write(bytes: Buffer): Promise<Error | 'written' | 'ended'> {
    return new Promise((resolve) => {
      const finish = (end: Error | 'written' | 'ended'): void => {
        this.#inflate.off('error', finish).off('end', endStream);
        resolve(end);
      };
      const endStream = (): void => finish('ended');
      this.#inflate.on('error', finish).on('end', endStream);
      if (bytes.length === 0) this.#inflate.end();
      else
        this.#inflate.write(bytes, (error) => {
          if (!error) finish('written');
        });
    });
  }

  /** Returns the data since the last call. */
  takeData(): Buffer[] {
    const data = this.#data;
    this.#data = [];
    for (const piece of data) {
      this.checksum = crc32(piece, this.checksum);
      this.length += piece.length;
    }
    return data;
  }

  /** Compressed bytes so far. */
  get bytesRead(): number {
    return this.#inflate.bytesWritten;
  }

  destroy(): void {
    this.#inflate.destroy();
  }
}
