/**
 * A message as it is sent: in JSON, as plain text, for Slack. What sites have written in it cannot be taken for ours.
 *
 * @module
 */
import { type Severity, worstOf } from '../../site.ts';
import { LENGTHS, type Message } from './message.ts';
import { plainJson, plainLine, plainLines } from './plain.ts';

/** Which alerts of a message are shown, and how. */
export interface Summary {
  readonly severity: Severity;
  /** One line. */
  readonly title: string;
  readonly shown: readonly ShownAlert[];
  /** How many are not shown. */
  readonly more: number;
}

interface ShownAlert {
  readonly severity: Severity;
  readonly title: string;
  /** Empty where there are too many alerts for more than titles. */
  readonly text: string;
}

const MAX_SHOWN = 20;
/** A message of so many alerts shows their texts. */
const MAX_TEXTS = 5;
/** In the JSON of a message of more alerts each has its title alone. */
const MAX_FULL_ALERTS = 50;
/** Slack cuts longer texts, or splits them. */
const SLACK_LENGTH = 3900;

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
      : `${alerts.length} changes at ${sites} ${sites === 1 ? 'site' : 'sites'}, the worst: ${first}`;
  return {
    severity: worstOf(alerts.map(({ severity }) => severity)),
    title: plainLine(title, LENGTHS.title),
    shown,
    more: alerts.length - shown.length,
  };
}

/** A message as webhooks and programs get it (docs/watch-messages.md): the same text whenever it is delivered again. */
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

/** The body of a mail: plain text. */
export function toPlainText(message: Message): string {
  const { shown, more } = summarize(message);
  const parts = shown.map(({ severity, title, text }) => `${severity}: ${title}${text && `\n\n${text}`}\n`);
  const between = shown.some(({ text }) => text !== '') ? '\n' : '';
  return `${parts.join(between)}${more > 0 ? `and ${more} more\n` : ''}`;
}

/**
 * The text of a Slack message. Everything from sites is code in it, where nothing is a link, a mention or formatting; it has no
 * backtick, so that it cannot end the code, and no `<`, `>` or `&`, with which Slack marks links and mentions.
 */
export function toSlackText(message: Message): string {
  const { shown } = summarize(message);
  const count = message.alerts.length;
  let result = count > 1 ? `${count} changes:` : '';
  let told = 0;
  for (const { severity, title, text } of shown) {
    const head = `${result === '' ? '' : '\n'}*${severity}* \`${toSlackCode(title)}\``;
    const block = text === '' ? '' : `\n\`\`\`\n${toSlackCode(text)}\n\`\`\``;
    const part = [head + block, head].find((each) => result.length + each.length <= SLACK_LENGTH);
    if (part === undefined) break;
    result += part;
    told += 1;
  }
  return told < count ? `${result}\nand ${count - told} more` : result;
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
