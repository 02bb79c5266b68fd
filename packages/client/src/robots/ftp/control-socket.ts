// The control connection of FTP, which gives whole lines only: the library that parses replies takes each piece of data for whole lines, and
// TCP may cut a reply anywhere.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

const LF = 0x0a;
/** Bytes of all replies of one fetch, and so of one line. Some servers greet with pages of text. */
const MAX_BYTES = 65_536;

/** Wraps a connected socket. It has what a client of FTP uses of a socket. */
export function createControlSocket(socket: Socket): Socket {
  return new ControlSocket(socket) as Duplex as Socket;
}

class ControlSocket extends Duplex {
  readonly #socket: Socket;
  /** The beginning of a line. */
  #rest: Buffer = Buffer.alloc(0);
  #received = 0;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket
      .on('data', (chunk: Buffer) => this.#receive(chunk))
      .on('end', () => {
        // The last line may have no end.
        if (this.#rest.length > 0) this.push(this.#rest);
        this.push(null);
      })
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy());
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get localPort(): number | undefined {
    return this.#socket.localPort;
  }

  setTimeout(milliseconds: number): this {
    this.#socket.setTimeout(milliseconds);
    return this;
  }

  setKeepAlive(isEnabled: boolean): this {
    this.#socket.setKeepAlive(isEnabled);
    return this;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(
    chunk: Uint8Array,
    _encoding: BufferEncoding,
    callback: (error?: Error | null) => void,
  ): void {
    this.#socket.write(chunk, callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }

  #receive(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > MAX_BYTES) {
      this.destroy(new Error(`replies of more than ${MAX_BYTES} bytes`));
      return;
    }
    const data = Buffer.concat([this.#rest, chunk]);
    const end = data.lastIndexOf(LF) + 1;
    this.#rest = data.subarray(end);
    if (end > 0 && !this.push(data.subarray(0, end))) this.#socket.pause();
  }
}
