// Attempts to read members of a damaged gzip file one by one. Compressed data can look like the start of a member, and each such place can
// look like a long one before it turns out to be none. So attempts have growing lengths, and what they read in vain has a limit in
// proportion to the file.

import { findMemberStart, type MemberResult, readMember } from './gzip-member.ts';
import type { ArchiveWork, ReadProblemCode } from './read-report.ts';

/** Compressed bytes of the first attempt at a place, and how much longer each next one is. */
const FIRST_BYTES = 64;
const GROWTH = 8;
/** Decompressed bytes for each compressed one of an attempt. Only the longest attempt can have more. */
const MAX_RATIO = 256;
/** Bytes that take as long as an attempt that ends with its first bytes. */
const ATTEMPT_BYTES = 256;
/** Bytes that attempts may read in vain for each byte of the file, and in advance. */
const RETRIES = 16;
const FREE_BYTES = 4 * 1024 * 1024;

/** The first member of some bytes, or what is skipped instead of it. */
export interface FirstMember {
  readonly data: Buffer;
  /** Where the next member may begin. */
  readonly end: number;
  readonly problem?: readonly [code: ReadProblemCode, message: string];
}

const NO_DATA: Buffer = Buffer.alloc(0);

/** Reads members of one file. */
export class MemberAttempts {
  readonly #maxDataBytes: number;
  readonly #work: ArchiveWork;
  /** Bytes that attempts have read in vain. */
  #wasted = 0;
  /** The offset up to which they have read without damage. */
  #wastedTo = 0;

  constructor(maxDataBytes: number, work: ArchiveWork) {
    this.#maxDataBytes = maxDataBytes;
    this.#work = work;
  }

  /**
   * Reads the first member of a window.
   *
   * @param offset - of the window in the file.
   * @param isLast - whether the file ends with the window.
   * @returns why there is none: it needs more bytes, or is too large.
   */
  read(window: Buffer, offset: number, isLast: boolean): FirstMember | 'unfinished' | 'too-large' {
    const isRead = offset < this.#wastedTo;
    if (isRead && this.#wasted > FREE_BYTES + RETRIES * offset) return this.#skip(window, offset);
    let length = FIRST_BYTES;
    let result = this.#try(window, length);
    while (length < window.length && (result.kind === 'unfinished' || result.kind === 'too-large')) {
      length *= GROWTH;
      result = this.#try(window, length);
    }
    if (result.kind === 'intact') return result;
    if (result.kind === 'too-large') return 'too-large';
    if (result.kind === 'unfinished' && !isLast) return 'unfinished';
    const lastLength = length;
    length = Math.min(length, window.length);
    if (result.kind !== 'invalid') {
      this.#wasted += Math.max(length, ATTEMPT_BYTES);
      // The attempt before was not damaged.
      this.#wastedTo = Math.max(this.#wastedTo, offset + lastLength / GROWTH);
    }
    return this.#readDamaged(window, result, length);
  }

  #try(window: Buffer, length: number): MemberResult {
    const part = window.subarray(0, length);
    const maxBytes = length < window.length ? length * MAX_RATIO : this.#maxDataBytes;
    const result = readMember(part, maxBytes);
    if (result.kind === 'invalid') return result;
    this.#work.attempts++;
    this.#work.inflatedBytes += result.kind === 'intact' ? result.end : part.length;
    return result;
  }

  /** Reads the start of a member that is damaged or ends where the next one begins. @param length - of the last attempt. */
  #readDamaged(window: Buffer, result: MemberResult, length: number): FirstMember {
    const next = findMemberStart(window, 1);
    const end = next < 0 ? window.length : next;
    const isDamaged = result.kind === 'damaged' || result.kind === 'invalid';
    // An attempt that read no further than to the next place has found the damage before it.
    const start = isDamaged && length <= end ? result : next < 0 ? result : this.#try(window, end);
    if (start.kind === 'unfinished')
      return { data: start.data, end, problem: ['truncated-member', 'the member ends early'] };
    const message = isDamaged ? result.message : 'the member does not end';
    return { data: NO_DATA, end, problem: ['damaged-member', message] };
  }

  /** Skips the bytes that attempts have read in vain. A member that begins later is found. */
  #skip(window: Buffer, offset: number): FirstMember {
    const to = Math.min(this.#wastedTo - offset, window.length);
    let places = 0;
    let end = 0;
    for (; end >= 0 && end < to; end = findMemberStart(window, end + 1)) places++;
    const message = `${places} places that look like the start of a member are not tried`;
    return { data: NO_DATA, end: end < 0 ? to : end, problem: ['untried-members', message] };
  }
}
