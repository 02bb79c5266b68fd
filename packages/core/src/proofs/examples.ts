// Decisions about paths that proofs found, in the scope of a file.
import type { Scope } from '../matching/target.ts';
import { getRules, type Ruleset } from '../model/ruleset.ts';
import type { Allowed, Disallowed } from '../model/verdict.ts';

export function getScopeOrigin(scope: Scope | undefined): string {
  return scope !== undefined && 'origin' in scope ? scope.origin : 'http://localhost';
}

/**
 * Decides a path, with its query.
 *
 * @throws {RangeError} if the document applies to no origin.
 */
export function decidePath(ruleset: Ruleset, path: string): Allowed | Disallowed {
  const verdict = ruleset.decide(`${getScopeOrigin(getRules(ruleset).source.context.scope)}${path}`);
  if (verdict.kind === 'out-of-scope') throw new RangeError('the document applies to no origin');
  return verdict;
}
