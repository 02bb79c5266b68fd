/**
 * A verdict as it is made: what was decided is there at once, why is read from the document when it is asked for.
 *
 * @module
 */

import { patternsOf } from '../matching/ranked-patterns.ts';
import { NONE } from '../matching/rule-table.ts';
import type { Rule } from '../syntax/record.ts';
import type { Ruleset } from './ruleset.ts';
import type { Allowed, Because, Disallowed, GroupChoice, Match } from './verdict.ts';

/** The one class behind {@link Allowed} and {@link Disallowed}. */
export class Decision {
  readonly kind: 'allowed' | 'disallowed';
  readonly allowed: boolean;
  readonly because: Because;
  readonly line: number;
  readonly normalized: boolean;
  readonly #ruleset: Ruleset;
  readonly #entry: number;
  readonly #text: string;
  readonly #start: number;

  /**
   * @param entry - the winning entry of the ruleset's table, or `NONE`.
   * @param text - what was matched stands in it, from `start` to the end.
   */
  constructor(
    ruleset: Ruleset,
    entry: number,
    because: Because,
    text: string,
    start: number,
    normalized: boolean,
  ) {
    const { table } = ruleset;
    this.allowed = entry === NONE ? because !== 'unreachable' : !table.forbids(entry);
    this.kind = this.allowed ? 'allowed' : 'disallowed';
    this.because = because;
    this.line = entry === NONE ? 0 : table.line(entry);
    this.normalized = normalized;
    this.#ruleset = ruleset;
    this.#entry = entry;
    this.#text = text;
    this.#start = start;
  }

  /** This, as the union that callers tell apart. */
  asVerdict(): Allowed | Disallowed {
    return this as unknown as Allowed | Disallowed;
  }

  /** All that it tells, as a plain object. */
  toJSON(): object {
    const { kind, allowed, because, rule, pattern, line, loser, group, path, normalized } = this;
    return { kind, allowed, because, rule, pattern, line, loser, group, path, normalized };
  }

  get path(): string {
    return this.#text.slice(this.#start);
  }

  get group(): GroupChoice {
    return this.#ruleset.group;
  }

  get groupKind(): GroupChoice['kind'] {
    return this.#ruleset.groupKind;
  }

  get rule(): Rule | null {
    return this.#matchOf(this.#entry)?.rule ?? null;
  }

  get pattern(): string | null {
    return this.#matchOf(this.#entry)?.pattern ?? null;
  }

  get loser(): Match | null {
    const ruleset = this.#ruleset;
    const entry = this.#entry;
    if (entry === NONE) return null;
    return this.#matchOf(ruleset.findKind(!ruleset.table.read(entry).isAllow, this.path));
  }

  /** The rule of an entry, and the pattern that the entry is for. */
  #matchOf(entry: number): Match | null {
    const { table, robots } = this.#ruleset;
    if (entry === NONE) return null;
    const { valueStart, isDirectory } = table.read(entry);
    const rule = robots.recordAt(table.line(entry), valueStart) as Rule;
    const patterns = patternsOf(rule.value, rule.kind === 'allow', robots.profile);
    return { rule, pattern: patterns[isDirectory ? 1 : 0] as string };
  }
}
