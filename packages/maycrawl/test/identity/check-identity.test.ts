import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getThumbprint } from '@maycrawl/client/internal';
import { afterEach, describe, expect, test } from 'vitest';
import { afterFile } from '../../../../scripts/after-file.ts';
import { RFC_ED25519 } from '../../../client/test/signatures/vectors.ts';
import { DocumentError, type DocumentResponse } from '../../src/documents/document-requests.ts';
import { checkCard } from '../../src/identity/check-card.ts';
import { checkIdentity, type IdentityCheck } from '../../src/identity/check-identity.ts';
import { checkKey } from '../../src/identity/check-key.ts';
import { checkSignatures } from '../../src/identity/check-signatures.ts';
import type { IdentityFinding } from '../../src/identity/findings.ts';
import { runHere } from '../support/run-here.ts';

const NOW = Date.UTC(2026, 10, 20);
const SECONDS = NOW / 1000;
const PATH = '/.well-known/http-message-signatures-directory';
const TYPE = 'application/http-message-signatures-directory+json';
const pair = generateKeyPairSync('ed25519');
const JWK = pair.publicKey.export({ format: 'jwk' }) as Record<string, unknown>;
const ID = getThumbprint(JWK) as string;
const KEY = { ...JWK, kid: ID, use: 'sig' };

const getCodes = (findings: readonly IdentityFinding[]): string[] => findings.map(({ code }) => code);

describe('a key', () => {
  const [rsa, short, ec] = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey,
    generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey,
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey,
  ].map((key) => key.export({ format: 'jwk' }) as Record<string, unknown>) as [
    Record<string, unknown>,
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  const withKid = (key: Record<string, unknown>) => ({ ...key, kid: getThumbprint(key) });

  test.each<[string, unknown, string[]]>([
    ['of Ed25519', KEY, []],
    ['of RSA', withKid(rsa), []],
    ['of P-256', withKid(ec), []],
    ['in its time', { ...KEY, nbf: SECONDS - 1, exp: SECONDS + 1 }, []],
    ['with its private part', { ...KEY, d: 'x' }, ['private-key']],
    ['that is a shared secret', { kty: 'oct', k: 'x' }, ['private-key', 'unsupported-key']],
    ['of RFC 9421', RFC_ED25519, ['test-key', 'no-kid']],
    ['without kid', JWK, ['no-kid']],
    ['with another kid', { ...KEY, kid: 'my-key' }, ['wrong-kid']],
    ['with a kid that is no text', { ...KEY, kid: 7 }, ['wrong-kid']],
    ['that is too short', withKid(short), ['invalid-key']],
    ['with a short x', { ...KEY, x: 'AA', kid: getThumbprint({ ...KEY, x: 'AA' }) }, ['invalid-key']],
    ['for encryption', { ...KEY, use: 'enc' }, ['invalid-key']],
    ['of another curve', withKid({ ...JWK, crv: 'Ed448' }), ['invalid-key']],
    ['of another type', { kty: 'AKP' }, ['unsupported-key']],
    ['without a type', {}, ['unsupported-key']],
    ['that is a text', 'x', ['invalid-key']],
    ['that is null', null, ['invalid-key']],
    ['that has expired', { ...KEY, exp: SECONDS }, ['expired-key']],
    ['that is not valid yet', { ...KEY, nbf: SECONDS + 1 }, ['future-key']],
    ['with times in milliseconds', { ...KEY, nbf: NOW, exp: NOW + 1 }, ['time-in-milliseconds']],
    ['with a time that is a text', { ...KEY, exp: '2026-11-20' }, ['invalid-time']],
    ['with a negative time', { ...KEY, nbf: -1 }, ['invalid-time']],
    ['that ends before it begins', { ...KEY, nbf: SECONDS, exp: SECONDS - 1 }, ['invalid-time']],
  ])('%s', (_, value, codes) => {
    expect(getCodes(checkKey(value, 1, NOW).findings)).toEqual(codes);
  });

  test('that has a prototype for members is not one', () => {
    expect(
      getCodes(checkKey(JSON.parse('{"__proto__":{"d":"x"},"kty":"__proto__"}'), 3, NOW).findings),
    ).toEqual(['unsupported-key']);
  });
});

