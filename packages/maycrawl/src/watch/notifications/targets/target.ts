/**
 * Targets: who is told. Each is one text (docs/watch.md, "A message").
 *
 * @module
 */
import { parseUrl } from '@maycrawl/core/url';
import { isSealed } from '../../../secrets/secret-box.ts';
import { plainLine } from '../messages/plain.ts';
import { splitCommand } from './command-words.ts';
import { TargetError } from './target-error.ts';

/** A target that can be told something. */
export type DirectTarget =
  | { readonly kind: 'webhook' | 'slack'; readonly url: string }
  | { readonly kind: 'mail'; readonly address: string }
  | { readonly kind: 'exec'; readonly command: readonly [program: string, ...args: string[]] }
  | { readonly kind: 'feed'; readonly path: string }
  | { readonly kind: 'log' };

/** A target, or the name of the environment variable that holds it. */
export type Target = DirectTarget | { readonly kind: 'env'; readonly name: string };

/** What an environment is here: `process.env` is one. */
export type Environment = Readonly<Record<string, string | undefined>>;

const FORMS = 'https://…, slack:https://…, mailto:…, exec:…, feed:…, log or env:NAME';

/** A domain or a literal address, behind a local part without quotes. */
const ADDRESS = /^[^\s\p{C}@<>()[\],;:\\"]{1,64}@[^\s\p{C}@<>(),;\\"]{1,190}$/u;

/** Whether a text is one mail address, and nothing else. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/**
 * Reads the text of a target.
 *
 * @throws {TargetError} if it is none.
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
      throw new TargetError('unknown-target', `that is no target: write ${FORMS}`);
  }
}

/**
 * The target itself, where it is kept in the environment.
 *
 * @throws {TargetError} if the variable is not set, or holds no target.
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
  const held = parseIn(name, text);
  if (held.kind === 'env')
    throw new TargetError(
      'invalid-variable',
      `the environment variable ${name} names another one: write the target itself`,
    );
  return held;
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
 * What may be shown of a target, in logs, exports and pages: whom it reaches, and nothing that would let a reader reach them, too.
 *
 * @param text - any text; one that is no target is not shown.
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
  if (url === undefined || decoded(url.username + url.password) === undefined)
    throw new TargetError('invalid-url', 'the URL of the webhook is none: write https://HOST/PATH');
  return url.href;
}

function parseAddress(text: string): string {
  const address = decoded(text);
  if (address === undefined || !isAddress(address))
    throw new TargetError('invalid-address', 'mailto: takes one address and nothing else: mailto:NAME@HOST');
  return address;
}

/** A text without percent-encoding; `undefined` if that is broken. */
export function decoded(text: string): string | undefined {
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
