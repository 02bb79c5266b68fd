// Statements about the use of content, as text.
import type { PreferenceStatement } from '@maycrawl/core/preferences';

/** Describes where a statement stands and what it says. The text is not escaped for a terminal. */
export function describeStatement({
  line,
  source,
  name,
  text,
  format,
  label,
}: Pick<PreferenceStatement, 'line' | 'source' | 'name' | 'text' | 'label'> & {
  readonly format: string;
}): string {
  if (format === 'policy-token' && line === null) return `group ${label}: no rule disallows the URL`;
  if (format === 'policy-token') return `line ${line}, group ${label}: ${name ?? ''}: ${text}`;
  const field = name === null ? text : `${name}: ${text}`;
  return line === null ? `${source}, ${field}` : `line ${line}: ${field}`;
}
