/**
 * What must not be shown: whatever others say about a delivery may quote it.
 *
 * @module
 */
import { parseUrl } from '@maycrawl/core/url';
import { type DirectTarget, decoded, type Environment } from './target.ts';

/** The variables that hold secrets of deliveries. */
export const SECRET_VARIABLES = ['MAYCRAWL_SMTP_URL', 'MAYCRAWL_WEBHOOK_SECRET'] as const;

/** Shorter ones are in every other word. */
const MIN_LENGTH = 4;

/** The secrets of a delivery, in each spelling in which they may turn up. */
export function secretsOf(target: DirectTarget, environment: Environment): string[] {
  const texts = SECRET_VARIABLES.flatMap((name) => environment[name] ?? []);
  const smtp = environment['MAYCRAWL_SMTP_URL'] ?? '';
  const server = parseUrl(smtp);
  if (server !== undefined) texts.push(server.username, server.password);
  if (target.kind === 'exec') texts.push(...target.command.slice(1));
  if (target.kind === 'webhook' || target.kind === 'slack') texts.push(...partsOf(new URL(target.url)));
  const spellings = texts.flatMap((text) => [
    text,
    decoded(text) ?? '',
    encodeURIComponent(wellFormed(text)),
  ]);
  return [...new Set(spellings)].filter(({ length }) => length >= MIN_LENGTH);
}

/** The same text without secrets. */
export function redact(text: string, secrets: readonly string[]): string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((result, secret) => result.replaceAll(secret, '[redacted]'), text);
}

function partsOf({ href, pathname, search, username, password, searchParams }: URL): string[] {
  return [href, pathname + search, ...pathname.split('/'), ...searchParams.values(), username, password];
}

/** Without halves of surrogate pairs, of which there is no encoding. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
