// Alerts and messages (docs/watch-messages.md), and how alerts are grouped to messages.

import { compareSeverities } from '../reports/severities.ts';
import { hashText } from './plain.ts';
import type { Severity } from './site.ts';

/** One change of a site. */
export interface Alert {
  /** The id of the event. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly origin: string;
  readonly severity: Severity;
  readonly title: string;
  /** Some lines with examples. */
  readonly text: string;
  /** The version of the site's file. */
  readonly version: number | null;
  /** Data for programs. */
  readonly details: object;
}

/** Alerts that are delivered together, the worst first. */
export interface Message {
  /** The same at each attempt. */
  readonly id: string;
  readonly alerts: readonly Alert[];
}

/** The alerts of one such period are one message. Milliseconds. */
const SPAN = 60_000;
/** Maximum number of alerts of a message. */
export const MAX_ALERTS = 1_000;

/** The largest lengths of the parts of a message, in characters. */
export const LENGTHS = { title: 300, text: 2000, details: 4000 } as const;

/**
 * Groups the alerts of one target to messages, in order of time. Alerts with the same id are one. The result depends only on the alerts.
 *
 * @param alerts - all for the same target.
 */
export function groupAlerts(alerts: readonly Alert[]): Message[] {
  const unique = [...new Map(alerts.map((alert) => [alert.id, alert])).values()];
  const spans = new Map<number, Alert[]>();
  for (const alert of unique.sort(byTime)) {
    const span = Math.floor(alert.at / SPAN);
    spans.set(span, [...(spans.get(span) ?? []), alert]);
  }
  return [...spans.values()].flatMap((together) => {
    const sorted = sortBySeverity(together);
    const messages: Message[] = [];
    for (let from = 0; from < sorted.length; from += MAX_ALERTS)
      messages.push(createMessage(sorted.slice(from, from + MAX_ALERTS)));
    return messages;
  });
}

/** Sorts alerts by severity, the worst first, then by time. */
export function sortBySeverity(alerts: readonly Alert[]): Alert[] {
  return [...alerts].sort((a, b) => compareSeverities(a.severity, b.severity) || byTime(a, b));
}

function byTime(a: Alert, b: Alert): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}

function createMessage(alerts: readonly Alert[]): Message {
  const [first] = alerts as [Alert];
  const ids = alerts.map(({ id }) => id).sort();
  return { id: alerts.length === 1 ? first.id : hashText(JSON.stringify(ids)), alerts };
}

/** Creates a test message. @param now - milliseconds since 1970. */
export function createTestMessage(now: number): Message {
  const id = `test-${now}`;
  const title = 'A test message of maycrawl';
  const text = 'Nothing has happened. Messages about robots.txt files will arrive in the same way.';
  const alert = { id, at: now, origin: 'https://example.com', title, text, version: null };
  return { id, alerts: [{ ...alert, severity: 'info', details: { isTest: true } }] };
}
