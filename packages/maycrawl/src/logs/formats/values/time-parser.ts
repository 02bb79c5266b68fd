// Reads times from the bytes of lines. A time without a zone is in UTC. The 60th second of a minute, a leap second, is the first one of
// the next minute, as in POSIX.
import { compileTimeFormat, type TimeKind, type TimeStep } from './time-format.ts';

const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ');
/** The months by the codes of their first three letters. */
const MONTH_KEYS: readonly number[] = MONTHS.map((name) => toKey(Buffer.from(name), 0));

const [ZERO, NINE, SPACE, PLUS, MINUS, COLON, DOT, COMMA] = [
  0x30, 0x39, 0x20, 0x2b, 0x2d, 0x3a, 0x2e, 0x2c,
] as const;
const [D, M, Y2, Y, B, FULL, H, I, MIN, S, P, Z, ZONE, UNIX, F, Q, J, L, N] = [...'dmyYbBHIMSpzZsfQJLN'].map(
  (char) => -char.charCodeAt(0),
);

/** The most digits of a number: those of a time in microseconds, in the year 5138. */
const MAX_DIGITS = 17;
/** The longest name of a day, month or zone. */
const MAX_WORD = 20;
/** A text that is longer is not stored. */
const MAX_MEMO = 64;

/** Reads times of one pattern. */
export class TimeParser {
  readonly kind: TimeKind;
  /** The value of the last time that was read, in milliseconds, as {@link kind} says. */
  value = 0;
  readonly #steps: readonly TimeStep[];
  /** The last text, with the byte after it, because consecutive lines mostly have the same time. */
  readonly #memo: Uint8Array = new Uint8Array(MAX_MEMO + 1);
  #memoLength = 0;
  /** The last date, and its start. */
  #date = -1;
  #dateStart = 0;
  /** The number that was read last. */
  #number = 0;

  /** @throws {RangeError} as `compileTimeFormat` does. */
  constructor(pattern: string) {
    const { steps, kind } = compileTimeFormat(pattern);
    this.#steps = steps;
    this.kind = kind;
  }

  /** Reads the time at `start`. @returns the index after it; -1 if there is no time. */
  parse(block: Uint8Array, start: number, end: number): number {
    const length = this.#memoLength;
    if (length > 0 && start + length <= end) {
      const memo = this.#memo;
      const last = start + length < end ? (block[start + length] as number) : 0;
      let at = 0;
      while (at < length && block[start + at] === memo[at]) at++;
      if (at === length && memo[length] === last) return start + length;
    }
    const after = this.#parse(block, start, end);
    if (after > 0 && after - start <= MAX_MEMO) {
      this.#memoLength = after - start;
      for (let at = start; at < after; at++) this.#memo[at - start] = block[at] as number;
      this.#memo[after - start] = after < end ? (block[after] as number) : 0;
    } else this.#memoLength = 0;
    return after;
  }

