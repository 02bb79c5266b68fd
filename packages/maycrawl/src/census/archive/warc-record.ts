// A WARC record as it is read.
import type { HeaderFields } from './header-fields.ts';
import type { ReadProblem } from './read-report.ts';

/** Bytes of the block that a record has; the rest is skipped. A robots.txt of 512,000 bytes fits, with a long header. */
export const MAX_BLOCK_BYTES: number = 768 * 1024;

export const RECORD_FIELDS = [
  'warc-type',
  'content-length',
  'warc-target-uri',
  'warc-date',
  'warc-truncated',
  'warc-payload-digest',
  'warc-profile',
] as const;

export type RecordFields = HeaderFields<(typeof RECORD_FIELDS)[number]>;

/** A WARC record. Its bytes are views of the piece that contained it: copy what stays in memory. */
export interface WarcRecord {
  /** Offset of the record in the decompressed data. */
  readonly offset: number;
  /** The type in lower case, such as `response`; empty if the record has none. */
  readonly type: string;
  readonly fields: RecordFields;
  /** The block, at most {@link MAX_BLOCK_BYTES} of it. */
  readonly block: Buffer;
  /** Whether the data ended, or the next record began, before the end of the block. */
  readonly isCut: boolean;
  /** Whether the block is longer than {@link MAX_BLOCK_BYTES}. */
  readonly isBounded: boolean;
}

export type WarcItem = WarcRecord | { readonly problem: ReadProblem };
