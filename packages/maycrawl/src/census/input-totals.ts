// What was read of an input: counts of everything, so that nothing is lost silently, and its problems.
import { truncate } from '@maycrawl/core/internal';
import type { ReadProblem, ReadProblemCode } from './archive/read-report.ts';

/** Problems of one input that are stored. The others are counted. */
const MAX_PROBLEMS = 100;
/** Characters of a message. It can quote the input. */
const MAX_MESSAGE = 300;
/** Types of records that are counted apart. */
const MAX_TYPES = 20;
const MAX_TYPE = 40;

/** The totals as data. */
export interface InputTotalsData {
  /** Bytes of the input. */
  readonly inputBytes: number;
  /** Bytes after decompression. */
  readonly dataBytes: number;
  /** The number of records by type. */
  readonly records: Readonly<Record<string, number>>;
  /** Responses with a URL that is no robots.txt, nor the target of a redirect from one. */
  readonly otherUrls: number;
  /** The number of digests that were checked. */
  readonly digests: number;
  readonly wrongDigests: number;
  /** The number of problems by code. */
  readonly problemCounts: Readonly<Partial<Record<ReadProblemCode, number>>>;
  /** The first problems. */
  readonly problems: readonly ReadProblem[];
  /** The SHA-256 of the input; `null` for files of one robots.txt, and inputs that were not read to their end. */
  readonly sha256: string | null;
}

/** Counts what is read of an input. */
export class InputTotals {
  inputBytes = 0;
  dataBytes = 0;
  otherUrls = 0;
  digests = 0;
  wrongDigests = 0;
  sha256: string | null = null;
  readonly #records: Map<string, number> = new Map();
  readonly #problemCounts: Map<ReadProblemCode, number> = new Map();
  readonly #problems: ReadProblem[] = [];

  /** Counts a record. @param type - as it is written: any text. */
  addRecord(type: string): void {
    const known = this.#records.get(type);
    const key =
      known !== undefined || (this.#records.size < MAX_TYPES && type.length <= MAX_TYPE) ? type : '(other)';
    this.#records.set(key, (this.#records.get(key) ?? 0) + 1);
  }

  /** Counts a problem, and lists it if it is among the first of its input. */
  addProblem(problem: ReadProblem): void {
    this.#problemCounts.set(problem.code, (this.#problemCounts.get(problem.code) ?? 0) + 1);
    if (this.#problems.length < MAX_PROBLEMS)
      this.#problems.push({ ...problem, message: truncate(problem.message, MAX_MESSAGE) });
  }

  /** Returns the totals. Names are sorted, so that equal totals are equal texts. */
  toData(): InputTotalsData {
    return {
      inputBytes: this.inputBytes,
      dataBytes: this.dataBytes,
      records: toSorted(this.#records),
      otherUrls: this.otherUrls,
      digests: this.digests,
      wrongDigests: this.wrongDigests,
      problemCounts: toSorted(this.#problemCounts),
      problems: this.#problems,
      sha256: this.sha256,
    };
  }
}

function toSorted<Key extends string>(counts: ReadonlyMap<Key, number>): Record<Key, number> {
  const entries = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries) as Record<Key, number>;
}
