/**
 * Reads bodies in pieces that are worth their cost. A client can send each byte as a chunk of its own (RFC 9112 section 7.1): then
 * every byte is an event, and an object of some hundred bytes.
 *
 * @module
 */
import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { timeSlices } from '@maycrawl/client/event-loop';

/** After so many pieces of a body they must have so many bytes on average. */
const [MANY_PIECES, MEAN_BYTES] = [1_000, 16] as const;

/**
 * Makes the class of requests of a server. Whatever the route does with the body, also if it is only discarded, the connection is
 * destroyed when it comes in very many tiny pieces.
 *
 * @param onRefusal - is called when that happens.
 */
export function createRequestClass(onRefusal: () => void): typeof IncomingMessage {
  return class extends IncomingMessage {
    #pieces = 0;
    #bytes = 0;

    /** Node's parser calls it for each piece, and with `null` at the end. */
    override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
      if (piece === null) return super.push(piece, encoding);
      this.#bytes += piece.length;
      if (++this.#pieces <= MANY_PIECES || this.#bytes >= this.#pieces * MEAN_BYTES)
        return super.push(piece, encoding);
      // The rest of the pieces that have arrived together comes here, too.
      if (!this.socket.destroyed) {
        this.socket.destroy();
        onRefusal();
      }
      return false;
    }
  };
}

/** After a smaller piece the event loop does its other work first. What arrives meanwhile is one piece. */
const SMALL_PIECE = 1_024;

/**
 * Reads a body. The stream stays open when the caller stops reading: the response goes over the same connection.
 *
 * @param signal - ends the reading, as soon as the client has closed the connection.
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

/** Collects bytes in one buffer, which grows. */
export class ByteCollector {
  #buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds bytes. They are copied. */
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

  /** The bytes as UTF-8. */
  toString(): string {
    return this.#buffer.toString('utf8', 0, this.#length);
  }
}
