/**
 * A verdict about a file that was not kept: what was decided is there at once, for the reasons the file is parsed when
 * somebody asks.
 *
 * @module
 */
import type { Rule } from '../syntax/record.ts';
import type { Allowed, Because, Disallowed, GroupChoice, Match, Verdict } from './verdict.ts';

/** Behaves as `Decision` does. */
export class DecisionOnce {
  readonly kind: 'allowed' | 'disallowed';
  readonly allowed: boolean;
  readonly because: Because;
  readonly line: number;
  readonly groupKind: GroupChoice['kind'];
  /** Only a URL that is in the form of a request already is decided this way. */
  readonly normalized: boolean;
  readonly #decideInFull: () => Verdict;

  constructor(allowed: boolean, line: number, groupKind: GroupChoice['kind'], decideInFull: () => Verdict) {
    this.kind = allowed ? 'allowed' : 'disallowed';
    this.allowed = allowed;
    this.because = groupKind === 'none' ? 'no-group' : line === 0 ? 'no-rule-matched' : 'rule';
    this.line = line;
    this.normalized = false;
    this.groupKind = groupKind;
    this.#decideInFull = decideInFull;
  }

  /** This, as the union that callers tell apart. */
  asVerdict(): Allowed | Disallowed {
    return this as unknown as Allowed | Disallowed;
  }

  toJSON(): object {
    return JSON.parse(JSON.stringify(this.#decideInFull())) as object;
  }

  get path(): string {
    return this.#inFull().path;
  }

  get group(): GroupChoice {
    return this.#inFull().group;
  }

  get rule(): Rule | null {
    return this.#inFull().rule;
  }

  get pattern(): string | null {
    return this.#inFull().pattern;
  }

  get loser(): Match | null {
    return this.#inFull().loser;
  }

  #inFull(): Allowed | Disallowed {
    return this.#decideInFull() as Allowed | Disallowed;
  }
}
