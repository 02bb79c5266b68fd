/**
 * The object behind a verdict: the decision is stored, its reasons are read when the caller reads them.
 *
 * @module
 */
import type { Rule } from '../syntax/record.ts';
import type { Allowed, Because, Disallowed, GroupChoice, Match } from './verdict.ts';

/** Reads the reasons of decisions. */
export interface Explainer {
  readonly groupKind: GroupChoice['kind'];
  readonly group: GroupChoice;
  /** The rule of an entry of the rule table, and its pattern; `null` for no entry. */
  readMatch(entry: number): Match | null;
  /** The best match of the other kind for a path; `null` if there is none. */
  findLoser(entry: number, path: string): Match | null;
}

/** What a decision stores. */
export interface Outcome {
  readonly allowed: boolean;
  readonly because: Because;
  /** The winning entry of the rule table. */
  readonly entry: number;
  /** Line of the deciding rule, from 1; 0 if none matched. */
  readonly line: number;
  /** The string that was matched, from `start` to its end. */
  readonly text: string;
  readonly start: number;
  readonly normalized: boolean;
}

/** The one class behind {@link Allowed} and {@link Disallowed}. */
export class Decision {
  readonly kind: 'allowed' | 'disallowed';
  readonly allowed: boolean;
  readonly because: Because;
  readonly line: number;
  readonly normalized: boolean;
  readonly #explainer: Explainer;
  readonly #entry: number;
  readonly #text: string;
  readonly #start: number;

  constructor(explainer: Explainer, { allowed, because, entry, line, text, start, normalized }: Outcome) {
    this.kind = allowed ? 'allowed' : 'disallowed';
    this.allowed = allowed;
    this.because = because;
    this.line = line;
    this.normalized = normalized;
    this.#explainer = explainer;
    this.#entry = entry;
    this.#text = text;
    this.#start = start;
  }

  /** This decision as the union that callers distinguish by `kind`. */
  asVerdict(): Allowed | Disallowed {
    return this as unknown as Allowed | Disallowed;
  }

  /** The decision and all its reasons, as a plain object. */
  toJSON(): object {
    const { kind, allowed, because, rule, pattern, line, loser, group, path, normalized } = this;
    return { kind, allowed, because, rule, pattern, line, loser, group, path, normalized };
  }

  get path(): string {
    return this.#text.slice(this.#start);
  }

  get group(): GroupChoice {
    return this.#explainer.group;
  }

  get groupKind(): GroupChoice['kind'] {
    return this.#explainer.groupKind;
  }

  get rule(): Rule | null {
    return this.#explainer.readMatch(this.#entry)?.rule ?? null;
  }

  get pattern(): string | null {
    return this.#explainer.readMatch(this.#entry)?.pattern ?? null;
  }

  get loser(): Match | null {
    return this.#explainer.findLoser(this.#entry, this.path);
  }
}
