// The public files of an identity: its directory of keys with the headers for it (draft-ietf-webbotauth-httpsig-protocol-01 section 5.5 and
// appendix B.1), and its card (draft-meunier-webbotauth-registry-04).
import { createHash } from 'node:crypto';
import {
  createComponent,
  DIRECTORY_PATH,
  DIRECTORY_TAG,
  DIRECTORY_TYPE,
  type StoredIdentity,
  type StoredKey,
  signMessage,
} from '@maycrawl/client/internal';

/** The path of a card, which the draft leaves to the agent. */
export const CARD_PATH = '/signature-agent-card.json';

/** Seconds for which verifiers can store a directory: until then some of them do not have a new key. */
const MAX_AGE = 86_400;

/** What a card says, besides the URLs that follow from the agent. */
export interface CardSettings {
  /** The product token, which is also the name. */
  readonly name: string;
  /** The User-Agent header. `*` at its end stands for anything. */
  readonly userAgent?: string | undefined;
  /** URIs, such as `mailto:bot@example.com`. */
  readonly contacts?: readonly string[] | undefined;
  /** URL of a page about the crawler. */
  readonly page?: string | undefined;
  readonly purpose?: string | undefined;
  /** Who causes requests: the crawler itself, or its users. */
  readonly trigger: 'crawler' | 'fetcher';
  /** URL of the list of its addresses. */
  readonly ips?: string | undefined;
}

/** Headers in their order. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Formats the card of an agent. @param agent - its origin. */
export function formatCard(agent: string, settings: CardSettings): string {
  const { name, userAgent, contacts = [], page, purpose, trigger, ips } = settings;
  const card = {
    client_id: agent + CARD_PATH,
    client_name: name,
    ...(page !== undefined && { client_uri: page }),
    ...(contacts.length > 0 && { contacts }),
    jwks_uri: agent + DIRECTORY_PATH,
    web_bot_auth: {
      ...(userAgent !== undefined && { 'expected-user-agent': userAgent }),
      'rfc9309-product-token': name,
      'rfc9309-compliance': true,
      trigger,
      ...(purpose !== undefined && { purpose }),
      ...(ips !== undefined && { ips_uri: ips }),
    },
  };
  return `${JSON.stringify(card, null, 2)}\n`;
}

/** Formats a directory: the public parts of keys. */
export function formatDirectory(keys: readonly StoredKey[]): string {
  const all = keys.map(({ id, jwk: { kty, crv, x, nbf, exp } }) => ({
    ...{ kty, crv, kid: id, x, use: 'sig' },
    ...(nbf !== undefined && { nbf }),
    ...(exp !== undefined && { exp }),
  }));
  return `${JSON.stringify({ keys: all }, null, 2)}\n`;
}

/**
 * Returns the headers of a directory. Its signatures, one of each key, cover the host and the bytes, so they are the same for all requests
 * until they expire.
 *
 * @param body - the directory.
 * @param time - milliseconds since 1970.
 * @param signedFor - milliseconds for which the signatures are valid.
 */
export function createDirectoryHeaders(
  { agent, keys }: StoredIdentity,
  body: string,
  { time, signedFor }: { readonly time: number; readonly signedFor: number },
): HeaderLines {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const values: Readonly<Record<string, string>> = {
    '@authority': new URL(agent).host,
    'content-digest': digest,
  };
  const created = Math.floor(time / 1000);
  const signatures = keys.map(({ key, id }, index) => {
    const content = {
      label: `binding${index}`,
      components: [createComponent('@authority', { req: true }), createComponent('content-digest')],
      parameters: {
        created,
        expires: created + Math.floor(signedFor / 1000),
        keyid: id,
        alg: 'ed25519',
        tag: DIRECTORY_TAG,
      },
    };
    return signMessage(key, content, (name) => values[name]);
  });
  return [
    ['Content-Type', DIRECTORY_TYPE],
    ['Cache-Control', `max-age=${MAX_AGE}`],
    ['Content-Digest', digest],
    ['Signature-Input', signatures.map(({ input }) => input).join(', ')],
    ['Signature', signatures.map(({ signature }) => signature).join(', ')],
  ];
}

/** Formats headers for hosts of static files that read a file `_headers`: Cloudflare Pages, Netlify and others. */
export function formatHeadersFile(headers: HeaderLines): string {
  return [DIRECTORY_PATH, ...headers.map(([name, value]) => `  ${name}: ${value}`), ''].join('\n');
}

/** Formats headers for nginx: a location that a server block can include. */
export function formatNginxFile(headers: HeaderLines): string {
  const [[, type] = ['', ''], ...others] = headers;
  return [
    '# Include this file in the server block of the agent.',
    `location = ${DIRECTORY_PATH} {`,
    '  types { }',
    `  default_type ${type};`,
    '  # The digest and the signatures are those of the file as it is.',
    '  gzip off;',
    ...others.map(([name, value]) => `  add_header ${name} '${value}';`),
    '}',
    '',
  ].join('\n');
}
