// What a connection may carry, whatever the HTTP parser makes of it, and how it ended.
import type { Socket } from 'node:net';

/** What the headers of a response, names and values together, may take. Bytes. All of them are kept, however many there are. */
export const MAX_HEADER_BYTES = 16_384;
/** What a response may take beside its body: headers, informational responses. Bytes. */
const MAX_OVERHEAD = 1_048_576;
/** Each byte of a body may take this number of bytes of the connection: a chunk of one byte takes six. */
const MAX_BYTES_PER_BYTE = 8;

/** Headers by their names in lower case; a header that was sent several times is a list. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Guards one connection, which carries one response at a time. */
export class ConnectionGuard {
  readonly #socket: Socket;
  #limit: number = Number.POSITIVE_INFINITY;
  #maxBytes = 0;
  #reset: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    // The body is limited where it is read. What never becomes a byte of it is not: informational responses, extensions of chunks,
    // compressed blocks of nothing.
    socket.on('readable', () => {
      if (socket.bytesRead > this.#limit)
        socket.destroy(
          new Error(`a response of more than ${this.#maxBytes} bytes without a body of that size`),
        );
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') this.#reset = error;
    });
  }

  /**
   * Starts to count the bytes of a response.
   *
   * @param maxBytes - how many bytes of its body are of use. A connection that carries far more is closed.
   */
  startResponse(maxBytes: number): void {
    this.#maxBytes = maxBytes * MAX_BYTES_PER_BYTE + MAX_OVERHEAD;
    this.#limit = this.#socket.bytesRead + this.#maxBytes;
  }

  /**
   * Returns the error by which the server reset the connection, if the response has no length: undici takes a reset for the end of
   * such a body.
   */
  getReset(headers: ResponseHeaders): Error | undefined {
    const hasLength = 'content-length' in headers || 'transfer-encoding' in headers;
    return hasLength ? undefined : this.#reset;
  }
}
