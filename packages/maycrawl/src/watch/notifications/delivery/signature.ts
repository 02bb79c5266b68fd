/**
 * The signature of a webhook: that a message comes from who has the secret, and was sent just now. For receivers this is
 * `maycrawl/webhook`.
 *
 * @module
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** How old a message may be, or its sender's clock be wrong, in milliseconds. */
const TOLERANCE = 300_000;

/**
 * The Maycrawl-Signature header: `t=UNIXSECONDS,v1=HEX`, HMAC-SHA256 over the time, a dot and the body.
 *
 * @param now - milliseconds since 1970.
 */
export function signBody(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  return `t=${seconds},v1=${hmac(`${seconds}.`, body, secret).toString('hex')}`;
}

/**
 * Whether a message is the sender's, for receivers. It takes the same time for every wrong signature.
 *
 * @param header - the Maycrawl-Signature header; without one it is nobody's message.
 * @param body - as it was received, before it is parsed.
 * @param now - milliseconds since 1970; the time if left out.
 * @param tolerance - milliseconds that the message may be older or younger than now.
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
