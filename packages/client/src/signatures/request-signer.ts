// Signs the requests of a crawler (Web Bot Auth: draft-ietf-webbotauth-httpsig-protocol-01 section 5.2, over RFC 9421).
//
// A signature covers the method, the authority and the path, so each request has one of its own, also each hop of a redirect.
import { randomBytes } from 'node:crypto';
import { checkOptions, quoteValue } from '@maycrawl/core/internal';
import { callCaller } from '../http/local-failure.ts';
import { createComponent, signMessage } from './sign-message.ts';
import { DIRECTORY_PATH, REQUEST_TAG } from './signature-agent.ts';
import { type SigningKey, type SigningKeyInput, type SigningKeySource, toSigningKey } from './signing-key.ts';
import { createString } from './structured-fields.ts';

/** The options of signatures of requests. */
export interface SignatureOptions {
  /**
   * The private Ed25519 key. A function, or an object with a method `current`, is called for each request: so keys change without a restart.
   */
  readonly key: SigningKeyInput | (() => SigningKeyInput) | SigningKeySource;
  /**
   * Where the public keys are: an https origin, which has them at the path `/.well-known/http-message-signatures-directory`, or the URL of a
   * JSON Web Key Set.
   */
  readonly agent: string;
  /**
   * How requests name an origin: by the URL of its directory, or by the origin alone, which versions of the draft before -01 (October 2026)
   * specify.
   *
   * @defaultValue `directory`
   */
  readonly identifier?: 'directory' | 'origin';
  /** Milliseconds for which a signature is valid, from a second to 24 hours. @defaultValue 300,000 */
  readonly lifetime?: number;
  /**
   * Whether requests over plain http are signed. Anyone on the way can read such a signature, and send it again until it expires.
   *
   * @defaultValue `false`
   */
  readonly allowHttp?: boolean;
  /** The time in milliseconds since 1970. @defaultValue the time of the system */
  readonly now?: () => number;
}

/** The headers of a signature. */
export interface SignatureHeaders {
  readonly 'signature-agent': string;
  readonly 'signature-input': string;
  readonly signature: string;
}

/** The names of the headers of a signature. */
export const SIGNATURE_HEADERS: readonly (keyof SignatureHeaders)[] = /* @__PURE__ */ Object.freeze([
  'signature-agent',
  'signature-input',
  'signature',
] as const);

/** Signs requests. Immutable. */
export interface RequestSigner {
  /**
   * Signs a request.
   *
   * @param url - the absolute URL that is requested. A redirect is a request of its own.
   * @param method - as it is sent, such as `GET`.
   * @returns its headers; `undefined` for plain http, which is not signed without `allowHttp`, and for other schemes.
   * @throws {LocalFailureError} `caller-failed` if there is no key that is valid now.
   * @throws {TypeError} if the URL is not absolute.
   */
  sign(url: string, method: string): SignatureHeaders | undefined;
}

const DEFAULT_LIFETIME = 300_000;
const [MIN_LIFETIME, MAX_LIFETIME] = [1_000, 86_400_000];
const LABEL = 'sig';
const NONCE_BYTES = 64;
const COMPONENTS = /* @__PURE__ */ [
  createComponent('@method'),
  createComponent('@authority'),
  createComponent('@path'),
  createComponent('signature-agent', { key: LABEL }),
];

/**
 * Creates a signer of requests.
 *
 * @throws {TypeError} for unknown and missing options, options of a wrong type, and a key that is not a private Ed25519 key.
 * @throws {RangeError} if `agent` is not an https URL, or `lifetime` is out of range.
 * @throws the error of the function that returns the key.
 * @example
 * import { generateKeyPairSync } from 'node:crypto';
 *
 * const { privateKey } = generateKeyPairSync('ed25519');
 * const signer = createRequestSigner({ key: privateKey, agent: 'https://bot.example' });
 * const headers = signer.sign('https://example.com/page', 'GET');
 */
