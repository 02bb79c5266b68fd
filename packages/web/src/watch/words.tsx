/**
 * States, outcomes, severities and times in words, and as shapes: never as a colour alone.
 *
 * @module
 */
import type { JSX } from 'preact';
import { visible } from '../shared/visible.ts';
import type { Holds, ListedSite, Severity, Version } from './answers.ts';

const HOLDS: Readonly<Record<Holds, readonly [word: string, path: string]>> = {
  unknown: ['not checked yet', 'M4 8h8'],
  rules: ['rules hold', 'M4 4h8M4 8h8M4 12h5'],
  absent: ['open: no file', 'm3.5 8.5 3 3 6-7'],
  unreachable: ['closed: unreachable', 'm4.5 4.5 7 7m0-7-7 7'],
  'outage-expired': ['open: unreachable for long', 'm3.5 8.5 3 3 6-7'],
};

/** What holds at a site. */
export function State({ holds }: { readonly holds: Holds }): JSX.Element {
  const [word, path] = HOLDS[holds] ?? HOLDS.unknown;
  return (
    <span class={`state ${holds}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={path} />
      </svg>
      {word}
    </span>
  );
}

/** Its states, for a choice. */
export const STATES: readonly (readonly [Holds, string])[] = Object.entries(HOLDS).map(
  ([holds, [word]]) => [holds as Holds, word] as const,
);

export const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error'];

const SHAPES: Readonly<Record<Severity, string>> = {
  info: 'M8 3.5v.5M8 7v6',
  warning: 'M8 3v6M8 12v.6',
  error: 'm4 4 8 8m0-8-8 8',
};

/** How bad something is. */
export function SeverityBadge({ severity }: { readonly severity: Severity }): JSX.Element {
  return (
    <span class={`severity is-${severity}`}>
      <svg viewBox="0 0 16 16" width="13" height="13" aria-hidden="true">
        <path d={SHAPES[severity] ?? SHAPES.info} />
      </svg>
      {severity}
    </span>
  );
}

/** What a site answered, in a few words. */
export function outcomeOf({
  kind,
  bytes,
  status,
  reason,
}: Pick<Version, 'kind' | 'bytes' | 'status' | 'reason'>): string {
  if (kind === 'found') return bytes === null ? 'a file' : `a file of ${bytes.toLocaleString('en')} bytes`;
  const why = visible(reason ?? (status === null ? '' : `status ${status}`), 120);
  return `${kind === 'absent' ? 'no file' : 'unreachable'}${why === '' ? '' : ` (${why})`}`;
}

/** The same for a site in a list. */
export function outcomeOfSite({ outcome, ...site }: ListedSite): string {
  return outcome === null ? '' : outcomeOf({ kind: outcome, bytes: null, ...site });
}

/** What happened, without the name of the site. */
export function titleWithout(origin: string, title: string): string {
  return visible(title.startsWith(`${origin}: `) ? title.slice(origin.length + 2) : title, 300);
}

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const SHORT = new Intl.DateTimeFormat(undefined, {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});

/** A moment; a dash if there is none. */
export function Moment({ at }: { readonly at: string | null }): JSX.Element {
  if (at === null || Number.isNaN(Date.parse(at))) return <span>–</span>;
  return <time dateTime={at}>{FORMAT.format(Date.parse(at))}</time>;
}

/** A moment for a scale. */
export function shortMoment(at: number): string {
  return SHORT.format(at);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A number of whole days, hours or minutes. */
export function lengthOf(milliseconds: number): { readonly count: number; readonly unit: string } {
  const [unit, length] = UNITS.find(([, each]) => milliseconds % each === 0) ?? (['minute', 60_000] as const);
  return { count: Math.round(milliseconds / length), unit };
}

/** Milliseconds of such a number; NaN if there is no such unit. */
export function millisecondsOf(count: number, unit: string): number {
  return count * (UNITS.find(([name]) => name === unit)?.[1] ?? Number.NaN);
}

/** "1 hour", "15 minutes". */
export function lengthInWords(milliseconds: number): string {
  const { count, unit } = lengthOf(milliseconds);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
