/**
 * Whether all URLs that a pattern describes have a verdict.
 *
 * @module
 */
import { parse } from '../parse.ts';
import type { Ruleset } from '../ruleset.ts';
import type { Allowed, Disallowed } from '../verdict.ts';
import { Budget, type ProofOptions } from './budget.ts';
import { originOf } from './compare.ts';
import { eachWinnerWhere, forbids } from './difference.ts';

/** Whether a claim about all URLs that a pattern describes is true. */
export interface Proof {
  /** `null` if the proof took more than it may. */
  readonly holds: boolean | null;
  /** A shortest path of which it is not true, with its verdict. */
  readonly counterexample: { readonly path: string; readonly verdict: Allowed | Disallowed } | null;
  /** Whether any URL is described at all. */
  readonly isVacuous: boolean;
}

/**
 * Proves that all URLs that a pattern describes are allowed, or all disallowed.
 *
 * @param pattern - as in a rule: `*` stands for any characters, `$` at the end for the end, else anything may follow.
 * @throws {RangeError} if the pattern does not begin with `/` or `*`, or has a line end or `#` in it.
 */
export function proveVerdict(
  ruleset: Ruleset,
  pattern: string,
  isAllowed: boolean,
  options: ProofOptions = {},
): Proof {
  if (!/^[/*][^\r\n#\0]*$/.test(pattern)) throw new RangeError(`not a pattern: ${JSON.stringify(pattern)}`);
  const { profile } = ruleset.robots;
  const { table } = parse(`user-agent: *\ndisallow: ${pattern}`, { profile }).ruleset('any');
  let counterexample: Proof['counterexample'] = null;
  let isVacuous = true;
  const budget = new Budget(options.maxStates);
  const isDone = budget.within(1, () => {
    eachWinnerWhere(ruleset.table, table, profile, budget, (winner, pathTo) => {
      isVacuous = false;
      if (forbids(ruleset.table, winner) !== isAllowed) return 'go on';
      const path = pathTo();
      const verdict = ruleset.decide(`${originOf(ruleset)}${path}`);
      if (verdict.kind === 'out-of-scope' || verdict.allowed === isAllowed)
        throw new Error(`a proof went wrong: ${path} is no counter-example`);
      counterexample = { path, verdict };
      return 'stop';
    });
    return true;
  });
  const holds = counterexample === null ? (isDone === true ? true : null) : false;
  return { holds, counterexample, isVacuous };
}
