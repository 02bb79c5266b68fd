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
  /** Reads the rule and the pattern of an entry; `null` for `NONE`. */
  readMatch(entry: number): Match | null;
  /** Finds the best match of the opposite kind (allow or disallow) for a path; `null` if there is none. */
  findOverriddenMatch(entry: number, path: string): Match | null;
}

/** The stored part of a decision. */
export interface Outcome {
  readonly allowed: boolean;
  readonly reason: DecisionReason;
  /** The winning entry of the rule table, or `NONE`. */
  readonly entry: number;
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
  readonly #entry: number;
  readonly #text: string;
  readonly #start: number;

  constructor(explainer: Explainer, { allowed, reason, entry, line, text, start, normalized }: Outcome) {
    this.kind = allowed ? 'allowed' : 'disallowed';
    this.allowed = allowed;
    this.reason = reason;
    this.line = line;
    this.normalized = normalized;
    this.#explainer = explainer;
    this.#entry = entry;
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
    return this.#explainer.readMatch(this.#entry)?.rule ?? null;
  }

  get pattern(): string | null {
    return this.#explainer.readMatch(this.#entry)?.pattern ?? null;
  }

  get overriddenMatch(): Match | null {
    return this.#explainer.findOverriddenMatch(this.#entry, this.path);
  }
}
