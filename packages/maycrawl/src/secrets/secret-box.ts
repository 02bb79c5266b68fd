// Secrets in a database, sealed with AES-256-GCM (NIST SP 800-38D). The nonce is synthetic: it is derived from the secret with HMAC-SHA-256
// (as in SIV modes, RFC 5297). So a secret has the same sealed form each time, and a sealed target can be a key of a table. Who reads the
// database learns which secrets are equal, and how long they are.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { SecretError } from './secret-error.ts';

/** A sealed secret begins with this. */
/** How a sealed secret starts. */
export const SEALED_PREFIX = 'sealed:v1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Seals secrets, and opens what it has sealed. */
export class SecretBox {
  readonly #cipherKey: Buffer;
  readonly #nonceKey: Buffer;

  /**
   * @param key - 32 random bytes.
   * @throws {SecretError} if it has another length.
   */
  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES)
      throw new SecretError('invalid-key', `a key has ${KEY_BYTES} bytes, not ${key.length}`);
    const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
    this.#cipherKey = derive('maycrawl secret cipher v1');
    this.#nonceKey = derive('maycrawl secret nonce v1');
  }

  /**
   * Seals a text.
   *
   * @param context - what it belongs to, such as `watch-target`: only with the same context it can be opened.
   * @returns printable ASCII, the same each time.
   */
  seal(secret: string, context: string): string {
    const nonce = createHmac('sha256', this.#nonceKey)
      .update(`${Buffer.byteLength(context)}:${context}`)
      .update(secret)
      .digest()
      .subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#cipherKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${SEALED_PREFIX}${sealed.toString('base64url')}`;
  }

  /**
   * Opens a sealed text.
   *
   * @throws {SecretError} `unreadable-secret`, if it was sealed with another key or context, or was changed.
   */
  open(sealed: string, context: string): string {
    try {
      if (!isSealed(sealed)) throw new Error('it is not sealed');
      const bytes = Buffer.from(sealed.slice(SEALED_PREFIX.length), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', this.#cipherKey, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SecretError(
        'unreadable-secret',
        'a secret in the database was sealed with another key, or is damaged: give the key, or set the secret again',
        { cause },
      );
    }
  }
}

/** Whether a text is a sealed secret; it may still be damaged. */
export function isSealed(text: string): boolean {
  return text.startsWith(SEALED_PREFIX);
}
