/**
 * Severities of findings and events, as shapes and words: never as a colour alone.
 *
 * @module
 */
import type { Severity } from '@maycrawl/core';
import type { JSX } from 'preact';

const SHAPES: Readonly<Record<Severity, string>> = {
  error: 'm4 4 8 8m0-8-8 8',
  warning: 'M8 3v6M8 12v.6',
  info: 'M8 3.5v.5M8 7v6',
};

/** Every severity, the worst first. */
export const SEVERITIES = Object.keys(SHAPES) as readonly Severity[];

/** A severity. */
export function SeverityBadge({ severity }: { readonly severity: Severity }): JSX.Element {
  return (
    <span class={`severity is-${severity}`}>
      <svg viewBox="0 0 16 16" width="13" height="13" aria-hidden="true">
        <path d={SHAPES[severity]} />
      </svg>
      {severity}
    </span>
  );
}
