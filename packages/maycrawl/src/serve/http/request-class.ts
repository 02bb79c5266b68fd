// The request class of the server, which bounds what one connection makes Node do.
//
// A client can send each byte of a body as a chunk of its own (RFC 9112 section 7.1): then every byte costs an event and an object of
// some hundred bytes. And it can pipeline: one read of 64 KiB has more than a thousand requests, which Node parses in one turn.
import { IncomingMessage } from 'node:http';

/** A body of more than MANY_PIECES pieces needs at least MEAN_BYTES per piece on average. */
const [MANY_PIECES, MEAN_BYTES] = [1_000, 16] as const;

/**
 * Creates the request class of a server. It destroys the connection if a body arrives in very many tiny pieces, even if the route
 * ignores or discards the body.
 *
 * @param onRefusal - called when a connection is destroyed.
 */
export function createRequestClass(onRefusal: () => void): typeof IncomingMessage {
  return class extends IncomingMessage {
    #pieces = 0;
    #bytes = 0;
    #isUpgrade: boolean | null = null;

    /**
     * Node's parser stops reading at a request that upgrades its connection. It must also stop when the connection is destroyed:
     * otherwise it would go on to parse all requests of the chunk, which costs tens of milliseconds.
     */
    get upgrade(): boolean | null {
      return this.socket.destroyed || this.#isUpgrade;
    }

    set upgrade(value: boolean | null) {
      // The constructor of the base class sets it before this class has its fields.
      if (#isUpgrade in this) this.#isUpgrade = value;
    }

    /** Called by Node's parser for each piece, and with `null` at the end. */
    override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
      // Pieces that have arrived together with one for which the connection was destroyed.
      if (this.socket.destroyed) return false;
      if (piece === null) return super.push(piece, encoding);
      this.#bytes += piece.length;
      if (++this.#pieces <= MANY_PIECES || this.#bytes >= this.#pieces * MEAN_BYTES)
        return super.push(piece, encoding);
      this.socket.destroy();
      onRefusal();
      return false;
    }
  };
}
