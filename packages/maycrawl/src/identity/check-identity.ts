// Checks a deployed identity: what verifiers see of it.
import {
  DIRECTORY_PATH,
  DIRECTORY_TYPE,
  MAX_DIRECTORY_BYTES,
  MAX_DIRECTORY_KEYS,
} from '@maycrawl/client/internal';
import {
  DocumentError,
  DocumentRequests,
  type DocumentResponse,
  type NamedDocumentOptions,
} from '../documents/document-requests.ts';
import { type CheckedCard, checkCard, MAX_CARD_BYTES } from './check-card.ts';
import { type CheckedKey, checkKey } from './check-key.ts';
import { checkSignatures, SOON } from './check-signatures.ts';
import { createFinding, type IdentityFinding } from './findings.ts';
import { getHeader, readJsonDocument } from './json-document.ts';
import { CARD_PATH } from './public-files.ts';

const CARD_REQUEST = { maxBytes: MAX_CARD_BYTES, headers: { accept: 'application/json' } };

/** What is checked, and how it is requested. */
export interface CheckIdentityOptions extends NamedDocumentOptions {
  /** The origin of the agent. */
  readonly agent: string;
  /** URL of the card. @defaultValue the path at which `identity init` writes it */
  readonly card?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a check. Times are in milliseconds since 1970, `null` if there is no limit. */
export interface IdentityCheck {
  readonly agent: string;
  /** URL of the directory. */
  readonly directory: string;
  readonly keys: readonly {
    readonly id: string;
    /** `null` if the key cannot be used. */
    readonly algorithm: string | null;
    readonly notBefore: number | null;
    readonly notAfter: number | null;
  }[];
  /** URL of the card; `null` without one. */
  readonly card: string | null;
  readonly findings: readonly IdentityFinding[];
}

/**
 * Checks a deployed identity.
 *
 * @throws {DocumentError} if there is no response to the request for the directory.
 */
export async function checkIdentity(options: CheckIdentityOptions): Promise<IdentityCheck> {
  const { agent, card: cardUrl, now, signal, ...requestOptions } = options;
  const directory = agent + DIRECTORY_PATH;
  const requests = new DocumentRequests(requestOptions);
  try {
    const response = await requests.request(directory, {
      maxBytes: MAX_DIRECTORY_BYTES,
      // The digest is that of the bytes that are sent.
      headers: { accept: DIRECTORY_TYPE, 'accept-encoding': 'identity' },
      signal,
    });
    const { keys, findings } = checkDirectory(response, now);
    const card = await requestOwnCard(requests, cardUrl ?? agent + CARD_PATH, cardUrl === undefined, signal);
    return {
      ...{ agent, directory },
      keys: keys.map(({ id, key }) => ({
        id,
        algorithm: key?.algorithm ?? null,
        notBefore: toTime(key?.notBefore),
        notAfter: toTime(key?.notAfter),
      })),
      card: 'url' in card ? card.url : null,
      findings: [...findings, ...('url' in card ? checkCard(card, directory).findings : [card])],
    };
  } finally {
    await requests.close();
  }
}

/**
 * Requests and checks a card alone.
 *
 * @throws {DocumentError} if there is no response.
 */
export async function requestCard(
  url: string,
  { signal, ...options }: NamedDocumentOptions & { readonly signal?: AbortSignal | undefined },
): Promise<CheckedCard> {
  const requests = new DocumentRequests(options);
  try {
    return checkCard(await requests.request(url, { ...CARD_REQUEST, signal }), undefined);
  } finally {
    await requests.close();
  }
}

/** Checks the response to a request for a directory. */
function checkDirectory(
  response: DocumentResponse,
  now: number,
): { readonly keys: readonly CheckedKey[]; readonly findings: readonly IdentityFinding[] } {
  const subject = 'directory';
  const { value, findings } = readJsonDocument(response, subject, {
    maxBytes: MAX_DIRECTORY_BYTES,
    isType: (type) => type === DIRECTORY_TYPE,
  });
  if (value === undefined) return { keys: [], findings };
  const { keys: list } = value;
  if (!Array.isArray(list))
    return { keys: [], findings: [...findings, createFinding('no-key-set', subject)] };
  if (list.length > MAX_DIRECTORY_KEYS)
    return {
      keys: [],
      findings: [...findings, createFinding('too-many-keys', subject, String(list.length))],
    };
  const all = list.map((key, index) => checkKey(key, index + 1, now));
  const keys = [...new Map(all.map((key) => [key.id, key])).values()];
  const duplicates = keys.filter(({ id }) => all.filter((key) => key.id === id).length > 1);
  return {
    keys,
    findings: [
      ...findings,
      ...(getHeader(response.headers, 'cache-control') === undefined
        ? [createFinding('no-cache-control', subject)]
        : []),
      ...checkValidity(keys, now),
      ...keys.flatMap((key) => key.findings),
      ...duplicates.map(({ id }) => createFinding('duplicate-key', id)),
      ...checkSignatures(response, keys, now),
    ],
  };
}

/** Whether a key is valid, now and in a week. */
function checkValidity(keys: readonly CheckedKey[], now: number): IdentityFinding[] {
  const isValid = (time: number): boolean =>
    keys.some(({ key }) => key !== null && key.notBefore <= time && time < key.notAfter);
  if (!isValid(now)) return [createFinding('no-valid-key', 'directory')];
  return isValid(now + SOON) ? [] : [createFinding('expires-soon', 'directory')];
}

/** Requests the card of an agent. @param isOptional - whether its absence is no problem. */
async function requestOwnCard(
  requests: DocumentRequests,
  url: string,
  isOptional: boolean,
  signal: AbortSignal | undefined,
): Promise<DocumentResponse | IdentityFinding> {
  try {
    const response = await requests.request(url, { ...CARD_REQUEST, signal });
    const isAbsent = isOptional && (response.status === 404 || response.status === 410);
    return isAbsent ? createFinding('no-card', 'card', url) : response;
  } catch (error) {
    if (error instanceof DocumentError) return createFinding('card-unavailable', 'card', error.message);
    throw error;
  }
}

function toTime(time: number | undefined): number | null {
  return time !== undefined && Number.isFinite(time) ? time : null;
}