/** A response of a directory, which a key has signed as the naive reading of the draft says. */
function createSigned({
  components = '"@authority";req "content-digest"',
  parameters = `;created=${SECONDS - 10};expires=${SECONDS + 30 * 86_400};keyid="${ID}";tag="http-message-signatures-directory"`,
  key = pair.privateKey,
  body = JSON.stringify({ keys: [KEY] }),
  sent = body,
  authority = 'bot.example',
}: {
  readonly components?: string;
  readonly parameters?: string;
  readonly key?: KeyObject;
  readonly body?: string;
  readonly sent?: string;
  readonly authority?: string;
} = {}): DocumentResponse {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const values: Record<string, string> = {
    '"@authority";req': authority,
    '"content-digest"': digest,
    '"content-type"': TYPE,
    '"@status"': '200',
  };
  const names = components === '' ? [] : components.split(' ');
  const lines = names.map((name) => `${name}: ${values[name] ?? ''}`);
  const base = [...lines, `"@signature-params": (${components})${parameters}`].join('\n');
  return {
    url: `https://bot.example${PATH}`,
    status: 200,
    location: undefined,
    body: Buffer.from(sent),
    headers: [
      ['content-type', TYPE],
      ['content-digest', digest],
      ['signature-input', `binding=(${components})${parameters}`],
      ['signature', `binding=:${sign(null, Buffer.from(base), key).toString('base64')}:`],
    ],
  };
}

describe('the signatures of a directory', () => {
  const keys = [checkKey(KEY, 1, NOW)];
  const tag = 'tag="http-message-signatures-directory"';
  const check = (response: DocumentResponse): [string, string | null][] =>
    checkSignatures(response, keys, NOW).map(({ code, detail }) => [code, detail]);
  const invalid = (detail: string): [string, string | null][] => [
    ['invalid-signature', detail],
    ['unsigned-key', null],
  ];

  test.each<[string, DocumentResponse, [string, string | null][]]>([
    ['as the draft has them', createSigned(), []],
    [
      'of more components',
      createSigned({ components: '"@authority";req "content-digest" "content-type" "@status"' }),
      [],
    ],
    [
      'without the content',
      createSigned({ components: '"@authority";req' }),
      [['signature-without-digest', 'binding']],
    ],
    [
      'that expire soon',
      createSigned({ parameters: `;created=1;expires=${SECONDS + 60};keyid="${ID}";${tag}` }),
      [['signature-expires-soon', 'binding']],
    ],
    [
      'for another authority',
      createSigned({ authority: 'other.example' }),
      invalid('binding: it does not verify with its key'),
    ],
    [
      'of another key',
      createSigned({ key: generateKeyPairSync('ed25519').privateKey }),
      invalid('binding: it does not verify with its key'),
    ],
    [
      'over other content',
      createSigned({ sent: '{"keys":[]}' }),
      invalid('binding: Content-Digest is not that of the content'),
    ],
    [
      'that have expired',
      createSigned({ parameters: `;created=1;expires=${SECONDS};keyid="${ID}";${tag}` }),
      invalid('binding: it has expired'),
    ],
    [
      'of the future',
      createSigned({ parameters: `;created=${SECONDS + 1};expires=${SECONDS + 9};keyid="${ID}";${tag}` }),
      invalid('binding: it was created in the future'),
    ],
    [
      'without times',
      createSigned({ parameters: `;keyid="${ID}";${tag}` }),
      invalid('binding: it lacks created or expires'),
    ],
    [
      'of a key that is not there',
      createSigned({ parameters: `;created=1;expires=${SECONDS + 9};keyid="x";${tag}` }),
      invalid('binding: its key is not in the directory'),
    ],
    [
      'of the authority of no request',
      createSigned({ components: '"@authority" "content-digest"' }),
      invalid('binding: it covers a component that is not there, or cannot be checked'),
    ],
    [
      'without the authority',
      createSigned({ components: '"content-digest"' }),
      invalid('binding: it does not cover the authority'),
    ],
    ['of another protocol', createSigned({ parameters: ';tag="other"' }), [['unsigned-key', null]]],
  ])('%s', (_, response, findings) => {
    expect(check(response)).toEqual(findings);
  });

  test('fields that cannot be read, and none', () => {
    const { headers, ...response } = createSigned();
    expect(check({ ...response, headers: [] })).toEqual([['unsigned-key', null]]);
    const [, , [, input] = ['', ''], [, signature] = ['', '']] = headers;
    const texts: [string, string][] = [
      [input, '"'],
      ['"', signature],
      [`${input}, x=(`, signature],
    ];
    for (const [one, other] of texts)
      expect(
        check({
          ...response,
          headers: [
            ['signature-input', one],
            ['signature', other],
          ],
        }),
      ).toContainEqual(['invalid-signature', 'the fields cannot be read']);
    expect(
      check({
        ...response,
        headers: [
          ['signature-input', input],
          ['signature', 'binding=7'],
        ],
      }),
    ).toEqual(invalid('binding: it has no bytes'));
  });
});

