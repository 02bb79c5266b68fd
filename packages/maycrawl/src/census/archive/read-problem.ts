/**
 * Problems in an input. They are data: the rest of the input is read.
 *
 * @module
 */

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
