// Reads access logs: the requests of crawlers in the order of their times.
import type { RecognizableCrawler } from '@maycrawl/core';
import { checkOptions } from '@maycrawl/core/internal';
import { type Block, readBlocks, splitLines } from '../lines/line-reader.ts';
import { findFormat } from './formats/find-format.ts';
import type { LogFormat } from './formats/log-format.ts';
import { recognizeFormat } from './formats/recognize-format.ts';
import {
  BlockReader,
  type BlockReaderOptions,
  type BlockResult,
  type BlockTask,
  MAX_UNPARSED_LINES,
} from './input/block-reader.ts';
import { LogError } from './input/log-error.ts';
import { mergeLogs, type SortedLog } from './input/merge-logs.ts';
import { type LogSource, readBytes } from './input/open-log.ts';
import { readBlockResults } from './input/read-blocks.ts';
import { sortRequests } from './input/sort-requests.ts';
import type { LineCounts, LogReading, LogRequest } from './request.ts';

/** How logs are read. */
export interface ReadLogOptions {
  /** The name of a format, or a pattern of nginx or Apache. @defaultValue recognised from the first lines of each log */
  readonly format?: string;
  /** The name or pattern of the format of logs whose lines are of no known one. @defaultValue such a log is an error */
  readonly fallbackFormat?: string;
  /** Crawlers that are recognised by their headers, besides those of the catalogue. @defaultValue none */
  readonly crawlers?: readonly RecognizableCrawler[];
  /** The header field with the address of the client behind proxies. @defaultValue the address of the connection */
  readonly clientIp?: string;
  /** Addresses and networks of the proxies. @defaultValue none */
  readonly trustedProxies?: readonly string[];
  /** @defaultValue the number of processors */
  readonly threads?: number;
  /** Receives the number of bytes and lines that have been read. */
  readonly onRead?: (bytes: number, lines: number) => void;
}

/** Logs that are being read: the requests of crawlers in the order of their times, one by one or in batches. */
export interface LogFiles extends LogReading, AsyncIterable<LogRequest> {
  /** The first lines that cannot be read. */
  readonly unparsedLines: readonly string[];
}

/** Bytes of the longest line. */
const MAX_LINE_BYTES = 64 * 1024;
/** Lines, and their bytes, from which a format is recognised. */
const [MAX_FIRST_LINES, MAX_FIRST_BYTES] = [100, 1024 * 1024] as const;

/**
 * Reads logs. Files that follow each other or overlap are merged by their times.
 *
 * @returns the requests, and counts that are complete after the last request.
 * @throws {RangeError} if the format, or a network of the proxies, is invalid.
 * @throws {LogError} while it is read, if a log cannot be read, or its format is unknown.
 */
export function readLogs(sources: readonly LogSource[], options: ReadLogOptions = {}): LogFiles {
  checkReadOptions('readLogs', options);
  return new LogFileReader(sources, options);
}

/**
 * Reads one log from a stream, which can be compressed by gzip.
 *
 * @returns and throws as {@link readLogs} does.
 * @example
 * for await (const { time, crawler, target } of readLog(createReadStream('access.log'))) console.log(time, crawler, target);
 */
export function readLog(stream: AsyncIterable<Uint8Array>, options: ReadLogOptions = {}): LogFiles {
  checkReadOptions('readLog', options);
  return new LogFileReader([{ name: 'the log', open: () => stream, canReopen: false }], options);
}

function checkReadOptions(owner: string, options: ReadLogOptions): void {
  checkOptions<ReadLogOptions>(owner, options, {
    ...{ format: 'string', fallbackFormat: 'string', crawlers: 'array', clientIp: 'string' },
    ...{ trustedProxies: 'array', threads: 'number', onRead: 'function' },
  });
}

class LogFileReader implements LogFiles {
  readonly #sources: readonly LogSource[];
  readonly #options: ReadLogOptions;
  readonly #format: LogFormat | undefined;
  readonly #fallback: LogFormat | undefined;
  #read = 0;
  #visitors = 0;
  #unparsed = 0;
  #crawlers = 0;
  #bytes = 0;
  readonly #unparsedLines: string[] = [];
  from: number | null = null;
  to: number | null = null;
  hasAddresses = false;

  constructor(sources: readonly LogSource[], options: ReadLogOptions) {
    this.#sources = sources;
    this.#options = options;
    const { format, fallbackFormat } = options;
    this.#format = format === undefined ? undefined : findFormat(format);
    this.#fallback = fallbackFormat === undefined ? undefined : findFormat(fallbackFormat);
  }

