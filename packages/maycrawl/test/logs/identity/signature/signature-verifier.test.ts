import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  DIRECTORY_PATH,
  getThumbprint,
  type KeyDirectory,
  type PublicKey,
  parseKeyDirectory,
  toPublicKey,
} from '@maycrawl/client/internal';
import { describe, expect, test } from 'vitest';
import { afterFile } from '../../../../../../scripts/after-file.ts';
import {
  VECTOR_AGENT as AGENT,
  DRAFT_VECTORS,
  RFC_ED25519,
  RFC_RSA,
} from '../../../../../client/test/signatures/vectors.ts';
import { createIdentifier, type MethodResult } from '../../../../src/logs/identity/identity.ts';
import {
  createKeyFetcher,
  KeyFolderError,
  readKeyFolder,
} from '../../../../src/logs/identity/signature/key-sources.ts';
import { createSignatureVerifier } from '../../../../src/logs/identity/signature/signature-verifier.ts';
import type { LogRequest } from '../../../../src/logs/request.ts';
import { createTestFolder } from '../../../support/folder.ts';

const RFC_KEYS: KeyDirectory = new Map(
  [RFC_ED25519, RFC_RSA].map((key) => [getThumbprint(key) as string, toPublicKey(key) as PublicKey]),
);
const REQUEST: LogRequest = {
  time: 1_735_689_700_000,
  host: 'example.com',
  method: 'GET',
  target: '/path/to/resource?x=1',
  status: 200,
  bytes: 0,
  crawler: 'ExampleBot',
  userAgent: 'ExampleBot/1.0',
  address: null,
  signature: null,
};

describe('the test vectors of the draft', () => {
  const verify = (request: LogRequest, agents: readonly string[] = [AGENT]): unknown =>
    createSignatureVerifier({ get: (origin) => (origin === AGENT ? RFC_KEYS : undefined) }).verify(
      request,
      agents,
    );

  test.each(DRAFT_VECTORS)('$name', ({ name: _, ...signature }) => {
    const request = { ...REQUEST, signature };
    expect(verify(request)).toBe('match');
    expect(verify({ ...request, host: 'other.example' })).toBe('mismatch');
    expect(verify({ ...request, host: null })).toBe('unknown');
    // Expiry is that at the time of the request: the second vector has expired since.
    expect(verify({ ...request, time: 1_735_689_000_000 })).toBe('mismatch');
    expect(verify({ ...request, time: 4_889_290_000_000 })).toBe('mismatch');
    // Anyone can sign as an agent of their own.
    expect(verify(request, ['https://other.test'])).toBe('unknown');
    expect(verify(request, ['http://signature-agent.test'])).toBe('unknown');
    expect(
      verify({
        ...request,
        signature: { ...signature, agent: signature.agent.replace('signature-agent', 'evil') },
      }),
    ).toBe('unknown');
  });
});

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const JWK = publicKey.export({ format: 'jwk' });
const ID = getThumbprint(JWK as Record<string, unknown>) as string;
const OWN = parseKeyDirectory(Buffer.from(JSON.stringify({ keys: [JWK] }))) as KeyDirectory;

interface Signed {
  readonly components?: string;
  readonly parameters?: string;
  readonly agent?: string;
  readonly label?: string;
  readonly key?: KeyObject;
  readonly changes?: Partial<LogRequest>;
}

/** Signs a request as the naive reading of RFC 9421 says. */
function createSigned({
  components = '"@authority" "signature-agent";key="sig"',
  parameters = `;created=1735689600;expires=1735689900;keyid="${ID}";tag="web-bot-auth"`,
  agent = `sig="${AGENT}"`,
  label = 'sig',
  key = privateKey,
  changes = {},
}: Signed = {}): LogRequest {
  const values: Record<string, string> = {
    '"@authority"': 'example.com',
    '"@method"': 'GET',
    '"@path"': '/path/to/resource',
    '"@query"': '?x=1',
    '"@scheme"': 'http',
    '"@target-uri"': 'https://example.com/path/to/resource?x=1',
    '"@request-target"': '/path/to/resource?x=1',
    '"user-agent"': 'ExampleBot/1.0',
    '"signature-agent"': agent,
    '"signature-agent";key="sig"': agent.replace('sig=', ''),
    '"accept"': '*/*',
  };
  const names = components === '' ? [] : components.split(' ');
  const lines = names.map((name) => `${name}: ${values[name]}`);
  const base = [...lines, `"@signature-params": (${components})${parameters}`].join('\n');
  const bytes =
    key.asymmetricKeyType === 'ed25519'
      ? sign(null, Buffer.from(base), key)
      : sign('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' });
  const signature = {
    input: `${label}=(${components})${parameters}`,
    signature: `${label}=:${bytes.toString('base64')}:`,
    agent,
  };
  return { ...REQUEST, signature, ...changes };
}

