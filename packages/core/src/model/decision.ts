// The implementation of {@link Allowed} and {@link Disallowed}. The reasons are own properties, so that copies have them; the match that
// lost is found on demand.
import type { Rule } from '../syntax/record.ts';
import type { CrawlerRules, RuleResult } from './crawler-rules.ts';
import type { Allowed, DecisionReason, Disallowed, GroupSelection, Match } from './verdict.ts';

export class Decision {
  readonly kind: 'allowed' | 'disallowed';
  readonly allowed: boolean;
  readonly reason: DecisionReason;
  readonly rule: Rule | null;
  readonly pattern: string | null;
  readonly line: number;
  readonly group: GroupSelection;
  readonly groupKind: GroupSelection['kind'];
  readonly path: string;
  readonly normalized: boolean;
  readonly #rules: CrawlerRules;
  readonly #overridden: RuleResult['overridden'];

  /** @param result - the decision by the rules; omitted if something else decides. */
  constructor(
    rules: CrawlerRules,
    allowed: boolean,
    reason: DecisionReason,
    path: string,
    normalized: boolean,
    result?: RuleResult,
  ) {
    const match = result?.match;
    const { group } = rules;
    this.kind = allowed ? 'allowed' : 'disallowed';
    this.allowed = allowed;
    this.reason = reason;
    this.rule = match?.rule ?? null;
    this.pattern = match?.pattern ?? null;
    this.line = match?.rule.line ?? 0;
    this.group = group;
    this.groupKind = group.kind;
    this.path = path;
    this.normalized = normalized;
    this.#rules = rules;
    this.#overridden = result?.overridden;
  }

  /** Returns this object, typed as the union that is discriminated by `kind`. */
  asVerdict(): Allowed | Disallowed {
    return this as unknown as Allowed | Disallowed;
  }

  toJSON(): object {
    return { ...this, overriddenMatch: this.overriddenMatch };
  }

  get overriddenMatch(): Match | null {
    return this.rule === null ? null : this.#rules.readOverridden(this.path, this.#overridden);
  }
}
