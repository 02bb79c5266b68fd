// Where the key comes from that seals secrets in a database: the environment, or a file beside the database.
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { SecretError } from './secret-error.ts';

/** The variable with the key: 32 bytes in base64 or hexadecimal. */
export const KEY_VARIABLE = 'MAYCRAWL_SECRET_KEY';

const KEY_BYTES = 32;
/** What the key file ends in; the name of the database comes before it. */
const KEY_SUFFIX = '.key';
const OTHERS_AND_GROUP = 0o077;

/**
 * Reads the key from the environment.
 *
 * @returns `undefined` if the variable is not set.
 * @throws {SecretError} if it is no key. The message does not quote it.
 */
export function readKeyVariable(
  environment: Readonly<Record<string, string | undefined>>,
): Buffer | undefined {
  const text = environment[KEY_VARIABLE];
  return text ? parseKey(text, `the environment variable ${KEY_VARIABLE}`) : undefined;
}

/**
 * Reads the key file of a SQLite database, `<database>.key`; creates it with a random key if it does not exist. It is for its owner
 * alone (mode 0600).
 *
 * @throws {SecretError} if it cannot be read or written, is no key, or other users can read it.
 */
export function openKeyFile(database: string): Buffer {
  const path = `${database}${KEY_SUFFIX}`;
  try {
    return createKeyFile(path) ?? readKeyFile(path);
  } catch (cause) {
    if (cause instanceof SecretError) throw cause;
    throw new SecretError('key-unavailable', `cannot use the key file ${path}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** Whether the key file of a SQLite database exists. */
export function hasKeyFile(database: string): boolean {
  return existsSync(`${database}${KEY_SUFFIX}`);
}

/** @returns `undefined` if the file exists. */
function createKeyFile(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  try {
    const key = randomBytes(KEY_BYTES);
    writeSync(file, `${key.toString('base64')}\n`);
    // A secret that was sealed with a key that is lost is lost.
    fsyncSync(file);
    return key;
  } finally {
    closeSync(file);
  }
}

function readKeyFile(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    if (process.platform !== 'win32' && (fstatSync(file).mode & OTHERS_AND_GROUP) !== 0)
      throw new SecretError('key-exposed', `other users can read the key file ${path}: set its mode to 0600`);
    return parseKey(readFileSync(file, 'utf8'), `the key file ${path}`);
  } finally {
    closeSync(file);
  }
}

function parseKey(text: string, place: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length !== KEY_BYTES || !/^[0-9A-Za-z+/_-]+=*$/.test(trimmed))
    throw new SecretError(
      'invalid-key',
      `${place} is no key: it takes 32 random bytes in base64, as "openssl rand -base64 32" prints them`,
    );
  return key;
}
