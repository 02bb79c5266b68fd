// Public keys of agents: JSON Web Key Sets, as a directory has them (draft-ietf-webbotauth-httpsig-protocol-01 section 5.5), by their
// thumbprints (RFC 7638, RFC 8037).
import { constants, createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { isObject } from '@maycrawl/core/internal';

/** Maximum size of a directory in bytes. */
export const MAX_DIRECTORY_BYTES = 262_144;
/** Maximum number of keys of a directory. */
export const MAX_DIRECTORY_KEYS = 100;
const MIN_RSA_BITS = 2048;

/** The keys of RFC 9421 appendix B.1, whose private parts are published, by their thumbprints. */
const TEST_KEYS: ReadonlySet<string> = new Set([
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
  'xmaFHJ8ZQVk1wX6Y8yMIMFTA6zgsNDsTNOUNrHbhLhw',
]);

/** Algorithms of signatures (RFC 9421 section 6.2). A shared secret is not one of them. */
type SignatureAlgorithm = 'ed25519' | 'rsa-pss-sha512' | 'ecdsa-p256-sha256';

/** A public key. */
export interface PublicKey {
  readonly key: KeyObject;
  readonly algorithm: SignatureAlgorithm;
  /** From when and until when it is valid, in milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Public keys by their thumbprints. */
export type KeyDirectory = ReadonlyMap<string, PublicKey>;

/** Required members of a key by its type, in the order of their names (RFC 7638 section 3.2, RFC 8037 section 2). */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
  EC: ['crv', 'kty', 'x', 'y'],
};

/**
 * Parses a directory. Keys of other types, invalid ones and those of RFC 9421 are ignored.
 *
 * @returns `undefined` if the content is no JSON Web Key Set, or has too many keys.
 */
export function parseKeyDirectory(bytes: Uint8Array): KeyDirectory | undefined {
  if (bytes.length > MAX_DIRECTORY_BYTES) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
  const keys = isObject(value) ? value['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length > MAX_DIRECTORY_KEYS) return undefined;
  const directory = new Map<string, PublicKey>();
  for (const each of keys) {
    if (!isObject(each)) continue;
    const thumbprint = getThumbprint(each);
    const key = thumbprint === undefined || isTestKey(thumbprint) ? undefined : toPublicKey(each);
    if (thumbprint !== undefined && key !== undefined) directory.set(thumbprint, key);
  }
  return directory;
}

/** Computes the SHA-256 thumbprint of a JSON Web Key in base64url. @returns `undefined` if the key is of another type. */
export function getThumbprint(key: Readonly<Record<string, unknown>>): string | undefined {
  const { kty } = key;
  const names = typeof kty === 'string' && Object.hasOwn(MEMBERS, kty) ? MEMBERS[kty] : undefined;
  if (names?.every((name) => typeof key[name] === 'string') !== true) return undefined;
  const members = Object.fromEntries(names.map((name) => [name, key[name]]));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}

/** Converts a JSON Web Key. @returns `undefined` if it is invalid, of another type, or too short. */
export function toPublicKey(jwk: Readonly<Record<string, unknown>>): PublicKey | undefined {
  const algorithm = getAlgorithm(jwk);
  if (algorithm === undefined) return undefined;
  const names = MEMBERS[jwk['kty'] as string] ?? [];
  const members = Object.fromEntries(names.map((name) => [name, jwk[name]])) as JsonWebKey;
  try {
    const key = createPublicKey({ key: members, format: 'jwk' });
    if (algorithm === 'rsa-pss-sha512' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS)
      return undefined;
    return { key, algorithm, ...readKeyTimes(jwk) };
  } catch {
    return undefined;
  }
}

/** Reads from when and until when a key is valid, in milliseconds since 1970. */
export function readKeyTimes({
  nbf,
  exp,
}: Readonly<Record<string, unknown>>): Pick<PublicKey, 'notBefore' | 'notAfter'> {
  return {
    notBefore: typeof nbf === 'number' ? nbf * 1000 : Number.NEGATIVE_INFINITY,
    notAfter: typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY,
  };
}

/** Checks whether a key is one of RFC 9421, whose private parts are published. */
export function isTestKey(thumbprint: string): boolean {
  return TEST_KEYS.has(thumbprint);
}

/** Verifies a signature. */
export function verifyWithKey({ key, algorithm }: PublicKey, data: string, signature: Uint8Array): boolean {
  const bytes = Buffer.from(data);
  if (algorithm === 'ed25519') return verify(null, bytes, key, signature);
  if (algorithm === 'ecdsa-p256-sha256')
    return verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return verify('sha512', bytes, { key, padding, saltLength: 64 }, signature);
}

function getAlgorithm({ kty, crv, use }: Readonly<Record<string, unknown>>): SignatureAlgorithm | undefined {
  if (use !== undefined && use !== 'sig') return undefined;
  if (kty === 'OKP' && crv === 'Ed25519') return 'ed25519';
  if (kty === 'EC' && crv === 'P-256') return 'ecdsa-p256-sha256';
  return kty === 'RSA' ? 'rsa-pss-sha512' : undefined;
}
