// Targets of notifications. Each is one text (docs/watch.md).
import { parseUrl } from '@maycrawl/core/url';
import { isSealed } from '../../../secrets/secret-box.ts';
import { plainLine } from '../../plain.ts';
import { splitCommand } from './command-words.ts';
import { TargetError } from './target-error.ts';

/** A target without a reference to a variable. */
export type DirectTarget =
  | { readonly kind: 'webhook' | 'slack'; readonly url: string }
  | { readonly kind: 'mail'; readonly address: string }
  | { readonly kind: 'exec'; readonly command: readonly [program: string, ...args: string[]] }
  | { readonly kind: 'feed'; readonly path: string }
  | { readonly kind: 'log' };

/** A target, or the name of the environment variable that contains it. */
export type Target = DirectTarget | { readonly kind: 'env'; readonly name: string };

/** Variables of an environment, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const FORMS = 'https://…, slack:https://…, mailto:…, exec:…, feed:…, log or env:NAME';

/** A local part without quotes, and a domain or an address literal. */
const ADDRESS = /^[^\s\p{C}@<>()[\],;:\\"]{1,64}@[^\s\p{C}@<>(),;\\"]{1,190}$/u;

/** Whether a text is exactly one mail address. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/**
 * Parses a target.
 *
 * @throws {TargetError} if the text is not a target.
 */
export function parseTarget(text: string): Target {
  if (text === 'log') return { kind: 'log' };
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/is.exec(text) ?? [];
  switch (scheme.toLowerCase()) {
    case 'http':
    case 'https':
      return { kind: 'webhook', url: parseWebhookUrl(text) };
    case 'slack':
      return { kind: 'slack', url: parseWebhookUrl(rest) };
    case 'mailto':
      return { kind: 'mail', address: parseAddress(rest) };
    case 'exec':
      return { kind: 'exec', command: splitCommand(rest) };
    case 'feed':
      return { kind: 'feed', path: parsePath(rest) };
    case 'env':
      return { kind: 'env', name: parseVariable(rest) };
    default:
      throw new TargetError('unknown-target', `not a target: write ${FORMS}`);
  }
}

/**
 * Returns the target itself, from its variable if it has one.
 *
 * @throws {TargetError} if the variable is not set, or does not contain a target.
 */
export function resolveTarget(target: Target, environment: Environment): DirectTarget {
  if (target.kind !== 'env') return target;
  const { name } = target;
  const text = environment[name];
  if (!text)
    throw new TargetError(
      'missing-variable',
      `the environment variable ${name} is not set: give it a target, ${FORMS}`,
    );
  const resolved = parseIn(name, text);
  if (resolved.kind === 'env')
    throw new TargetError(
      'invalid-variable',
      `the environment variable ${name} names another one: write the target itself`,
    );
  return resolved;
}

function parseIn(name: string, text: string): Target {
  try {
    return parseTarget(text);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    throw new TargetError(error.code, `in the environment variable ${name}: ${error.message}`);
  }
}

/**
 * Describes a target for logs, exports and pages, without its secrets.
 *
 * @param text - any text. One that is not a target is not shown.
 */
export function describeTarget(text: string): string {
  if (isSealed(text)) return '(sealed with another key)';
  let target: Target;
  try {
    target = parseTarget(text);
  } catch {
    return '(no target)';
  }
  switch (target.kind) {
    case 'webhook':
      return describeUrl(target.url);
    case 'slack':
      return `slack:${describeUrl(target.url)}`;
    case 'mail':
      return `mailto:${target.address}`;
    case 'exec':
      return `exec:${plainLine(target.command[0], 200)}${target.command.length > 1 ? ' …' : ''}`;
    case 'feed':
      return `feed:${plainLine(target.path, 1000)}`;
    case 'env':
      return `env:${target.name}`;
    case 'log':
      return 'log';
  }
}

function describeUrl(url: string): string {
  return `${new URL(url).origin}/…`;
}

function parseWebhookUrl(text: string): string {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined || decodePercent(url.username + url.password) === undefined)
    throw new TargetError('invalid-url', 'the URL of the webhook is invalid: write https://HOST/PATH');
  return url.href;
}

function parseAddress(text: string): string {
  const address = decodePercent(text);
  if (address === undefined || !isAddress(address))
    throw new TargetError('invalid-address', 'mailto: takes one address and nothing else: mailto:NAME@HOST');
  return address;
}

/** Percent-decodes a text; `undefined` if the encoding is malformed. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function parsePath(text: string): string {
  if (text === '' || text.includes('\0') || text.endsWith('/'))
    throw new TargetError('invalid-path', 'feed: takes the path of a file: feed:PATH');
  return text;
}

function parseVariable(text: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(text))
    throw new TargetError('invalid-variable', 'env: takes the name of an environment variable: env:NAME');
  return text;
}
