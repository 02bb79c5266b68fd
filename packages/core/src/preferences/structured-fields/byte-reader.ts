/** A position in a range of bytes, which parsers advance. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  /** Offset of the next byte. */
  at: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  get isAtEnd(): boolean {
    return this.at >= this.end;
  }

  /** Returns the next byte; -1 at the end. */
  peek(): number {
    return this.at < this.end ? (this.bytes[this.at] as number) : -1;
  }

  /** Skips the next byte if it is `byte`. Returns whether it was. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at++;
    return true;
  }

  /** Skips the following bytes that belong to a class. Returns their number. */
  skip(isMember: (byte: number) => boolean): number {
    const start = this.at;
    while (this.at < this.end && isMember(this.bytes[this.at] as number)) this.at++;
    return this.at - start;
  }
}