export function createRequestSigner(options: SignatureOptions): RequestSigner {
  requireSignatureOptions(options);
  checkOptions<SignatureOptions>(
    'signature',
    options,
    {
      ...{ key: 'any', agent: 'string', identifier: 'string', lifetime: 'number' },
      ...{ allowHttp: 'boolean', now: 'function' },
    },
    ['key', 'agent'],
  );
  const { key, agent, identifier = 'directory', lifetime = DEFAULT_LIFETIME, allowHttp = false } = options;
  const { now = Date.now } = options;
  if (!(lifetime >= MIN_LIFETIME && lifetime <= MAX_LIFETIME))
    throw new RangeError(`not a lifetime of a signature in milliseconds: ${lifetime}`);
  const getInput = toGetter(key);
  let last: { readonly input: SigningKeyInput; readonly key: SigningKey } | undefined;
  const getKey = (): SigningKey => {
    const input = getInput();
    if (last === undefined || last.input !== input) last = { input, key: toSigningKey(input) };
    return last.key;
  };
  // A wrong key is an error now, not at the first request, and before the message about an agent, which could be the key.
  getKey();
  const member = createString(toIdentifier(agent, identifier)).text;
  return Object.freeze({
    sign: (url: string, method: string): SignatureHeaders | undefined => {
      const { protocol, host, pathname } = new URL(url);
      if (protocol !== 'https:' && !(protocol === 'http:' && allowHttp)) return undefined;
      const time = now();
      const { key: signingKey, id } = callCaller('the signing key', () => requireValid(getKey(), time));
      const created = Math.floor(time / 1000);
      const content = {
        label: LABEL,
        components: COMPONENTS,
        parameters: {
          created,
          keyid: id,
          alg: 'ed25519',
          expires: created + Math.floor(lifetime / 1000),
          nonce: randomBytes(NONCE_BYTES).toString('base64'),
          tag: REQUEST_TAG,
        },
      };
      const values: Readonly<Record<string, string>> = {
        '@method': method,
        '@authority': host,
        '@path': pathname,
        'signature-agent': member,
      };
      const { input, signature } = signMessage(signingKey, content, (name) => values[name]);
      return { 'signature-agent': `${LABEL}=${member}`, 'signature-input': input, signature };
    },
  });
}

/**
 * Requires an object. The usual check would quote another value, which can be a key.
 *
 * @throws {TypeError} if it is another value.
 */
export function requireSignatureOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError('signature: the options must be an object with "key" and "agent"');
}

function toGetter(key: SignatureOptions['key']): () => SigningKeyInput {
  if (typeof key === 'function') return key;
  const source = key as Partial<SigningKeySource> | null;
  return typeof source === 'object' && typeof source?.current === 'function'
    ? () => (source as SigningKeySource).current()
    : () => key as SigningKeyInput;
}

/** @throws {RangeError} if a key is not valid at a time. */
function requireValid(key: SigningKey, time: number): SigningKey {
  if (time < key.notBefore) throw new RangeError('the key is not valid yet (nbf)');
  if (time >= key.notAfter) throw new RangeError('the key has expired (exp)');
  return key;
}

/** The URL that names the agent. @throws {RangeError} if it is not an https URL without user, query and fragment. */
function toIdentifier(agent: string, identifier: string): string {
  if (identifier !== 'directory' && identifier !== 'origin')
    throw new RangeError(`identifier is "directory" or "origin", not ${quoteValue(identifier)}`);
  const url = URL.canParse(agent) ? new URL(agent) : undefined;
  if (url?.protocol !== 'https:' || url.href !== url.origin + url.pathname)
    throw new RangeError(
      `the agent is an https URL without user, query and fragment, not ${quoteValue(agent)}`,
    );
  const { origin, pathname } = url;
  if (pathname !== '/' && pathname !== DIRECTORY_PATH) {
    if (identifier === 'directory') return url.href;
    throw new RangeError(`an agent that is named by its origin has no other path: ${quoteValue(agent)}`);
  }
  return identifier === 'origin' ? origin : origin + DIRECTORY_PATH;
}
