// Private keys that sign requests: Ed25519, as node:crypto, PEM or a JSON Web Key has them (RFC 8037).
import { createPrivateKey, createPublicKey, type JsonWebKey, KeyObject } from 'node:crypto';
import { quoteValue } from '@maycrawl/core/internal';
import { getThumbprint, isTestKey, readKeyTimes } from './key-directory.ts';

/** A private Ed25519 key: a JSON Web Key, whose `nbf` and `exp` limit its use, the text of a PEM file, or a key of `node:crypto`. */
export type SigningKeyInput = JsonWebKey | KeyObject | string;

/** Where keys are from that change while a process runs. */
export interface SigningKeySource {
  /** Returns the key that signs now. It is called for each request. */
  current(): SigningKeyInput;
}

/** A key that can sign. */
export interface SigningKey {
  readonly key: KeyObject;
  /** The thumbprint of the public key (RFC 7638). */
  readonly id: string;
  /** From when and until when it is valid, in milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * Converts a private key.
 *
 * @throws {TypeError} if it is of another type, cannot be read, is public, or is one of RFC 9421, whose private parts are published. The
 *   message never has a part of the key.
 */
export function toSigningKey(input: SigningKeyInput): SigningKey {
  const key = toKeyObject(input);
  if (key.type !== 'private' || key.asymmetricKeyType !== 'ed25519')
    throw new TypeError(
      `not a private Ed25519 key: the key is ${key.asymmetricKeyType ?? key.type}, ${key.type}`,
    );
  const id = getThumbprint(createPublicKey(key).export({ format: 'jwk' })) as string;
  if (isTestKey(id)) throw new TypeError('the key is a test key of RFC 9421, which anyone can sign with');
  const times = input instanceof KeyObject || typeof input === 'string' ? {} : input;
  return { key, id, ...readKeyTimes(times) };
}

function toKeyObject(input: SigningKeyInput): KeyObject {
  if (input instanceof KeyObject) return input;
  if (typeof input !== 'string' && (typeof input !== 'object' || input === null))
    throw new TypeError(`not a private key: ${quoteValue(input)}`);
  try {
    return createPrivateKey(typeof input === 'string' ? input : { key: input, format: 'jwk' });
  } catch (cause) {
    const what = typeof input === 'string' ? 'PEM' : 'a JSON Web Key';
    throw new TypeError(`not a private Ed25519 key: it cannot be read as ${what}`, { cause });
  }
}
