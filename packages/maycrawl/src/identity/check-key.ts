// Checks one key of a directory (draft-ietf-webbotauth-httpsig-protocol-01 section 5.5.1).
import { getThumbprint, isTestKey, type PublicKey, toPublicKey } from '@maycrawl/client/internal';
import { isObject } from '@maycrawl/core/internal';
import { createFinding, type IdentityFinding, type IdentityFindingCode } from './findings.ts';
import { quote } from './json-document.ts';

/** A key of a directory. */
export interface CheckedKey {
  /** The thumbprint, or the number of a key that has none. */
  readonly id: string;
  /** `null` if the key cannot be used. */
  readonly key: PublicKey | null;
  readonly findings: readonly IdentityFinding[];
}

/** Members of a JSON Web Key that are secret (RFC 7518 section 6, RFC 8037 section 2). */
const SECRETS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
/** A later time in seconds is one in milliseconds: the year 5138. */
const MAX_SECONDS = 100_000_000_000;

/** Checks a key. @param number - its position in the directory, from 1. @param now - milliseconds since 1970. */
export function checkKey(value: unknown, number: number, now: number): CheckedKey {
  const thumbprint = isObject(value) ? getThumbprint(value) : undefined;
  const id = thumbprint ?? `key ${number}`;
  const findings: IdentityFinding[] = [];
  const add = (code: IdentityFindingCode, detail: string | null = null): void => {
    findings.push(createFinding(code, id, detail));
  };
  if (!isObject(value)) {
    add('invalid-key', 'it is no object');
    return { id, key: null, findings };
  }
  if (SECRETS.some((name) => Object.hasOwn(value, name))) add('private-key');
  const { kty, use, kid, nbf, exp } = value;
  if (thumbprint === undefined) {
    add('unsupported-key', typeof kty === 'string' ? `kty ${quote(kty)}` : 'it has no kty');
    return { id, key: null, findings };
  }
  if (isTestKey(thumbprint)) add('test-key');
  const key = toPublicKey(value) ?? null;
  if (key === null)
    add(
      'invalid-key',
      use === undefined || use === 'sig' ? 'its members are invalid, or it is too short' : 'use is not sig',
    );
  if (kid === undefined) add('no-kid');
  else if (kid !== thumbprint) add('wrong-kid', typeof kid === 'string' ? quote(kid) : 'it is no text');
  const isTime = (time: unknown): boolean =>
    time === undefined || (Number.isInteger(time) && (time as number) >= 0);
  if (!isTime(nbf) || !isTime(exp) || (key !== null && key.notBefore >= key.notAfter)) add('invalid-time');
  else if ([nbf, exp].some((time) => typeof time === 'number' && time > MAX_SECONDS))
    add('time-in-milliseconds');
  else if (key !== null && key.notAfter <= now) add('expired-key');
  else if (key !== null && key.notBefore > now) add('future-key');
  return { id, key: isTestKey(thumbprint) ? null : key, findings };
}
