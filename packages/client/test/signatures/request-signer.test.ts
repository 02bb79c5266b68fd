import { generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { verify } from 'web-bot-auth';
import { verifierFromJWK } from 'web-bot-auth/crypto';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import { createRobotsFetch } from '../../src/adapters/fetch.ts';
import { RobotsClient } from '../../src/origins/client/client.ts';
import { getThumbprint } from '../../src/signatures/key-directory.ts';
import {
  createRequestSigner,
  type SignatureHeaders,
  type SignatureOptions,
} from '../../src/signatures/request-signer.ts';
import { isInnerList, parseDictionary } from '../../src/signatures/structured-fields.ts';
import { RFC_PRIVATE_ED25519 } from './vectors.ts';

const NOW = Date.UTC(2026, 10, 20);
const AGENT = 'https://bot.example';
const DIRECTORY = `${AGENT}/.well-known/http-message-signatures-directory`;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const JWK = privateKey.export({ format: 'jwk' });

const create = (options: Partial<SignatureOptions> = {}) =>
  createRequestSigner({ key: privateKey, agent: AGENT, now: () => NOW, ...options });

/** The parameters of a signature. */
function readParameters(headers: SignatureHeaders | undefined): Record<string, unknown> {
  const input = parseDictionary(headers?.['signature-input'] ?? '')?.get('sig');
  if (input === undefined || !isInnerList(input)) throw new Error('no signature');
  return Object.fromEntries([...input.parameters].map(([name, { value }]) => [name, value]));
}

/** Verifies by the package web-bot-auth. Its version 0.1.3 does not select members of dictionaries, so it gets the member. */
async function verifyByPackage(
  url: string,
  method: string,
  headers: SignatureHeaders,
  key: KeyObject = publicKey,
): Promise<void> {
  const jwk = key.export({ format: 'jwk' }) as Parameters<typeof verifierFromJWK>[0];
  const member = { ...headers, 'signature-agent': headers['signature-agent'].slice('sig='.length) };
  await verify(new Request(url, { method, headers: member }), await verifierFromJWK(jwk));
}

test('a signature is that of the draft: the fields, the components and the parameters', () => {
  const headers = create().sign('https://Shop.example:443/a/../b?c#d', 'GET');
  expect(headers?.['signature-agent']).toBe(`sig="${DIRECTORY}"`);
  const id = getThumbprint(publicKey.export({ format: 'jwk' }));
  expect(headers?.['signature-input']).toMatch(
    /^sig=\("@method" "@authority" "@path" "signature-agent";key="sig"\);created=\d+;keyid="[\w-]+";alg="ed25519";expires=\d+;nonce="[\w+/=]+";tag="web-bot-auth"$/,
  );
  expect(readParameters(headers)).toEqual({
    created: NOW / 1000,
    expires: NOW / 1000 + 300,
    keyid: id,
    alg: 'ed25519',
    nonce: expect.stringMatching(/^[\w+/]{86}==$/),
    tag: 'web-bot-auth',
  });
  expect(headers?.signature).toMatch(/^sig=:[\w+/]{86}==:$/);
});

test('what is signed verifies with the package web-bot-auth, and not for another URL, method or key', async () => {
  vi.useFakeTimers({ now: NOW + 1_000, toFake: ['Date'] });
  try {
    const signer = create();
    await fc.assert(
      fc.asyncProperty(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        fc.constantFrom('GET', 'HEAD', 'POST'),
        async (written, method) => {
          const url = new URL(written.replace(/^http:/, 'https:'));
          const headers = signer.sign(url.href, method) as SignatureHeaders;
          await verifyByPackage(url.href, method, headers);
          await expect(verifyByPackage(url.href, 'PUT', headers)).rejects.toThrow('invalid signature');
          url.pathname += 'x';
          await expect(verifyByPackage(url.href, method, headers)).rejects.toThrow('invalid signature');
          const other = `https://other.${url.host}${url.pathname}`;
          await expect(verifyByPackage(other, method, headers)).rejects.toThrow('invalid signature');
        },
      ),
      { numRuns: getFuzzRuns(25) },
    );
    const [url, headers] = ['https://shop.example/', signer.sign('https://shop.example/', 'GET')];
    const other = generateKeyPairSync('ed25519').publicKey;
    await expect(verifyByPackage(url, 'GET', headers as SignatureHeaders, other)).rejects.toThrow();
    vi.setSystemTime(NOW + 301_000);
    await expect(verifyByPackage(url, 'GET', headers as SignatureHeaders)).rejects.toThrow('expired');
  } finally {
    vi.useRealTimers();
  }
});

test('each signature has a nonce of its own', () => {
  const signer = create();
  const nonces = Array.from({ length: 100 }, () => readParameters(signer.sign('https://a.example/', 'GET')));
  expect(new Set(nonces.map(({ nonce }) => nonce)).size).toBe(100);
});

test('plain http is not signed unless the caller forces it; other schemes never are', () => {
  expect(create().sign('http://shop.example/', 'GET')).toBeUndefined();
  expect(create({ allowHttp: true }).sign('http://shop.example/', 'GET')).toBeDefined();
  expect(create({ allowHttp: true }).sign('ftp://shop.example/', 'GET')).toBeUndefined();
  expect(() => create().sign('/page', 'GET')).toThrow(TypeError);
});

test('an agent is named by its directory, by its origin, or by the URL of its keys', () => {
  const name = (options: Partial<SignatureOptions>): string | undefined =>
    create(options).sign('https://a.example/', 'GET')?.['signature-agent'];
  expect(name({ agent: `${AGENT}/` })).toBe(`sig="${DIRECTORY}"`);
  expect(name({ agent: DIRECTORY })).toBe(`sig="${DIRECTORY}"`);
  expect(name({ agent: DIRECTORY, identifier: 'origin' })).toBe(`sig="${AGENT}"`);
  expect(name({ agent: 'https://BOT.example:8443', identifier: 'origin' })).toBe(
    'sig="https://bot.example:8443"',
  );
  expect(name({ agent: `${AGENT}/keys.json` })).toBe(`sig="${AGENT}/keys.json"`);
});

describe('keys', () => {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

  test.each<[string, SignatureOptions['key']]>([
    ['a key of node:crypto', privateKey],
    ['a JSON Web Key', JWK],
    ['PEM', pem],
    ['a function', () => JWK],
    ['a source', { current: () => pem }],
  ])('%s signs', async (_, key) => {
    const headers = create({ key, now: Date.now }).sign('https://a.example/x', 'GET') as SignatureHeaders;
    await verifyByPackage('https://a.example/x', 'GET', headers);
  });

  test('the next request is signed with the key that a function or a source then returns', () => {
    const keys = [privateKey, generateKeyPairSync('ed25519').privateKey];
    let [index, calls] = [0, 0];
    const current = (): KeyObject => {
      calls++;
      return keys[index] as KeyObject;
    };
    for (const key of [current, { current }]) {
      index = 0;
      const signer = create({ key });
      const getId = (): unknown => readParameters(signer.sign('https://a.example/', 'GET'))['keyid'];
      const before = getId();
      expect(getId()).toBe(before);
      index = 1;
      expect(getId()).not.toBe(before);
    }
    expect(calls).toBe(8);
  });

  test('a key is used only in its time', () => {
    const at = NOW / 1000;
    const sign = (times: object): unknown =>
      create({ key: { ...JWK, ...times } as JsonWebKey }).sign('https://a.example/', 'GET');
    expect(sign({ nbf: at, exp: at + 1 })).toBeDefined();
    expect(() => sign({ exp: at })).toThrow(
      expect.objectContaining({
        name: 'LocalFailureError',
        code: 'caller-failed',
        message: 'the signing key of the caller failed: the key has expired (exp)',
      }),
    );
    expect(() => sign({ nbf: at + 1 })).toThrow('the key is not valid yet (nbf)');
  });

  test('a source that fails later is an error of the caller, not a request without a signature', () => {
    let key: unknown = privateKey;
    const signer = create({
      key: () => {
        if (key === undefined) throw new Error('no key');
        return key as KeyObject;
      },
    });
    for (const value of [undefined, null, publicKey, 7]) {
      key = value;
      expect(() => signer.sign('https://a.example/', 'GET')).toThrow(
        expect.objectContaining({ code: 'caller-failed' }),
      );
    }
    key = privateKey;
    expect(signer.sign('https://a.example/', 'GET')).toBeDefined();
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  test.each<[string, unknown, string]>([
    ['a public key', publicKey, 'not a private Ed25519 key: the key is ed25519, public'],
    ['a public JSON Web Key', publicKey.export({ format: 'jwk' }), 'cannot be read as a JSON Web Key'],
    ['a key of another type', rsa, 'not a private Ed25519 key: the key is rsa, private'],
    ['a text that is no key', 'secret words', 'cannot be read as PEM'],
    ['an empty object', {}, 'cannot be read as a JSON Web Key'],
    ['a number', 7, 'not a private key: 7'],
    ['null', null, 'not a private key: null'],
    ['the key of RFC 9421', RFC_PRIVATE_ED25519, 'the key is a test key of RFC 9421'],
  ])('%s is an error when the signer is created', (_, key, message) => {
    expect(() => create({ key: key as KeyObject })).toThrow(expect.objectContaining({ name: 'TypeError' }));
    expect(() => create({ key: key as KeyObject })).toThrow(message);
    expect(() => create({ key: () => key as KeyObject })).toThrow(message);
  });

  test('a function without a key is an error when the signer is created', () => {
    expect(() => create({ key: () => undefined as unknown as KeyObject })).toThrow(
      new TypeError('not a private key: undefined'),
    );
  });

  test('no error has a part of a key', () => {
    const secret = randomBytes(24).toString('base64url');
    const broken = { ...JWK, d: secret };
    const texts = [broken, { d: secret }, secret].map((key) => {
      try {
        create({ key });
      } catch (error) {
        const { message, cause } = error as Error;
        return `${message} ${String(cause)}`;
      }
      throw new Error('the key was accepted');
    });
    for (const text of texts) expect(text).not.toContain(secret);
  });
});

test.each<[string, Partial<SignatureOptions>]>([
  ['http', { agent: 'http://bot.example' }],
  ['a name without a scheme', { agent: 'bot.example' }],
  ['a user', { agent: 'https://me@bot.example' }],
  ['a query', { agent: 'https://bot.example/?x' }],
  ['a fragment', { agent: 'https://bot.example/#x' }],
  ['a path that is named by the origin', { agent: 'https://bot.example/keys', identifier: 'origin' }],
  ['an unknown identifier', { identifier: 'url' as 'origin' }],
  ['a lifetime of more than a day', { lifetime: 86_400_001 }],
  ['no lifetime', { lifetime: 0 }],
  ['a lifetime that is no number', { lifetime: Number.NaN }],
])('an agent, an identifier and a lifetime are checked: %s', (_, options) => {
  expect(() => create(options)).toThrow(RangeError);
});

test('no error has a part of a key that is at the position of another value', () => {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const [, secret = ''] = pem.split('\n');
  const misuses = [
    () => createRequestSigner(pem as never),
    () => create({ key: AGENT, agent: pem }),
    () => new RobotsClient({ agent: 'a', userAgent: 'a', signature: pem as never }),
    () => createRobotsFetch({ decide: async () => ({}) as never }, { signature: pem as never }),
  ];
  for (const misuse of misuses) {
    expect(misuse).toThrow(TypeError);
    expect(misuse).not.toThrow(secret.slice(0, 20));
    expect(misuse).not.toThrow('BEGIN');
  }
  for (const value of [null, [], false, 'x'])
    expect(() => new RobotsClient({ agent: 'a', userAgent: 'a', signature: value as never })).toThrow(
      'signature: the options must be an object',
    );
});

test('a signer cannot be changed', () => {
  expect(Object.isFrozen(create())).toBe(true);
});
