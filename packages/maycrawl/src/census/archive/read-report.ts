// What reading an archive reports: problems, and the work that it took.

/** Code of a problem. docs/census.md describes each code. */
export type ReadProblemCode =
  | 'unreadable-input'
  | 'unsupported-compression'
  | 'damaged-member'
  | 'truncated-member'
  | 'bytes-between-members'
  | 'untried-members'
  | 'invalid-record'
  | 'invalid-record-length'
  | 'oversized-record-head'
  | 'truncated-record'
  | 'invalid-response'
  | 'undecodable-body'
  | 'invalid-line'
  | 'invalid-row'
  | 'damaged-table'
  | 'invalid-url';

/** A problem at one place of an input. */
export interface ReadProblem {
  readonly code: ReadProblemCode;
  /** Bytes before the problem: of the file for problems of its compression, of the decompressed data for all others. Rows in a table. */
  readonly offset: number;
  /** A description for people, which may quote the input. */
  readonly message: string;
}

/** The work of reading an archive. It grows no faster than the archive, whatever it contains. */
export class ArchiveWork {
  /** Compressed bytes that were given to the decompressor, also those that were given again. */
  inflatedBytes = 0;
  /** Attempts to read a member by itself. */
  attempts = 0;
  /** Bytes of data that were searched for a record, read as its header, or copied. */
  scannedBytes = 0;
}
