/**
 * The implementation of {@link Allowed} and {@link Disallowed}: it stores the decision, and reads the reasons from the document on
 * demand.
 *
 * @module
 */
import type { Rule } from '../syntax/record.ts';
import type { Allowed, DecisionReason, Disallowed, GroupSelection, Match } from './verdict.ts';

/** Reads the reasons for decisions. */
export interface Explainer {
  readonly groupKind: GroupSelection['kind'];
  readonly group: GroupSelection;
  /**
   * Finds a rule that matches a path; `null` if no rule matches.
   *
   * @param isOverridden - finds the best match of the opposite kind (allow or disallow) of the deciding rule instead of that rule.
   */
  findMatch(path: string, isOverridden: boolean): Match | null;
}

/** The stored part of a decision. */
export interface Outcome {
  readonly allowed: boolean;
  readonly reason: DecisionReason;
  /** Line of the deciding rule, from 1; 0 if no rule matched. */
  readonly line: number;
  /** A string that contains the matched path from `start` to its end. */
  readonly text: string;
  readonly start: number;
  readonly normalized: boolean;
}

export class Decision {
  readonly kind: 'allowed' | 'disallowed';
  readonly allowed: boolean;
  readonly reason: DecisionReason;
  readonly line: number;
  readonly normalized: boolean;
  readonly #explainer: Explainer;
  readonly #text: string;
  readonly #start: number;

  constructor(explainer: Explainer, { allowed, reason, line, text, start, normalized }: Outcome) {
    this.kind = allowed ? 'allowed' : 'disallowed';
    this.allowed = allowed;
    this.reason = reason;
    this.line = line;
    this.normalized = normalized;
    this.#explainer = explainer;
    this.#text = text;
    this.#start = start;
  }

  /** Returns this object, typed as the union that is discriminated by `kind`. */
  asVerdict(): Allowed | Disallowed {
    return this as unknown as Allowed | Disallowed;
  }

  /** Returns the decision and all reasons as a plain object. */
  toJSON(): object {
    const { kind, allowed, reason, rule, pattern, line, overriddenMatch, group, path, normalized } = this;
    return { kind, allowed, reason, rule, pattern, line, overriddenMatch, group, path, normalized };
  }

  get path(): string {
    return this.#text.slice(this.#start);
  }

  get group(): GroupSelection {
    return this.#explainer.group;
  }

  get groupKind(): GroupSelection['kind'] {
    return this.#explainer.groupKind;
  }

  get rule(): Rule | null {
    return this.#findMatch(false)?.rule ?? null;
  }

  get pattern(): string | null {
    return this.#findMatch(false)?.pattern ?? null;
  }

  get overriddenMatch(): Match | null {
    return this.#findMatch(true);
  }

  #findMatch(isOverridden: boolean): Match | null {
    return this.reason === 'rule' ? this.#explainer.findMatch(this.path, isOverridden) : null;
  }
}
