// What can be wrong with a deployed identity: each finding is one entry of the table.
import type { Severity } from '@maycrawl/core';

/** The stable code of a finding. */
export type IdentityFindingCode =
  | 'not-https'
  | 'redirect'
  | 'wrong-status'
  | 'wrong-content-type'
  | 'too-large'
  | 'invalid-json'
  | 'no-key-set'
  | 'too-many-keys'
  | 'no-valid-key'
  | 'expires-soon'
  | 'no-cache-control'
  | 'private-key'
  | 'test-key'
  | 'invalid-key'
  | 'unsupported-key'
  | 'duplicate-key'
  | 'wrong-kid'
  | 'no-kid'
  | 'invalid-time'
  | 'time-in-milliseconds'
  | 'expired-key'
  | 'future-key'
  | 'invalid-signature'
  | 'signature-without-digest'
  | 'signature-expires-soon'
  | 'unsigned-key'
  | 'card-unavailable'
  | 'no-card'
  | 'wrong-client-id'
  | 'invalid-card'
  | 'two-key-sets'
  | 'no-key-source'
  | 'other-directory'
  | 'no-promise';

/** All findings: severity and text. */
export const IDENTITY_FINDINGS: Readonly<Record<IdentityFindingCode, readonly [Severity, string]>> = {
  'not-https': ['error', 'verifiers fetch keys over https only'],
  redirect: ['error', 'the response is a redirect, which verifiers do not follow'],
  'wrong-status': ['error', 'the status is not 200'],
  'wrong-content-type': ['error', 'the media type is not the one of such a file'],
  'too-large': ['error', 'the file is larger than verifiers read'],
  'invalid-json': ['error', 'the file is not a JSON object'],
  'no-key-set': ['error', 'the file has no list of keys'],
  'too-many-keys': ['error', 'the directory has more keys than verifiers read'],
  'no-valid-key': ['error', 'no key is valid now, so no signature can be verified'],
  'expires-soon': ['warning', 'no key is valid any more in a week'],
  'no-cache-control': [
    'info',
    'the response has no Cache-Control, so verifiers choose how long they store it',
  ],
  'private-key': ['error', 'the directory publishes a private key: anyone can sign with it, so replace it'],
  'test-key': ['error', 'it is a key of RFC 9421, whose private part is published'],
  'invalid-key': ['error', 'the key cannot be used'],
  'unsupported-key': ['warning', 'the type of the key is not one of this protocol'],
  'duplicate-key': ['warning', 'the directory has the key twice'],
  'wrong-kid': ['error', 'kid is not the thumbprint of the key'],
  'no-kid': ['info', 'the key has no kid'],
  'invalid-time': ['error', 'nbf and exp are no interval of time in seconds'],
  'time-in-milliseconds': ['error', 'nbf or exp is in milliseconds, not in seconds'],
  'expired-key': ['warning', 'the key has expired, so remove it from the directory'],
  'future-key': ['info', 'the key is not valid yet'],
  'invalid-signature': ['error', 'a signature of the directory is not valid'],
  'signature-without-digest': ['warning', 'a signature of the directory does not cover its content'],
  'signature-expires-soon': ['warning', 'a signature of the directory expires within a week'],
  'unsigned-key': ['info', 'the directory has no signature of the key'],
  'card-unavailable': ['warning', 'the card cannot be fetched'],
  'no-card': ['info', 'there is no card at the place where maycrawl writes it'],
  'wrong-client-id': ['error', 'client_id of the card is not its URL'],
  'invalid-card': ['error', 'a member of the card is not as the draft has it'],
  'two-key-sets': ['error', 'the card has both jwks and jwks_uri'],
  'no-key-source': ['warning', 'the card has neither jwks nor jwks_uri'],
  'other-directory': ['warning', 'jwks_uri of the card is not this directory'],
  'no-promise': ['info', 'the card does not say that the crawler obeys robots.txt'],
};

/** Something that is wrong, or worth knowing. */
export interface IdentityFinding {
  readonly code: IdentityFindingCode;
  readonly severity: Severity;
  /** `directory`, `card`, or the thumbprint or number of a key. */
  readonly subject: string;
  readonly text: string;
  /** What was found; `null` if the text says everything. It may have parts that a server sent. */
  readonly detail: string | null;
}

/** Creates a finding. */
export function createFinding(
  code: IdentityFindingCode,
  subject: string,
  detail: string | null = null,
): IdentityFinding {
  const [severity, text] = IDENTITY_FINDINGS[code];
  return { code, severity, subject, text, detail };
}
