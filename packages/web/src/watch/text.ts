// The phrases and sentences of the monitor pages, apart from labels of buttons and fields.
import type { PolicyCode } from '@maycrawl/core';
import { ASPECTS, type Aspect, formatDuration, type WatchJson } from 'maycrawl/api';
import { formatCount, formatNumber } from '../shared/text.ts';
import { visible } from '../shared/visible.ts';

/** The effective policy of a site. */
export const POLICY_LABELS: Readonly<Record<PolicyCode, string>> = {
  unknown: 'not known yet',
  rules: 'rules apply',
  unavailable: 'all allowed: no file',
  unreachable: 'all disallowed: unreachable',
  'outage-expired': 'all allowed: long outage',
};

const CONDITIONS: Readonly<Record<NonNullable<WatchJson<'Version'>['condition']>, string>> = {
  text: 'a file',
  html: 'an HTML page',
  'utf-16': 'a file in UTF-16',
  empty: 'an empty file',
};

/** "a file of 1,234 bytes, the same as version 3", "no file (status 404)", "unreachable (timeout)" */
export function describeResult({
  kind,
  bytes,
  status,
  message,
  condition = 'text',
  sameAs = null,
}: Pick<WatchJson<'Version'>, 'kind' | 'bytes' | 'status' | 'message' | 'condition' | 'sameAs'>): string {
  if (kind === 'successful') {
    const same = sameAs === null ? '' : `, the same as version ${sameAs}`;
    return `${CONDITIONS[condition]}${bytes === null ? '' : ` of ${formatCount(bytes, 'byte')}`}${same}`;
  }
  const details = visible(message ?? (status === null ? '' : `status ${status}`), 120);
  return `${kind === 'unavailable' ? 'no file' : 'unreachable'}${details === '' ? '' : ` (${details})`}`;
}

/** The title of an event, without the origin at its beginning. */
export function formatTitle({ origin, title }: Pick<WatchJson<'Event'>, 'origin' | 'title'>): string {
  return visible(title.startsWith(`${origin}: `) ? title.slice(origin.length + 2) : title, 300);
}

/** "121 sites watched, 3 checks due, 1 notification waiting" */
export function summariseSites({ total, due, waiting, dropped }: WatchJson<'Sites'>): string {
  const parts = [`${formatCount(total, 'site')} watched`, `${formatCount(due, 'check')} due`];
  if (waiting > 0) parts.push(`${formatCount(waiting, 'notification')} waiting`);
  if (dropped > 0) parts.push(`${formatCount(dropped, 'notification')} given up`);
  return parts.join(', ');
}

/** What a target receives, by the least severity of events. */
export const THRESHOLDS: Readonly<Record<WatchJson<'Severity'>, string>> = {
  info: 'all events',
  warning: 'warnings and errors',
  error: 'errors only',
};

function describeTarget({ shown, from }: WatchJson<'ShownTarget'>): string {
  return from === 'info' ? shown : `${shown} (${THRESHOLDS[from]})`;
}

/** Names and values of settings. */
export function describeSettings({
  every,
  confirm,
  agents,
  urls,
  tests,
  notify,
  severity,
}: WatchJson<'ShownSettings'>): readonly (readonly [name: string, value: string])[] {
  return [
    ['Check interval', formatDuration(every)],
    [
      'A failure is confirmed',
      confirm === 0 ? 'not: it is reported immediately' : `after ${formatDuration(confirm)}`,
    ],
    ['Crawlers', agents.length === 0 ? 'all' : agents.join(', ')],
    ['URLs', urls ?? 'none'],
    ['Expectations', tests ?? 'none'],
    ['Notifications', notify.length === 0 ? 'none' : notify.map(describeTarget).join(', ')],
    ...Object.entries(severity).map(([aspect, value]) => {
      // A service may store aspects of an earlier release.
      const label = ASPECTS[aspect as Aspect]?.label ?? aspect;
      return [`Severity: ${label}`, value] as const;
    }),
  ];
}

/** "Googlebot may fetch 3 of 4 URLs now", without the name. */
export function describeAllowed(allowed: number, counted: number): string {
  return `may fetch ${formatNumber(allowed)} of ${formatCount(counted, 'URL')} now`;
}

const SHORT_MOMENT = new Intl.DateTimeFormat(undefined, {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});

/** A date and a time without the year, for the scale of a drawing. @param time - milliseconds since 1970. */
export function formatTick(time: number): string {
  return SHORT_MOMENT.format(time);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The largest unit of which a duration is a multiple; otherwise seconds. */
export function splitDuration(milliseconds: number): { readonly count: number; readonly unit: string } {
  const [unit, length] = UNITS.find(([, each]) => milliseconds % each === 0) ?? (['second', 1_000] as const);
  return { count: Math.round(milliseconds / length), unit };
}

/** Milliseconds of a number of units; NaN if there is no such unit. */
export function toMilliseconds(count: number, unit: string): number {
  return count * (UNITS.find(([name]) => name === unit)?.[1] ?? Number.NaN);
}