describe('a card', () => {
  const URL = 'https://bot.example/card';
  const DIRECTORY = `https://bot.example${PATH}`;
  const CARD = {
    client_id: URL,
    client_name: 'MyBot',
    jwks_uri: DIRECTORY,
    contacts: ['mailto:a@bot.example'],
    web_bot_auth: { 'rfc9309-product-token': 'MyBot', 'rfc9309-compliance': true, trigger: 'crawler' },
  };
  const check = (card: unknown, type = 'application/json; charset=utf-8'): [string, string | null][] =>
    checkCard(
      {
        ...{ url: URL, status: 200, location: undefined },
        body: Buffer.from(typeof card === 'string' ? card : JSON.stringify(card)),
        headers: [['content-type', type]],
      },
      DIRECTORY,
    ).findings.map(({ code, detail }) => [code, detail]);
  const details = (own: object) => ({ ...CARD, web_bot_auth: { ...CARD.web_bot_auth, ...own } });

  test.each<[string, unknown, [string, string | null][]]>([
    ['as the draft has it', CARD, []],
    ['with inline keys', { ...CARD, jwks_uri: undefined, jwks: { keys: [] } }, []],
    ['with other members', { ...CARD, other: 1 }, []],
    ['of another URL', { ...CARD, client_id: `${URL}/` }, [['wrong-client-id', `${URL}/`]]],
    ['without a URL', { ...CARD, client_id: undefined }, [['wrong-client-id', 'none']]],
    ['with both sets of keys', { ...CARD, jwks: { keys: [] } }, [['two-key-sets', null]]],
    ['without keys', { ...CARD, jwks_uri: undefined }, [['no-key-source', null]]],
    [
      'of another directory',
      { ...CARD, jwks_uri: 'https://a.example/' },
      [['other-directory', 'https://a.example/']],
    ],
    [
      'with keys over http',
      { ...CARD, jwks_uri: 'http://bot.example/' },
      [
        ['other-directory', 'http://bot.example/'],
        ['invalid-card', 'jwks_uri is no https URL'],
      ],
    ],
    [
      'with one contact',
      { ...CARD, contacts: 'a@bot.example' },
      [['invalid-card', 'contacts is no list of URIs']],
    ],
    [
      'with an address as contact',
      { ...CARD, contacts: ['a@bot.example'] },
      [['invalid-card', 'contacts is no list of URIs']],
    ],
    [
      'with a name that is a number',
      { ...CARD, client_name: 7 },
      [['invalid-card', 'client_name is no text']],
    ],
    [
      'with a page that is no URL',
      { ...CARD, client_uri: '/about' },
      [['invalid-card', 'client_uri is no URL']],
    ],
    [
      'with an invalid token',
      details({ 'rfc9309-product-token': 'My Bot' }),
      [['invalid-card', 'rfc9309-product-token is no product token']],
    ],
    [
      'of an earlier draft',
      details({ 'rfc9309-compliance': ['Allow'] }),
      [
        ['invalid-card', 'rfc9309-compliance is not true or false, as it is since version -04 of the draft'],
        ['no-promise', null],
      ],
    ],
    ['without a promise', details({ 'rfc9309-compliance': undefined }), [['no-promise', null]]],
    [
      'with another trigger',
      details({ trigger: 'user' }),
      [['invalid-card', 'trigger is not fetcher or crawler']],
    ],
    [
      'with addresses over http',
      details({ ips_uri: 'http://a.example/' }),
      [['invalid-card', 'ips_uri is no https URL']],
    ],
    [
      'without details that are an object',
      { ...CARD, web_bot_auth: [] },
      [
        ['invalid-card', 'web_bot_auth is no object'],
        ['no-promise', null],
      ],
    ],
    ['that is a list', [], [['invalid-json', null]]],
    ['that is no JSON', '{', [['invalid-json', null]]],
  ])('%s', (_, card, findings) => {
    expect(check(card)).toEqual(findings);
  });

  test('of another media type', () => {
    expect(check(CARD, 'text/html')).toEqual([['wrong-content-type', 'text/html']]);
    expect(check(CARD, 'application/cimd+json')).toEqual([]);
  });
});

