/**
 * Lines to a stream, gathered into larger writes, waiting where the reader is slow.
 *
 * @module
 */
import { once } from 'node:events';

const CHUNK_LENGTH = 65_536;

/** Writes lines. Call {@link flush} at the end. */
export class LineWriter {
  private readonly output: NodeJS.WritableStream;
  private gathered = '';

  constructor(output: NodeJS.WritableStream) {
    this.output = output;
  }

  /** Writes a line; resolves when there is room for more. */
  async write(line: string): Promise<void> {
    this.gathered += `${line}\n`;
    if (this.gathered.length >= CHUNK_LENGTH) await this.flush();
  }

  /** Hands over what was gathered; resolves when there is room for more. */
  async flush(): Promise<void> {
    const chunk = this.gathered;
    this.gathered = '';
    if (chunk !== '' && !this.output.write(chunk)) await once(this.output, 'drain');
  }
}
