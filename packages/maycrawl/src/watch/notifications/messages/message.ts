/**
 * What is told (docs/watch.md, "A message"), and what becomes one message.
 *
 * @module
 */
import { SEVERITIES, type Severity } from '../../site.ts';
import { hashOf } from './plain.ts';

/** Something to be told of a site. */
export interface Alert {
  /** Of the event: the same whenever it is told again. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly origin: string;
  readonly severity: Severity;
  /** One line. */
  readonly title: string;
  /** A few lines: examples, what it will come to. */
  readonly text: string;
  /** Of the site's file. */
  readonly version: number | null;
  /** For programs. */
  readonly details: object;
}

/** What is delivered at once: the worst alert first. */
export interface Message {
  /** The same whenever it is delivered again. */
  readonly id: string;
  readonly alerts: readonly Alert[];
}

/** What becomes one message. */
export interface Grouping {
  /** Milliseconds: the alerts of each such span of time are one message. */
  readonly span: number;
  /** More alerts than these are several messages. */
  readonly maxAlerts: number;
}

const GROUPING: Grouping = { span: 60_000, maxAlerts: 1000 };

/** How long what is sent may be, in characters. */
export const LENGTHS = { title: 300, text: 2000, details: 4000 } as const;

/**
 * Messages for one target, in order of time. Alerts with the same id are one. The same alerts make the same messages.
 *
 * @param alerts - all for the same target.
 */
export function groupAlerts(alerts: readonly Alert[], grouping: Grouping = GROUPING): Message[] {
  const unique = [...new Map(alerts.map((alert) => [alert.id, alert])).values()];
  const spans = new Map<number, Alert[]>();
  for (const alert of unique.sort(byTime)) {
    const span = Math.floor(alert.at / grouping.span);
    spans.set(span, [...(spans.get(span) ?? []), alert]);
  }
  return [...spans.values()].flatMap((together) => {
    const sorted = worstFirst(together);
    const messages: Message[] = [];
    for (let from = 0; from < sorted.length; from += grouping.maxAlerts)
      messages.push(messageOf(sorted.slice(from, from + grouping.maxAlerts)));
    return messages;
  });
}

/** Alerts as they are in a message: the worst first, those that are as bad in order of time. */
export function worstFirst(alerts: readonly Alert[]): Alert[] {
  const badnessOf = ({ severity }: Alert): number => SEVERITIES.indexOf(severity);
  return [...alerts].sort((a, b) => badnessOf(b) - badnessOf(a) || byTime(a, b));
}

function byTime(a: Alert, b: Alert): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}

function messageOf(alerts: readonly Alert[]): Message {
  const [first] = alerts as [Alert];
  const ids = alerts.map(({ id }) => id).sort();
  return { id: alerts.length === 1 ? first.id : hashOf(JSON.stringify(ids)), alerts };
}

/** A message that says nothing but that messages arrive. */
export function testMessage(now: number): Message {
  const id = `test-${now}`;
  const title = 'A test message of maycrawl';
  const text = 'Nothing has happened. Messages about robots.txt files will arrive in the same way.';
  const alert = { id, at: now, origin: 'https://example.com', title, text, version: null };
  return { id, alerts: [{ ...alert, severity: 'info', details: { isTest: true } }] };
}
