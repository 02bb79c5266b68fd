// Severities of findings and events.
import type { Severity } from '@maycrawl/core';
import type { JSX } from 'preact';
import { Badge, SHAPES } from './badge.tsx';

const SEVERITY_SHAPES: Readonly<Record<Severity, string>> = {
  error: 'm4 4 8 8m0-8-8 8',
  warning: SHAPES.exclamation,
  info: 'M8 3.5v.5M8 7v6',
};

/** Every severity, the worst first. */
export const SEVERITIES = Object.keys(SEVERITY_SHAPES) as readonly Severity[];

export function SeverityBadge({ severity }: { readonly severity: Severity }): JSX.Element {
  return (
    <Badge class={`severity is-${severity}`} shape={SEVERITY_SHAPES[severity]} size={13}>
      {severity}
    </Badge>
  );
}
