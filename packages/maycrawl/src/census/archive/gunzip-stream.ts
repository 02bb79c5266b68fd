/**
 * Decompresses gzip of any length step by step.
 *
 * @module
 */
import { createGunzip, type Gunzip } from 'node:zlib';

/** Bytes of one piece of data. */
const OUTPUT_BYTES = 256 * 1024;

/** Decompresses members one after another, until zeros follow a member. */
export class GunzipStream {
  readonly #gunzip: Gunzip = createGunzip({ chunkSize: OUTPUT_BYTES });
  #data: Buffer[] = [];

  constructor() {
    this.#gunzip.on('data', (piece: Buffer) => this.#data.push(piece)).on('error', () => {});
  }

  /** Writes bytes, or ends the stream if there are none. @returns the error of damaged data, or whether the stream ended. */
  write(bytes: Buffer): Promise<Error | 'written' | 'ended'> {
    return new Promise((resolve) => {
      const finish = (end: Error | 'written' | 'ended'): void => {
        this.#gunzip.off('error', finish).off('end', endStream);
        resolve(end);
      };
      const endStream = (): void => finish('ended');
      this.#gunzip.on('error', finish).on('end', endStream);
      if (bytes.length === 0) this.#gunzip.end();
      else
        this.#gunzip.write(bytes, (error) => {
          if (!error) finish('written');
        });
    });
  }

  /** Returns the data since the last call. */
  takeData(): Buffer[] {
    const data = this.#data;
    this.#data = [];
    return data;
  }

  /** Compressed bytes of the members so far. */
  get bytesRead(): number {
    return this.#gunzip.bytesWritten;
  }

  destroy(): void {
    this.#gunzip.destroy();
  }
}