describe('createSignatureVerifier', () => {
  const check = (signed: Signed, directory: KeyDirectory | undefined = OWN): unknown =>
    createSignatureVerifier({ get: () => directory }).verify(createSigned(signed), [AGENT]);

  const time = ';created=1735689600;expires=1735689900';
  test.each<[string, Signed, MethodResult]>([
    ['the components of the draft', {}, 'match'],
    [
      'all components that a log has',
      {
        components:
          '"@authority" "@method" "@path" "@query" "@request-target" "user-agent" "signature-agent";key="sig"',
      },
      'match',
    ],
    ['the target URI', { components: '"@target-uri" "signature-agent";key="sig"' }, 'match'],
    [
      'the scheme, which the log does not say',
      { components: '"@authority" "@scheme" "signature-agent";key="sig"' },
      'match',
    ],
    [
      'an agent without quotation marks',
      { agent: AGENT, components: '"@authority" "signature-agent"' },
      'match',
    ],
    ['a dictionary that is covered as a whole', { components: '"@authority" "signature-agent"' }, 'match'],
    ['the URL of the directory', { agent: `sig="${AGENT}${DIRECTORY_PATH}"` }, 'match'],
    ['a query after it', { agent: `sig="${AGENT}${DIRECTORY_PATH}?x"` }, 'unknown'],
    [
      'a slash after the origin',
      { agent: `"${AGENT}/"`, components: '"@authority" "signature-agent"' },
      'match',
    ],
    ['another host', { changes: { host: 'example.org' } }, 'mismatch'],
    [
      'another path',
      { components: '"@authority" "@path" "signature-agent";key="sig"', changes: { target: '/x' } },
      'mismatch',
    ],
    [
      'a request a minute after the expiry, by the clock of the server',
      { changes: { time: 1_735_689_960_000 } },
      'match',
    ],
    ['a request later than that', { changes: { time: 1_735_689_961_000 } }, 'mismatch'],
    ['no expiry', { parameters: `;created=1735689600;keyid="${ID}";tag="web-bot-auth"` }, 'mismatch'],
    [
      'an expiry before the creation',
      { parameters: `;created=1735689900;expires=1735689600;keyid="${ID}";tag="web-bot-auth"` },
      'mismatch',
    ],
    [
      'another algorithm',
      { parameters: `${time};keyid="${ID}";alg="hmac-sha256";tag="web-bot-auth"` },
      'mismatch',
    ],
    ['another tag', { parameters: `${time};keyid="${ID}";tag="other"` }, 'unknown'],
    ['an unknown key', { parameters: `${time};keyid="x";tag="web-bot-auth"` }, 'unknown'],
    ['no key', { parameters: `${time};tag="web-bot-auth"` }, 'unknown'],
    [
      'a component that the log does not have',
      { components: '"@authority" "accept" "signature-agent";key="sig"' },
      'unknown',
    ],
    ['a component twice', { components: '"@authority" "@authority" "signature-agent";key="sig"' }, 'unknown'],
    ['no host', { components: '"@method" "signature-agent";key="sig"' }, 'unknown'],
    ['no agent', { components: '"@authority"' }, 'unknown'],
    [
      'an agent with a path',
      { agent: `"${AGENT}/x"`, components: '"@authority" "signature-agent"' },
      'unknown',
    ],
    [
      'an agent with user and password',
      { agent: '"https://a:b@signature-agent.test"', components: '"@authority" "signature-agent"' },
      'unknown',
    ],
    [
      'keys at another place',
      { agent: `"${AGENT}";type=jwks_uri`, components: '"@authority" "signature-agent"' },
      'unknown',
    ],
    ['a signature of another key', { key: generateKeyPairSync('ed25519').privateKey }, 'mismatch'],
  ])('%s', (_, signed, result) => {
    expect(check(signed)).toBe(result);
  });

  test('a key of the agent that is unknown says nothing', () => {
    expect(createSignatureVerifier({ get: () => undefined }).verify(createSigned(), [AGENT])).toBe('unknown');
  });

  test('a key is looked up by its agent, not by its thumbprint alone', () => {
    const origins: string[] = [];
    const verifier = createSignatureVerifier({
      get: (origin) => {
        origins.push(origin);
        return origin === 'https://other.test' ? OWN : undefined;
      },
    });
    expect(verifier.verify(createSigned(), [AGENT, 'https://other.test'])).toBe('unknown');
    expect(origins).toEqual([AGENT]);
  });

  test('ECDSA with P-256', () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = pair.publicKey.export({ format: 'jwk' }) as Record<string, unknown>;
    const directory = parseKeyDirectory(Buffer.from(JSON.stringify({ keys: [jwk] })));
    const parameters = `${time};keyid="${getThumbprint(jwk)}";alg="ecdsa-p256-sha256";tag="web-bot-auth"`;
    expect(check({ key: pair.privateKey, parameters }, directory)).toBe('match');
  });

  test('a key is used only in its time', () => {
    const directory = (dates: object) =>
      parseKeyDirectory(Buffer.from(JSON.stringify({ keys: [{ ...JWK, ...dates }] })));
    expect(check({}, directory({ nbf: 1_735_689_000, exp: 1_735_690_000 }))).toBe('match');
    expect(check({}, directory({ exp: 1_735_689_000 }))).toBe('unknown');
    expect(check({}, directory({ nbf: 1_735_690_000 }))).toBe('unknown');
  });

  test('of several signatures one that verifies is enough', () => {
    const [good, bad] = [
      createSigned(),
      createSigned({ label: 'bad', key: generateKeyPairSync('ed25519').privateKey }),
    ];
    const join = (name: 'input' | 'signature') => `${bad.signature?.[name]}, ${good.signature?.[name]}`;
    const request = {
      ...good,
      signature: { agent: `sig="${AGENT}"`, input: join('input'), signature: join('signature') },
    };
    const verifier = createSignatureVerifier({ get: () => OWN });
    expect(verifier.verify(request, [AGENT])).toBe('match');
    expect(createSignatureVerifier({ get: async () => OWN }).verify(request, [AGENT])).toBeInstanceOf(
      Promise,
    );
  });

  test.each(['', '-', 'x', '=', 'sig=', 'sig=:AA', '"', ' '.repeat(70_000), 'sig=('.repeat(10_000)])(
    'fields such as %.20j are not read',
    (text) => {
      const verifier = createSignatureVerifier({ get: () => OWN });
      for (const signature of [
        { ...createSigned().signature, input: text },
        { ...createSigned().signature, signature: text },
        { ...createSigned().signature, agent: text },
      ])
        expect(verifier.verify({ ...REQUEST, signature } as LogRequest, [AGENT])).toBe('unknown');
    },
  );
});