  #parse(block: Uint8Array, start: number, end: number): number {
    let [day, month, year, hour, minute, second] = [1, 1, 1970, 0, 0, 0];
    let [milliseconds, zone, isAfternoon, isTwelve] = [0, 0, false, false];
    let unix: number | undefined;
    let at = start;
    for (const step of this.#steps) {
      if (step >= 0) {
        if (at >= end || block[at] !== step) return -1;
        at++;
        continue;
      }
      if (step === D) {
        at = this.#readNumber(block, at, end, 2);
        day = this.#number;
      } else if (step === M) {
        at = this.#readNumber(block, at, end, 2);
        month = this.#number;
      } else if (step === B || step === FULL) {
        if (at + 3 > end) return -1;
        month = MONTH_KEYS.indexOf(toKey(block, at)) + 1;
        at += 3;
        if (step === FULL) at = skipWord(block, at, end);
      } else if (step === Y || step === Y2) {
        const digits = step === Y ? 4 : 2;
        const from = at;
        at = this.#readNumber(block, at, end, digits);
        if (at - from !== digits) return -1;
        year = this.#number + (step === Y ? 0 : this.#number < 69 ? 2000 : 1900);
      } else if (step === H || step === I) {
        at = this.#readNumber(block, at, end, 2);
        hour = this.#number;
        if (step === I) isTwelve = true;
      } else if (step === MIN) {
        at = this.#readNumber(block, at, end, 2);
        minute = this.#number;
      } else if (step === S) {
        at = this.#readNumber(block, at, end, 2);
        second = this.#number;
      } else if (step === P) {
        isAfternoon = ((block[at] ?? 0) | 0x20) === 0x70;
        at = skipWord(block, at, end);
      } else if (step === Z) {
        at = this.#readZone(block, at, end);
        zone = this.#number;
      } else if (step === ZONE) {
        at = skipWord(block, at, end);
      } else if (step === UNIX || step === Q || step === J) {
        at = this.#readNumber(block, at, end, MAX_DIGITS);
        unix = step === UNIX ? this.#number * 1000 : step === Q ? this.#number : this.#number / 1000;
      } else if (step === F) {
        if (at < end && (block[at] === DOT || block[at] === COMMA)) {
          at = this.#readFraction(block, at + 1, end);
          milliseconds = this.#number;
        }
      } else if (step === L || step === N) {
        at = this.#readNumber(block, at, end, step === L ? 3 : 6);
        milliseconds = step === L ? this.#number : this.#number / 1000;
      } else at = skipWord(block, at, end);
      if (at < 0) return -1;
    }
    if (isTwelve) hour = hour < 1 || hour > 12 ? 24 : (hour % 12) + (isAfternoon ? 12 : 0);
    if (hour > 23 || minute > 59 || second > 60) return -1;
    const dateStart = this.#getDateStart(year, month, day);
    if (Number.isNaN(dateStart)) return -1;
    const seconds = unix ?? dateStart + ((hour * 60 + minute) * 60 + second) * 1000 - zone * 60_000;
    this.value = Math.floor(seconds + milliseconds);
    return at;
  }

  /** @returns the start of a day; NaN if there is no such day. */
  #getDateStart(year: number, month: number, day: number): number {
    const date = (year * 16 + month) * 64 + day;
    if (date === this.#date) return this.#dateStart;
    if (month < 1 || month > 12 || day < 1 || day > 31) return Number.NaN;
    const start = Date.UTC(year, month - 1, day);
    if (year < 1970 || new Date(start).getUTCDate() !== day) return Number.NaN;
    this.#date = date;
    this.#dateStart = start;
    return start;
  }

  /** Reads up to `most` digits, after spaces that pad the number. @returns the index after them; -1 if there are none. */
  #readNumber(block: Uint8Array, start: number, end: number, most: number): number {
    let at = start;
    if (at < end && block[at] === SPACE && most === 2) at++;
    let number = 0;
    const first = at;
    const last = Math.min(end, start + most);
    for (; at < last; at++) {
      const byte = block[at] as number;
      if (byte < ZERO || byte > NINE) break;
      number = number * 10 + byte - ZERO;
    }
    this.#number = number;
    return at > first ? at : -1;
  }

  /** Reads the digits after a decimal point as milliseconds. */
  #readFraction(block: Uint8Array, start: number, end: number): number {
    let at = start;
    let value = 0;
    for (let unit = 100; at < end; at++, unit /= 10) {
      const byte = block[at] as number;
      if (byte < ZERO || byte > NINE) break;
      // Finer parts of a millisecond are dropped, before sums of fractions could round it up.
      if (unit >= 1) value += (byte - ZERO) * unit;
    }
    this.#number = value;
    return at > start ? at : -1;
  }

  /** Reads `Z`, `+0200`, `+02:00` or `+02` as minutes. */
  #readZone(block: Uint8Array, start: number, end: number): number {
    const sign = block[start];
    this.#number = 0;
    if (start >= end) return -1;
    if (((sign as number) | 0x20) === 0x7a) return start + 1;
    if (sign !== PLUS && sign !== MINUS) return -1;
    let at = this.#readNumber(block, start + 1, end, 2);
    if (at !== start + 3) return -1;
    let minutes = this.#number * 60;
    const from = at < end && block[at] === COLON ? at + 1 : at;
    const after = this.#readNumber(block, from, end, 2);
    if (after === from + 2) {
      minutes += this.#number;
      at = after;
    }
    this.#number = sign === MINUS ? -minutes : minutes;
    return at;
  }
}

/** Three letters as a number, regardless of case. */
function toKey(block: Uint8Array, at: number): number {
  const [first, second, third] = [block[at] as number, block[at + 1] as number, block[at + 2] as number];
  return ((first | 0x20) << 16) | ((second | 0x20) << 8) | (third | 0x20);
}

/** Skips letters, digits and signs: the rest of the name of a month, the name of a day or of a zone. */
function skipWord(block: Uint8Array, start: number, end: number): number {
  const last = Math.min(end, start + MAX_WORD);
  let at = start;
  while (at < last) {
    const byte = block[at] as number;
    const lower = byte | 0x20;
    if ((lower < 0x61 || lower > 0x7a) && (byte < ZERO || byte > NINE) && byte !== PLUS && byte !== MINUS)
      break;
    at++;
  }
  return at;
}
