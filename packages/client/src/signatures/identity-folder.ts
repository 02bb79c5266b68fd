// The folder of an identity, which `maycrawl identity init` writes: `identity.json` has the agent, and each file in `keys` has a private key
// as a JSON Web Key. Its functions read files synchronously: they are small, and a signature needs a key now.
import type { JsonWebKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkOptions } from '@maycrawl/core/internal';
import { CodedError } from '../coded-error.ts';
import type { SignatureOptions } from './request-signer.ts';
import { toAgentOrigin } from './signature-agent.ts';
import { type SigningKey, toSigningKey } from './signing-key.ts';

/** The file with the agent. */
export const IDENTITY_FILE = 'identity.json';
/** The folder with the private keys. */
export const KEYS_FOLDER = 'keys';

const MAX_BYTES = 65_536;
const MAX_KEYS = 100;
/** How long the keys of a folder are used before they are read again, in milliseconds. */
const LIFETIME = 60_000;

/** The folder of an identity cannot be used. The message is one line. */
export class IdentityError extends CodedError<'invalid-identity'> {
  override readonly name = 'IdentityError';
}

/** A private key of a folder. */
export interface StoredKey extends SigningKey {
  /** The name of its file. */
  readonly file: string;
  readonly jwk: JsonWebKey;
}

/** The identity in a folder. */
export interface StoredIdentity {
  /** The origin of the agent, such as `https://bot.example`. */
  readonly agent: string;
  /** The key whose use begins first comes first. */
  readonly keys: readonly StoredKey[];
}

/** How an identity is opened. */
export interface OpenIdentityOptions {
  /** The time in milliseconds since 1970, by which keys are chosen. @defaultValue the time of the system */
  readonly now?: () => number;
}

/**
 * Opens the folder of an identity, for the option `signature`. Of several keys that are valid, the one whose use began last signs. The folder is
 * read again every minute, so keys that `maycrawl identity rotate` adds and removes need no restart. While it cannot be read, the keys that
 * were read last continue to sign.
 *
 * @throws {IdentityError} if the folder cannot be read, or has no valid key.
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 * @example
 * import { openIdentity, RobotsClient } from '@maycrawl/client';
 *
 * const client = new RobotsClient({
 *   agent: 'MyBot',
 *   userAgent: 'MyBot/1.0 (+https://bot.example)',
 *   signature: openIdentity('identity'),
 * });
 */
export function openIdentity(
  folder: string,
  options: OpenIdentityOptions = {},
): Pick<SignatureOptions, 'agent' | 'key'> {
  checkOptions<OpenIdentityOptions>('openIdentity', options, { now: 'function' });
  const { now = Date.now } = options;
  const { agent, keys: first } = readIdentity(folder);
  let [keys, readAt] = [first, now()];
  const current = (): StoredKey['key'] => {
    const time = now();
    // A clock that goes back is a reason to read, too.
    if (Math.abs(time - readAt) >= LIFETIME) {
      readAt = time;
      keys = readKeysAgain(folder) ?? keys;
    }
    return requireCurrentKey(keys, time).key;
  };
  current();
  return Object.freeze({ agent, key: Object.freeze({ current }) });
}

/** Returns the key that signs at a time. @throws {IdentityError} if no key is valid then. */
function requireCurrentKey(keys: readonly StoredKey[], time: number): StoredKey {
  const key = keys.findLast(({ notBefore, notAfter }) => time >= notBefore && time < notAfter);
  if (key === undefined) throw new IdentityError('invalid-identity', 'no key of the identity is valid now');
  return key;
}

function readKeysAgain(folder: string): readonly StoredKey[] | undefined {
  try {
    return readIdentity(folder).keys;
  } catch (error) {
    if (error instanceof IdentityError) return undefined;
    throw error;
  }
}

/** Reads the folder of an identity. @throws {IdentityError} if it, or one of its files, cannot be read. */
export function readIdentity(folder: string): StoredIdentity {
  const { agent } = readObject(folder, IDENTITY_FILE);
  const origin = typeof agent === 'string' ? toAgentOrigin(agent) : undefined;
  if (origin === undefined) throw createError(`${IDENTITY_FILE} has no agent that is an https origin`);
  const names = readSafely(KEYS_FOLDER, () => readdirSync(join(folder, KEYS_FOLDER)));
  // Other files are not keys: an unfinished one of a writer, for example.
  const files = names.filter((name) => name.endsWith('.json'));
  if (files.length > MAX_KEYS) throw createError(`${KEYS_FOLDER} has more than ${MAX_KEYS} files`);
  const keys = files.map((name) => readKey(folder, name));
  return { agent: origin, keys: keys.sort((a, b) => compare(a.notBefore, b.notBefore)) };
}

function readKey(folder: string, file: string): StoredKey {
  const jwk = readObject(folder, join(KEYS_FOLDER, file)) as JsonWebKey;
  try {
    return { file, jwk, ...toSigningKey(jwk) };
  } catch (cause) {
    throw createError(`${KEYS_FOLDER}/${file}: ${(cause as Error).message}`, cause);
  }
}

function readObject(folder: string, name: string): Readonly<Record<string, unknown>> {
  const bytes = readSafely(name, () => readFileSync(join(folder, name)));
  let value: unknown;
  try {
    value = bytes.length > MAX_BYTES ? undefined : JSON.parse(bytes.toString());
  } catch {
    // Its message would have a part of the file.
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw createError(`${name} is no JSON object`);
  return value as Readonly<Record<string, unknown>>;
}

function readSafely<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { code = 'an error of the system' } = cause as NodeJS.ErrnoException;
    throw createError(code === 'ENOENT' ? `it has no ${name}` : `${name} cannot be read: ${code}`, cause);
  }
}

function createError(problem: string, cause?: unknown): IdentityError {
  return new IdentityError('invalid-identity', `not the folder of an identity: ${problem}`, { cause });
}

/** Compares times, which can be infinite. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
