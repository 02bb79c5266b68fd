// Checks the signatures of a directory (draft-ietf-webbotauth-httpsig-protocol-01 appendix B.1).
import { createHash } from 'node:crypto';
import {
  buildSignatureBase,
  type ComponentReader,
  DIRECTORY_TAG,
  type InnerList,
  isInnerList,
  type PublicKey,
  parseDictionary,
  verifyWithKey,
} from '@maycrawl/client/internal';
import type { DocumentResponse } from '../documents/document-requests.ts';
import type { CheckedKey } from './check-key.ts';
import { createFinding, type IdentityFinding } from './findings.ts';
import { getHeader } from './json-document.ts';

/** Signatures of one response that are verified. */
const MAX_SIGNATURES = 20;
/** What expires within a week is a finding. Milliseconds. */
export const SOON: number = 7 * 86_400_000;
const HASHES: readonly (readonly [name: string, hash: string])[] = [
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
];

/** Checks the signatures of a response. @param now - milliseconds since 1970. */
export function checkSignatures(
  response: DocumentResponse,
  keys: readonly CheckedKey[],
  now: number,
): IdentityFinding[] {
  const [input, signature] = ['signature-input', 'signature'].map((name) =>
    getHeader(response.headers, name),
  );
  const usable = keys.flatMap(({ id, key }): [string, PublicKey][] => (key === null ? [] : [[id, key]]));
  const findings: IdentityFinding[] = [];
  const verified = new Set<string>();
  const add = (detail: string): void => {
    findings.push(createFinding('invalid-signature', 'directory', detail));
  };
  const inputs = parseDictionary(input ?? '');
  const signatures = parseDictionary(signature ?? '');
  if (inputs === undefined || signatures === undefined) add('the fields cannot be read');
  for (const [label, member] of [...(inputs ?? [])].slice(0, MAX_SIGNATURES)) {
    if (!isInnerList(member) || member.parameters.get('tag')?.value !== DIRECTORY_TAG) continue;
    const signed = signatures?.get(label);
    const bytes =
      signed !== undefined && !isInnerList(signed) && signed.bare.kind === 'bytes'
        ? signed.bare.value
        : undefined;
    const id = member.parameters.get('keyid')?.value;
    const key = usable.find(([each]) => each === id)?.[1];
    const problem =
      bytes === undefined
        ? 'it has no bytes'
        : key === undefined
          ? 'its key is not in the directory'
          : verify(response, member, bytes as Uint8Array, key, now);
    if (problem !== undefined) add(`${label}: ${problem}`);
    else {
      verified.add(id as string);
      findings.push(...listNotes(label, member, now));
    }
  }
  for (const [id] of usable) if (!verified.has(id)) findings.push(createFinding('unsigned-key', id));
  return findings;
}

/** What is unwise about a valid signature. */
function listNotes(label: string, { items, parameters }: InnerList, now: number): IdentityFinding[] {
  const coversContent = items.some(({ bare }) => bare.value === 'content-digest');
  const expires = (parameters.get('expires')?.value as number) * 1000;
  return [
    ...(coversContent ? [] : [createFinding('signature-without-digest', 'directory', label)]),
    ...(expires - now < SOON ? [createFinding('signature-expires-soon', 'directory', label)] : []),
  ];
}

/** @returns why a signature is not valid; `undefined` if it is. */
function verify(
  response: DocumentResponse,
  input: InnerList,
  bytes: Uint8Array,
  key: PublicKey,
  now: number,
): string | undefined {
  const [created, expires] = ['created', 'expires'].map((name) => input.parameters.get(name));
  if (created?.kind !== 'integer' || expires?.kind !== 'integer') return 'it lacks created or expires';
  if ((created.value as number) * 1000 > now) return 'it was created in the future';
  if ((expires.value as number) * 1000 <= now) return 'it has expired';
  const names = input.items.map(({ bare }) => bare.value);
  if (!names.includes('@authority')) return 'it does not cover the authority';
  const base = buildSignatureBase(input, createReader(response));
  if (base === undefined) return 'it covers a component that is not there, or cannot be checked';
  if (!verifyWithKey(key, base, bytes)) return 'it does not verify with its key';
  return names.includes('content-digest') && !hasDigest(response)
    ? 'Content-Digest is not that of the content'
    : undefined;
}

function createReader({ url, status, headers }: DocumentResponse): ComponentReader {
  return (name, { parameters }) => {
    const isOfRequest = parameters.size === 1 && parameters.get('req')?.value === true;
    if (name === '@authority') return isOfRequest ? new URL(url).host : undefined;
    if (parameters.size > 0) return undefined;
    return name === '@status' ? String(status) : getHeader(headers, name)?.trim();
  };
}

/** Whether Content-Digest is that of the body (RFC 9530), of which all known digests must agree. */
function hasDigest({ headers, body }: DocumentResponse): boolean {
  const digests = parseDictionary(getHeader(headers, 'content-digest') ?? '');
  const known = HASHES.flatMap(([name, hash]) => {
    const member = digests?.get(name);
    return member === undefined || isInnerList(member) ? [] : [[member.bare, hash] as const];
  });
  return (
    known.length > 0 &&
    known.every(([{ kind, value }, hash]) => {
      const digest = createHash(hash).update(body).digest();
      return kind === 'bytes' && digest.equals(value as Uint8Array);
    })
  );
}
