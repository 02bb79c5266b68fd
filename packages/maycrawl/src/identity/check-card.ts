// Checks a Signature Agent Card (draft-meunier-webbotauth-registry-04).
import { isAgentToken } from '@maycrawl/core';
import { isObject } from '@maycrawl/core/internal';
import type { DocumentResponse } from '../documents/document-requests.ts';
import { createFinding, type IdentityFinding, type IdentityFindingCode } from './findings.ts';
import { quote, readJsonDocument } from './json-document.ts';

/** Bytes of a card. */
export const MAX_CARD_BYTES = 65_536;
const SUBJECT = 'card';
const MAX_CONTACTS = 100;

/** A card, if the response has one, and its findings. */
export interface CheckedCard {
  readonly card: Readonly<Record<string, unknown>> | undefined;
  readonly findings: readonly IdentityFinding[];
}

/** Checks a card. @param directory - URL of the directory of the agent; `undefined` if it is unknown. */
export function checkCard(response: DocumentResponse, directory: string | undefined): CheckedCard {
  const { value, findings } = readJsonDocument(response, SUBJECT, {
    maxBytes: MAX_CARD_BYTES,
    isType: (type) =>
      type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json')),
  });
  if (value === undefined) return { card: undefined, findings };
  const { client_id: clientId, jwks, jwks_uri: jwksUri, web_bot_auth: details } = value;
  const own: IdentityFinding[] = [];
  const add = (code: IdentityFindingCode, detail: string | null = null): void => {
    own.push(createFinding(code, SUBJECT, detail));
  };
  if (clientId !== response.url)
    add('wrong-client-id', typeof clientId === 'string' ? quote(clientId) : 'none');
  if (jwks !== undefined && jwksUri !== undefined) add('two-key-sets');
  if (jwks === undefined && jwksUri === undefined) add('no-key-source');
  if (typeof jwksUri === 'string' && directory !== undefined && jwksUri !== directory)
    add('other-directory', quote(jwksUri));
  for (const detail of [...checkMembers(value), ...checkDetails(details)]) add('invalid-card', detail);
  if (!isObject(details) || details['rfc9309-compliance'] !== true) add('no-promise');
  return { card: value, findings: [...findings, ...own] };
}

/** The problems of the members that OAuth client metadata have (RFC 7591). */
function checkMembers(card: Readonly<Record<string, unknown>>): string[] {
  const { client_name: name, contacts } = card;
  return [
    ...(name === undefined || typeof name === 'string' ? [] : ['client_name is no text']),
    ...['client_uri', 'logo_uri']
      .filter((key) => !isUrl(card[key], /^(https?|data):$/))
      .map((key) => `${key} is no URL`),
    ...(isUrl(card['jwks_uri'], /^https:$/) ? [] : ['jwks_uri is no https URL']),
    ...(contacts === undefined || isListOfUris(contacts) ? [] : ['contacts is no list of URIs']),
    ...(card['jwks'] === undefined || isObject(card['jwks']) ? [] : ['jwks is no object']),
  ];
}

/** The problems of the members about crawlers. */
function checkDetails(details: unknown): string[] {
  if (details === undefined) return [];
  if (!isObject(details)) return ['web_bot_auth is no object'];
  const { trigger, ips_uri: ips } = details;
  const token = details['rfc9309-product-token'];
  const compliance = details['rfc9309-compliance'];
  return [
    ...(token === undefined || (typeof token === 'string' && isAgentToken(token))
      ? []
      : ['rfc9309-product-token is no product token']),
    ...(compliance === undefined || typeof compliance === 'boolean'
      ? []
      : ['rfc9309-compliance is not true or false, as it is since version -04 of the draft']),
    ...(trigger === undefined || trigger === 'fetcher' || trigger === 'crawler'
      ? []
      : ['trigger is not fetcher or crawler']),
    ...(isUrl(ips, /^https:$/) ? [] : ['ips_uri is no https URL']),
  ];
}

function isUrl(value: unknown, protocol: RegExp): boolean {
  if (value === undefined) return true;
  return typeof value === 'string' && URL.canParse(value) && protocol.test(new URL(value).protocol);
}

function isListOfUris(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= MAX_CONTACTS &&
    value.every((each) => typeof each === 'string' && URL.canParse(each))
  );
}