describe('over HTTP', () => {
  type Sent = { readonly status?: number; readonly headers?: OutgoingHttpHeaders; readonly body?: string };
  let responses: Record<string, Sent> = {};
  const requested: { url: string; accept: string | undefined; coding: string | undefined }[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    requested.push({ url, accept: headers.accept, coding: String(headers['accept-encoding']) });
    const { status = 200, headers: own, body = '' } = responses[url] ?? { status: 404 };
    response.writeHead(status, own).end(body);
  });
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  afterEach(() => {
    responses = {};
    requested.length = 0;
  });

  const GOOD: Sent = {
    headers: { 'content-type': TYPE, 'cache-control': 'max-age=86400' },
    body: JSON.stringify({ keys: [KEY] }),
  };
  const start = async (): Promise<string> => {
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const check = async (
    options: { readonly isOpen?: boolean; readonly card?: string } = {},
  ): Promise<IdentityCheck> => {
    const agent = await start();
    const { isOpen = true, card } = options;
    return checkIdentity({
      ...{ agent, card, now: NOW, userAgent: 'test', timeout: 60_000 },
      openOrigins: isOpen ? [agent] : [],
    });
  };
  /** The findings other than those that all directories over plain http have. */
  const getFindings = async (directory: Sent): Promise<[string, string | null][]> => {
    responses = { [PATH]: directory };
    const { findings } = await check();
    const usual = ['not-https', 'unsigned-key', 'no-card'];
    return findings.filter(({ code }) => !usual.includes(code)).map(({ code, detail }) => [code, detail]);
  };

  test('a directory and a card are requested as verifiers do', async () => {
    responses = { [PATH]: GOOD };
    const agent = await start();
    expect(await check()).toEqual({
      ...{ agent, directory: agent + PATH, card: null },
      keys: [{ id: ID, algorithm: 'ed25519', notBefore: null, notAfter: null }],
      findings: [
        expect.objectContaining({ code: 'not-https', severity: 'error', subject: 'directory', detail: null }),
        expect.objectContaining({ code: 'unsigned-key', severity: 'info', subject: ID }),
        expect.objectContaining({ code: 'no-card', severity: 'info', subject: 'card' }),
      ],
    });
    expect(requested).toEqual([
      { url: PATH, accept: TYPE, coding: 'identity' },
      { url: '/signature-agent-card.json', accept: 'application/json', coding: expect.any(String) },
    ]);
  });

  test.each<[string, Sent, [string, string | null][]]>([
    ['a good one', GOOD, []],
    [
      'a media type with parameters',
      { ...GOOD, headers: { ...GOOD.headers, 'content-type': `${TYPE}; a=b` } },
      [],
    ],
    [
      'the media type of a file without one',
      { ...GOOD, headers: { 'content-type': 'application/octet-stream', 'cache-control': 'x' } },
      [['wrong-content-type', 'application/octet-stream']],
    ],
    [
      'no media type, and no Cache-Control',
      { body: GOOD.body ?? '' },
      [
        ['wrong-content-type', 'none'],
        ['no-cache-control', null],
      ],
    ],
    ['a redirect', { status: 301, headers: { location: '/keys' } }, [['redirect', '/keys']]],
    ['a status', { status: 404 }, [['wrong-status', '404']]],
    ['another success', { ...GOOD, status: 203 }, [['wrong-status', '203']]],
    ['no JSON', { ...GOOD, body: '<!doctype html>' }, [['invalid-json', null]]],
    ['a list', { ...GOOD, body: '[]' }, [['invalid-json', null]]],
    ['no list of keys', { ...GOOD, body: '{"keys":{}}' }, [['no-key-set', null]]],
    ['no keys', { ...GOOD, body: '{"keys":[]}' }, [['no-valid-key', null]]],
    [
      'too many keys',
      { ...GOOD, body: JSON.stringify({ keys: Array.from({ length: 101 }, () => ({})) }) },
      [['too-many-keys', '101']],
    ],
    ['too many bytes', { ...GOOD, body: ' '.repeat(262_145) }, [['too-large', 'more than 262144 bytes']]],
    ['a key twice', { ...GOOD, body: JSON.stringify({ keys: [KEY, KEY] }) }, [['duplicate-key', null]]],
    [
      'a key that expires in a week',
      { ...GOOD, body: JSON.stringify({ keys: [{ ...KEY, exp: SECONDS + 600_000 }] }) },
      [['expires-soon', null]],
    ],
    [
      'only a key that has expired',
      { ...GOOD, body: JSON.stringify({ keys: [{ ...KEY, exp: SECONDS - 1 }] }) },
      [
        ['no-valid-key', null],
        ['expired-key', null],
      ],
    ],
  ])('%s', async (_, directory, findings) => {
    expect(await getFindings(directory)).toEqual(findings);
  });

  test('a directory that does not respond, or is on a private address that the user did not name, is an error', async () => {
    await expect(check({ isOpen: false })).rejects.toThrow(DocumentError);
    expect(requested).toEqual([]);
  });

  test('a card on a private address that the directory did not name is not requested', async () => {
    responses = { [PATH]: GOOD };
    const other = createServer((_, response) => response.end('{}'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const card = `http://127.0.0.1:${(other.address() as AddressInfo).port}/card`;
    const { findings } = await check({ card });
    await new Promise((resolve) => other.close(resolve));
    expect(findings.at(-1)).toMatchObject({
      code: 'card-unavailable',
      detail: expect.stringContaining('not a public address'),
    });
  });

  test('a card that the user names must be there', async () => {
    responses = { [PATH]: GOOD };
    const { findings } = await check({ card: `${await start()}/none.json` });
    expect(getCodes(findings)).toEqual(['not-https', 'unsigned-key', 'not-https', 'wrong-status']);
  });

  test('the command prints the keys and findings, as text or JSON, without control characters', async () => {
    const agent = await start();
    responses = {
      [PATH]: { ...GOOD, headers: { 'content-type': 'text/plain;\x9b' } },
      '/signature-agent-card.json': {
        headers: { 'content-type': 'application/json' },
        body: '{"client_id":"\\u001b[2J"}',
      },
    };
    const text = await runHere(['identity', 'check', agent]);
    expect(text.code).toBe(1);
    expect(text.stdout).toContain(`directory  ${agent}${PATH}\n`);
    expect(text.stdout).toMatch(new RegExp(`^${ID} +ed25519 +without end$`, 'm'));
    expect(text.stdout).toContain(
      'the media type is not the one of such a file (text/plain;\\x9b)  wrong-content-type',
    );
    expect(text.stdout).toContain('client_id of the card is not its URL (\\x1b[2J)  wrong-client-id');
    expect(text.stdout).toMatch(/\d problems found\n$/);
    const json = await runHere(['identity', 'check', `${agent}${PATH}`, '--json']);
    expect(json.code).toBe(1);
    expect(getCodes(JSON.parse(json.stdout).findings)).toContain('wrong-content-type');
  });

  test('the command exits with 2 if there is no response, or no agent', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await runHere(['identity', 'check', `http://127.0.0.1:${port}`])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringMatching(
        /^maycrawl: cannot fetch the directory of http:\/\/127\.0\.0\.1:\d+: .+\n$/,
      ),
    });
    for (const name of ['ftp://bot.example', 'bot', '', 'https://bot.example/keys.json'])
      expect(await runHere(['identity', 'check', name])).toMatchObject({ code: 2, stdout: '' });
    expect(await runHere(['identity', 'check', 'bot.example', '--card', 'x'])).toMatchObject({
      stderr: 'maycrawl: --card must be a URL, not x\n',
    });
  });
});
