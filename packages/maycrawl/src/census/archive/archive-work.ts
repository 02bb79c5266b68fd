/**
 * The work of reading an archive. It grows no faster than the archive, whatever it contains.
 *
 * @module
 */

/** Counts of work. */
export class ArchiveWork {
  /** Compressed bytes that were given to the decompressor, also those that were given again. */
  inflatedBytes = 0;
  /** Attempts to read a member by itself. */
  attempts = 0;
  /** Bytes of data that were searched for a record, read as its header, or copied. */
  scannedBytes = 0;
}
