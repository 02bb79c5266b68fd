/**
 * The signature of a webhook: it proves that the sender has the secret, and when the message was sent. Receivers import it as
 * `maycrawl/webhook`.
 *
 * @module
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The default tolerance for the age of a message and for clocks that differ, in milliseconds. */
const TOLERANCE = 300_000;

/**
 * Returns the Maycrawl-Signature header: `t=UNIXSECONDS,v1=HEX`, HMAC-SHA256 over the time, a dot and the body.
 *
 * @param now - milliseconds since 1970.
 */
export function signBody(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  return `t=${seconds},v1=${hmac(`${seconds}.`, body, secret).toString('hex')}`;
}

/**
 * Whether a signature is valid. The time is the same for every wrong signature.
 *
 * @param header - the Maycrawl-Signature header. Without it the result is `false`.
 * @param body - as it was received, before it is parsed.
 * @param now - milliseconds since 1970. @defaultValue the current time
 * @param tolerance - the largest difference from `now`, in milliseconds. @defaultValue 300,000
 * @example
 * ```ts
 * import { verifySignature } from 'maycrawl/webhook';
 *
 * verifySignature(request.headers['maycrawl-signature'], body, secret);
 * ```
 */
export function verifySignature(
  header: string | null | undefined,
  body: string | Uint8Array,
  secret: string,
  now: number = Date.now(),
  tolerance: number = TOLERANCE,
): boolean {
  const [, seconds = '', signature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (signature === '' || secret === '') return false;
  const isSame = timingSafeEqual(Buffer.from(signature, 'hex'), hmac(`${seconds}.`, body, secret));
  return isSame && Math.abs(now - Number(seconds) * 1000) <= tolerance;
}

function hmac(time: string, body: string | Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update(time).update(body).digest();
}
