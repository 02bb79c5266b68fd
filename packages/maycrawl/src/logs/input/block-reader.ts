// Reads blocks of whole lines, in this thread or in others: the requests of crawlers, and the counts of all lines.
import { createAgentResolver, type RecognizableCrawler, recognizeCrawler } from '@maycrawl/core';
import { findFormat } from '../formats/find-format.ts';
import type { ClientIpOptions, LineReader } from '../formats/log-format.ts';
import type { LogRequest } from '../request.ts';

/** How lines are read: plain data, which threads receive. */
export interface BlockReaderOptions {
  /** Crawlers that are recognised by their headers, besides those of the catalogue. */
  readonly crawlers: readonly RecognizableCrawler[];
  readonly clientIp?: ClientIpOptions | undefined;
}

/** A block of whole lines, and the format of its file. */
export interface BlockTask {
  readonly bytes: Uint8Array;
  /** The name of the format. */
  readonly format: string;
  /** The header that applies to the block (log-format.ts). */
  readonly header: string;
}

/** What a block contains. */
export interface BlockResult {
  readonly requests: readonly LogRequest[];
  readonly read: number;
  readonly visitors: number;
  readonly unparsed: number;
  /** The earliest and the latest time in milliseconds since 1970; without lines `Infinity` and `-Infinity`. */
  readonly from: number;
  readonly to: number;
  /** The first lines that cannot be read. */
  readonly unparsedLines: readonly string[];
}

/** Lines that cannot be read and are stored, and their bytes. */
export const MAX_UNPARSED_LINES = 3;
const MAX_UNPARSED_BYTES = 400;
const LF = 0x0a;

export class BlockReader {
  readonly #options: BlockReaderOptions;
  readonly #resolve: ReturnType<typeof createAgentResolver>;
  /** By the name of the format. */
  readonly #readers: Map<string, LineReader> = new Map();

  constructor(options: BlockReaderOptions) {
    this.#options = options;
    this.#resolve = createAgentResolver(options.crawlers);
  }

  /** Reads a block. */
  read({ bytes, format, header }: BlockTask): BlockResult {
    const reader = this.#getReader(format);
    reader.header = header;
    const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const requests: LogRequest[] = [];
    const unparsedLines: string[] = [];
    let [read, visitors, unparsed] = [0, 0, 0];
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let start = 0; start < block.length; ) {
      const lineEnd = block.indexOf(LF, start);
      const end = lineEnd < 0 ? block.length : lineEnd;
      const result = reader.read(block, start, end);
      if (result !== 'skipped') {
        read++;
        if (result === undefined) {
          unparsed++;
          if (unparsedLines.length < MAX_UNPARSED_LINES)
            unparsedLines.push(block.toString('utf8', start, Math.min(end, start + MAX_UNPARSED_BYTES)));
        } else {
          if (result === 'visitor') visitors++;
          else requests.push(result);
          const time = reader.lastTime ?? Number.NaN;
          if (time < from) from = time;
          if (time > to) to = time;
        }
      }
      start = end + 1;
    }
    return { requests, read, visitors, unparsed, from, to, unparsedLines };
  }

  #getReader(format: string): LineReader {
    let reader = this.#readers.get(format);
    if (reader === undefined) {
      const { clientIp } = this.#options;
      reader = findFormat(format).createReader({
        recognizeCrawler: (header) => this.#recognize(header),
        ...(clientIp !== undefined && { clientIp }),
      });
      this.#readers.set(format, reader);
    }
    return reader;
  }

  /** Returns the name of the crawler that a header names; `undefined` if it names none. */
  #recognize(header: string): string | undefined {
    // A single word is a header only if it is the name of a documented crawler: others are no names of crawlers, such as `Mozilla`.
    if (!/[ /()]/.test(header)) return recognizeCrawler(header, this.#options.crawlers)?.name;
    try {
      return this.#resolve(header).name;
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) return undefined;
      throw error;
    }
  }
}
