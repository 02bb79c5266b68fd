// The JSON of verdicts, which is the same in every command.
import {
  type Allowed,
  type Disallowed,
  explainVerdict,
  type GroupSelection,
  type OutOfScope,
} from '@maycrawl/core';

/** A verdict in JSON. */
export interface JsonVerdict {
  readonly allowed: boolean;
  /** Line of the deciding rule, from 1; 0 if none matched. */
  readonly line: number;
  /** The value of the deciding rule as written. */
  readonly rule: string | null;
  readonly kind: 'allow' | 'disallow' | null;
  /** `own`: groups that name the crawler by one of its tokens; `global`: those for `*`. */
  readonly group: 'own' | 'global' | 'none';
}

/** The parts of a verdict that its JSON contains. */
export interface VerdictParts {
  readonly allowed: boolean;
  readonly line: number;
  readonly rule: { readonly text: string; readonly kind: 'allow' | 'disallow' } | null;
  readonly groupKind: GroupSelection['kind'];
}

export function toJsonVerdict({ allowed, line, rule, groupKind }: VerdictParts): JsonVerdict {
  return {
    allowed,
    line,
    rule: rule?.text ?? null,
    kind: rule?.kind ?? null,
    group: groupKind === 'fallback' ? 'own' : groupKind,
  };
}

/** Returns a key that verdicts about URLs of one file have in common if their JSON and their reason are the same. */
export function getVerdictKey({ groupKind, line, reason }: Allowed | Disallowed): string {
  return `${groupKind} ${line > 0 ? line : reason}`;
}

export function toJsonError(verdict: OutOfScope): { code: string; message: string } {
  const { reason, url } = verdict;
  const isUrl = reason !== 'invalid-url' && reason !== 'unsupported-scheme';
  return {
    code: isUrl ? 'out-of-scope' : reason,
    message: `${explainVerdict(verdict)} (${JSON.stringify(url)})`,
  };
}