  get counts(): LineCounts {
    const parsed = this.#read - this.#unparsed;
    return {
      ...{ read: this.#read, parsed, unparsed: this.#unparsed },
      ...{ crawlers: this.#crawlers, visitors: this.#visitors },
    };
  }

  get unparsedLines(): readonly string[] {
    return this.#unparsedLines;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LogRequest> {
    for await (const batch of this.batches()) yield* batch;
  }

  async *batches(): AsyncGenerator<readonly LogRequest[]> {
    const logs: SortedLog[] = [];
    for (const source of this.#sources) {
      const log = await this.#openLog(source);
      if (log !== undefined) logs.push(log);
    }
    yield* mergeLogs(logs);
  }

  /** Reads the start of a log: its format, and the time of its first line. @returns `undefined` for an empty log. */
  async #openLog(source: LogSource): Promise<SortedLog | undefined> {
    const blocks = readBlocks(readBytes(source), MAX_LINE_BYTES);
    const first = await readFirstBlocks(blocks);
    if (source.canReopen) await blocks.return(undefined);
    const lines = first.flatMap((block) => (block === undefined ? [] : [...splitLines(block)]));
    if (first.length === 0) return undefined;
    const { start, onEnd } = source;
    const format =
      start === undefined
        ? (this.#format ?? recognizeFormat(lines.slice(0, MAX_FIRST_LINES)) ?? this.#fallback)
        : findFormat(start.format);
    if (format === undefined)
      throw new LogError(
        'unknown-format',
        `the format of ${source.name} is unknown; name it with --format (docs/logs-formats.md)`,
      );
    const reader = new BlockReader(this.#readerOptions);
    const bytes = Buffer.concat(first.map((block) => block ?? Buffer.of()));
    const { from } = reader.read({ bytes, format: format.name, header: start?.header ?? '' });
    const rest = source.canReopen
      ? () => readBlocks(this.#countBytes(source), MAX_LINE_BYTES)
      : () => concatenate(first, blocks);
    return {
      start: Number.isFinite(from) ? from : Number.NEGATIVE_INFINITY,
      read: () => {
        const onLongLine = (): void => this.#addLongLine();
        const tasks = createTasks(rest(), { format, header: start?.header ?? '', onLongLine, onEnd });
        return sortRequests(this.#readRequests(tasks));
      },
    };
  }

  get #readerOptions(): BlockReaderOptions {
    const { crawlers = [], clientIp, trustedProxies = [] } = this.#options;
    return { crawlers, ...(clientIp !== undefined && { clientIp: { field: clientIp, trustedProxies } }) };
  }

  async *#readRequests(tasks: AsyncGenerator<BlockTask, undefined>): AsyncGenerator<readonly LogRequest[]> {
    for await (const result of readBlockResults(tasks, this.#readerOptions, this.#options.threads)) {
      this.#addResult(result);
      yield result.requests;
    }
  }

  #addResult({ requests, read, visitors, unparsed, from, to, unparsedLines }: BlockResult): void {
    this.#read += read;
    this.#visitors += visitors;
    this.#unparsed += unparsed;
    this.#crawlers += requests.length;
    if (this.#unparsedLines.length < MAX_UNPARSED_LINES) this.#unparsedLines.push(...unparsedLines);
    if (from < (this.from ?? Number.POSITIVE_INFINITY)) this.from = from;
    if (to > (this.to ?? Number.NEGATIVE_INFINITY)) this.to = to;
    this.hasAddresses ||= requests.some(({ address }) => address !== null);
    this.#options.onRead?.(this.#bytes, this.#read);
  }

  #addLongLine(): void {
    this.#read++;
    this.#unparsed++;
    if (this.#unparsedLines.length < MAX_UNPARSED_LINES)
      this.#unparsedLines.push(`a line of more than ${MAX_LINE_BYTES} bytes`);
  }

  /** Reads a log, and counts its bytes as they are stored. */
  #countBytes(source: LogSource): AsyncGenerator<Uint8Array> {
    const count = (length: number): void => {
      this.#bytes += length;
    };
    async function* open(): AsyncGenerator<Uint8Array> {
      for await (const chunk of source.open()) {
        count(chunk.length);
        yield chunk;
      }
    }
    return readBytes({ ...source, open });
  }
}

/** Reads blocks until they have enough lines to recognise a format, or end. */
async function readFirstBlocks(blocks: AsyncIterator<Block>): Promise<Block[]> {
  const first: Block[] = [];
  let [lines, bytes] = [0, 0];
  while (lines < MAX_FIRST_LINES && bytes < MAX_FIRST_BYTES) {
    const { value, done } = await blocks.next();
    if (done) break;
    // A copy: the memory of a block is that of the next one.
    const block: Block = value && Buffer.from(value);
    first.push(block);
    lines += block === undefined ? 1 : [...splitLines(block)].length;
    bytes += block?.length ?? MAX_LINE_BYTES;
  }
  return first;
}

async function* concatenate(first: readonly Block[], rest: AsyncIterable<Block>): AsyncGenerator<Block> {
  yield* first;
  yield* rest;
}

/** Creates the tasks for the blocks of a file, each with the header that applies to it. */
async function* createTasks(
  blocks: AsyncIterable<Block>,
  {
    format,
    header: firstHeader,
    onLongLine,
    onEnd,
  }: {
    readonly format: LogFormat;
    readonly header: string;
    readonly onLongLine: () => void;
    readonly onEnd: LogSource['onEnd'];
  },
): AsyncGenerator<BlockTask, undefined> {
  let header = firstHeader;
  for await (const bytes of blocks) {
    if (bytes === undefined) onLongLine();
    else {
      yield { bytes, format: format.name, header };
      header = format.getHeaderAfter(bytes, header);
    }
  }
  onEnd?.({ format: format.name, header });
}
