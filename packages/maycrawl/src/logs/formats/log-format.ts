// What a format of access logs is: a pure description, created from plain data in every thread, and a reader of its lines.
import type { LogRequest } from '../request.ts';

/** A format of access logs. */
export interface LogFormat {
  /** The name or pattern from which `findFormat` creates the same format, in another thread too. */
  readonly name: string;
  /** What the lines of the format can have. Of a format with header lines, what they can have at most. */
  readonly has: LineContents;
  /** Whether the file says in header lines, such as `#Fields:`, which fields its lines have. */
  readonly hasHeader: boolean;
  /**
   * Returns the header that applies after a block of whole lines. It is plain data for {@link LineReader.header}, so that a thread can
   * read a block from the middle of a file.
   *
   * @param header - the header that applied before the block; empty at the start of a file.
   */
  getHeaderAfter(block: Buffer, header: string): string;
  /**
   * Creates a reader of the lines of one file.
   *
   * @throws {RangeError} if the options need a field that the format does not have, or name an invalid network.
   */
  createReader(options: ReaderOptions): LineReader;
}

/** What the lines of a format can have. */
export interface LineContents {
  /** The address of the client. Without it, no crawler can be verified by its address. */
  readonly address: boolean;
  /** The host of the request. Without it, all requests are of one site. */
  readonly host: boolean;
  /** The User-Agent header. Without it, every request is one of a visitor. */
  readonly userAgent: boolean;
  readonly status: boolean;
  /** The fields of an HTTP message signature. */
  readonly signature: boolean;
}

/** Options of a reader. */
export interface ReaderOptions {
  /** Returns the name of the crawler that a User-Agent header names; `undefined` if it names none. Results are cached. */
  readonly recognizeCrawler: (userAgent: string) => string | undefined;
  /** The header field with the address of the client, behind proxies (default: the address of the connection). */
  readonly clientIp?: ClientIpOptions | undefined;
}

/** Where the address of the client is, behind proxies. */
export interface ClientIpOptions {
  /** The name of the header field, such as `x-forwarded-for`, in any case. */
  readonly field: string;
  /**
   * Addresses and networks of the proxies, such as `10.0.0.0/8`. The client is the last address of the field that is not one of them.
   * The field counts only if the connection came from one of them, too: everybody else can write what they like into it.
   */
  readonly trustedProxies: readonly string[];
}

/**
 * What a line is: a request of a crawler, a request of another client (`visitor`), an empty line or a header line (`skipped`), or
 * unreadable (`undefined`).
 */
export type LineResult = LogRequest | 'visitor' | 'skipped' | undefined;

/** Reads lines of one file. It depends on the lines before only by their header. */
export interface LineReader {
  /**
   * The header that applies to the next line, from {@link LogFormat.getHeaderAfter} (default: empty). Header lines that the reader reads
   * replace it.
   */
  header: string;
  /** The time of the last line that could be read, that of a visitor too, in milliseconds since 1970. */
  readonly lastTime: number | undefined;
  /** Reads `block[start, end)`, a line without its LF. It never throws, whatever the line is. */
  read(block: Buffer, start: number, end: number): LineResult;
}
