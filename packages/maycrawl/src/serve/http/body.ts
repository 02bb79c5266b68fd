// Reads request bodies, and gives way to other work between small pieces.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { timeSlices } from '@maycrawl/client/internal';

/** Bytes. After a smaller piece the loop gives way; what arrives meanwhile becomes one piece. */
const SMALL_PIECE = 1_024;

/** Whether a request has a body that has not arrived completely. A request without a body is complete only after its event. */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined);
}

/**
 * Reads a body. The stream stays open when the caller stops reading, because the response uses the same connection.
 *
 * @param signal - aborts when the client closes the connection.
 */
export async function* readBody(stream: Readable, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    yield piece;
    // Most bodies are one piece.
    if (!isFirst && (piece.length < SMALL_PIECE || timeSlices.isUsedUp())) await timeSlices.giveWay(signal);
    isFirst = false;
  }
}

/** Collects bytes in one growing buffer. */
export class ByteCollector {
  #buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends a copy of bytes. */
  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = length;
  }

  /** Decodes the bytes as UTF-8; `undefined` if they are not UTF-8. */
  decode(): string | undefined {
    const bytes = this.#buffer.subarray(0, this.#length);
    return isUtf8(bytes) ? bytes.toString() : undefined;
  }
}
