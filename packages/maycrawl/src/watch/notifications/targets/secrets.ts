// The secrets of deliveries, and their removal from texts of other programs, which may quote them.
import { parseUrl } from '@maycrawl/core/url';
import { type DirectTarget, decodePercent, type Environment } from './target.ts';

/** The variables with secrets of deliveries. */
export const SECRET_VARIABLES = [
  'MAYCRAWL_SMTP_URL',
  'MAYCRAWL_WEBHOOK_SECRET',
  'MAYCRAWL_SECRET_KEY',
] as const;

/** Shorter secrets would match parts of words. */
const MIN_LENGTH = 4;

/** Returns the secrets of a delivery, in all encodings in which they may appear. */
export function getSecrets(target: DirectTarget, environment: Environment): string[] {
  const texts = SECRET_VARIABLES.flatMap((name) => environment[name] ?? []);
  const smtp = environment['MAYCRAWL_SMTP_URL'] ?? '';
  const server = parseUrl(smtp);
  if (server !== undefined) texts.push(server.username, server.password);
  if (target.kind === 'exec') texts.push(...target.command.slice(1));
  if (target.kind === 'webhook' || target.kind === 'slack') texts.push(...getParts(new URL(target.url)));
  const spellings = texts.flatMap((text) => [
    text,
    decodePercent(text) ?? '',
    encodeURIComponent(toWellFormed(text)),
  ]);
  return [...new Set(spellings)].filter(({ length }) => length >= MIN_LENGTH);
}

/** Replaces the secrets in a text. */
export function redact(text: string, secrets: readonly string[]): string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((result, secret) => result.replaceAll(secret, '[redacted]'), text);
}

function getParts({ href, pathname, search, username, password, searchParams }: URL): string[] {
  return [href, pathname + search, ...pathname.split('/'), ...searchParams.values(), username, password];
}

/** Replaces halves of surrogate pairs, which `encodeURIComponent` refuses. */
function toWellFormed(text: string): string {
  return Buffer.from(text).toString();
}
