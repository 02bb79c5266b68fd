// The formats of a message: JSON, plain text, Slack. Text from sites is escaped or marked in each.

import { getWorstSeverity } from '../../../reports/severities.ts';
import { formatCount } from '../../../text/counts.ts';
import { LENGTHS, type Message } from '../../message.ts';
import { plainJson, plainLine, plainLines } from '../../plain.ts';
import type { Severity } from '../../site.ts';

/** Which alerts of a message are shown, and how. */
export interface Summary {
  readonly severity: Severity;
  /** One line. */
  readonly title: string;
  readonly shown: readonly ShownAlert[];
  /** The number of alerts that are not shown. */
  readonly more: number;
}

interface ShownAlert {
  readonly severity: Severity;
  readonly title: string;
  /** Empty if the message has more than `MAX_TEXTS` alerts. */
  readonly text: string;
}

const MAX_SHOWN = 20;
/** The largest number of alerts whose texts are shown. */
const MAX_TEXTS = 5;
/** The largest number of alerts that have texts and details in JSON. */
const MAX_FULL_ALERTS = 50;
/** Slack truncates or splits longer texts. */
const SLACK_LENGTH = 3900;

/** Summarizes a message for people. */
export function summarize({ alerts }: Message): Summary {
  const shown = alerts.slice(0, MAX_SHOWN).map(({ severity, title, text }) => ({
    severity,
    title: plainLine(title, LENGTHS.title) || '(no title)',
    text: alerts.length <= MAX_TEXTS ? plainLines(text, LENGTHS.text) : '',
  }));
  const first = shown[0]?.title ?? 'nothing';
  const sites = new Set(alerts.map(({ origin }) => origin)).size;
  const title =
    alerts.length <= 1
      ? first
      : `${formatCount(alerts.length, 'change')} at ${formatCount(sites, 'site')}, the worst: ${first}`;
  return {
    severity: getWorstSeverity(alerts.map(({ severity }) => severity)),
    title: plainLine(title, LENGTHS.title),
    shown,
    more: alerts.length - shown.length,
  };
}

/** Formats a message for webhooks and programs (docs/watch-messages.md). The text is the same at each attempt. */
export function toJson(message: Message): string {
  const { severity, title } = summarize(message);
  const isFull = message.alerts.length <= MAX_FULL_ALERTS;
  const alerts = message.alerts.map((alert) => ({
    id: alert.id,
    at: new Date(alert.at).toISOString(),
    origin: alert.origin,
    severity: alert.severity,
    title: plainLine(alert.title, LENGTHS.title),
    text: isFull ? plainLines(alert.text, LENGTHS.text) : null,
    version: alert.version,
    details: isFull && JSON.stringify(alert.details).length <= LENGTHS.details ? alert.details : null,
  }));
  return plainJson({ id: message.id, severity, title, alerts });
}

export function toPlainText(message: Message): string {
  const { shown, more } = summarize(message);
  const parts = shown.map(({ severity, title, text }) => `${severity}: ${title}${text && `\n\n${text}`}\n`);
  const between = shown.some(({ text }) => text !== '') ? '\n' : '';
  return `${parts.join(between)}${more > 0 ? `and ${more} more\n` : ''}`;
}

/**
 * Formats a message for Slack. Text from sites is code, without links, mentions or formatting. It has no backtick, which would end the
 * code, and no `<`, `>` or `&`, with which Slack marks links and mentions.
 */
export function toSlackText(message: Message): string {
  const { shown } = summarize(message);
  const count = message.alerts.length;
  let result = count > 1 ? `${count} changes:` : '';
  let shownCount = 0;
  for (const { severity, title, text } of shown) {
    const head = `${result === '' ? '' : '\n'}*${severity}* \`${toSlackCode(title)}\``;
    const block = text === '' ? '' : `\n\`\`\`\n${toSlackCode(text)}\n\`\`\``;
    const part = [head + block, head].find((each) => result.length + each.length <= SLACK_LENGTH);
    if (part === undefined) break;
    result += part;
    shownCount++;
  }
  return shownCount < count ? `${result}\nand ${count - shownCount} more` : result;
}

const SLACK_CODE: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '`': '\\x60',
};

function toSlackCode(text: string): string {
  return text.replace(/[&<>`]/g, (char) => SLACK_CODE[char] as string);
}