describe('directories of keys', () => {
  test('a folder has the directories of hosts', async () => {
    const folder = createTestFolder('keys');
    writeFileSync(join(folder, 'signature-agent.test.json'), JSON.stringify({ keys: [JWK] }));
    writeFileSync(join(folder, 'other.test:8443.json'), JSON.stringify({ keys: [] }));
    writeFileSync(join(folder, 'readme.md'), 'x');
    const source = await readKeyFolder(folder);
    const identify = createIdentifier({
      signatures: createSignatureVerifier(source),
      findOperator: () => ({
        ...{
          operator: 'x',
          cachePeriod: 1,
          whenUnavailable: null,
          whenUnreachable: null,
          crawlDelay: 'unknown',
        },
        ...{ verification: [{ signature: AGENT }], robotsTxt: 'unknown', card: null, sources: [] },
      }),
    });
    expect(identify(createSigned())).toBe('verified');
    expect(identify(createSigned({ changes: { host: 'x.example' } }))).toBe('spoofed');
    expect(source.get('https://other.test:8443')).toBeDefined();
    expect(source.get('https://none.test')).toBeUndefined();
  });

  test('a folder that cannot be read, or has a damaged file, is an error', async () => {
    const folder = createTestFolder('keys');
    await expect(readKeyFolder(join(folder, 'none'))).rejects.toThrow(KeyFolderError);
    writeFileSync(join(folder, 'a.test.json'), '{');
    await expect(readKeyFolder(folder)).rejects.toThrow('a.test.json is no set of JSON Web Keys');
    const other = createTestFolder('keys');
    writeFileSync(join(other, 'a b.json'), '{"keys":[]}');
    await expect(readKeyFolder(other)).rejects.toThrow(KeyFolderError);
    const third = createTestFolder('keys');
    mkdirSync(join(third, 'a.test.json'));
    await expect(readKeyFolder(third)).rejects.toThrow(KeyFolderError);
  });

  describe('that are fetched', () => {
    let respond: () => { readonly status: number; readonly body: string; readonly location?: string };
    let requests = 0;
    const server = createServer(({ url }, response) => {
      requests++;
      const { status, body, location } =
        url === '/.well-known/http-message-signatures-directory'
          ? respond()
          : { status: 200, body: JSON.stringify({ keys: [JWK] }) };
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
    });
    afterFile(() => {
      server.closeAllConnections();
      server.close();
    });

    test('have the status 200, no redirect, and a limited size; an origin is requested once', async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const fetch = async (allowPrivateAddresses = true, times = 1): Promise<number | undefined> => {
        const fetcher = createKeyFetcher({ userAgent: 'test', timeout: 60_000, allowPrivateAddresses });
        let directory: KeyDirectory | undefined;
        for (let count = 0; count < times; count++) directory = await fetcher.get(origin);
        await fetcher.close();
        return directory?.size;
      };
      respond = () => ({ status: 200, body: JSON.stringify({ keys: [JWK] }) });
      expect(await fetch(true, 3)).toBe(1);
      expect(requests).toBe(1);
      expect(await fetch(false)).toBeUndefined();
      expect(requests).toBe(1);
      respond = () => ({ status: 302, body: '', location: '/other' });
      expect(await fetch()).toBeUndefined();
      respond = () => ({ status: 203, body: JSON.stringify({ keys: [JWK] }) });
      expect(await fetch()).toBeUndefined();
      respond = () => ({ status: 200, body: ' '.repeat(300_000) });
      expect(await fetch()).toBeUndefined();
      expect(requests).toBe(4);
    });
  });
});
