import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequestSigner, IdentityError, openIdentity } from '@maycrawl/client';
import { isInnerList, parseDictionary, parseKeyDirectory, readIdentity } from '@maycrawl/client/internal';
import { describe, expect, test } from 'vitest';
import {
  createIdentity,
  publishIdentity,
  type RotateOptions,
  rotateIdentity,
} from '../../src/identity/write-identity.ts';
import { createTestFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const TIME = Date.UTC(2026, 10, 20);
const AGENT = 'https://bot.example';
const DIRECTORY = 'public/.well-known/http-message-signatures-directory';
const SETTINGS = { name: 'MyBot', trigger: 'crawler' } as const;

async function createFolder(time: number = TIME): Promise<string> {
  const folder = join(createTestFolder('identity'), 'identity');
  await createIdentity(folder, AGENT, SETTINGS, { time, signedFor: 90 * DAY });
  return folder;
}

const rotate = (folder: string, options: Partial<RotateOptions> = {}) =>
  rotateIdentity(folder, {
    time: TIME,
    lead: 48 * HOUR,
    overlap: 24 * HOUR,
    signedFor: 90 * DAY,
    ...options,
  });

const readJson = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const getMode = (path: string): number => statSync(path).mode & 0o777;

/** The thumbprint of the key with which a signer signs. */
function getKeyId(signer: ReturnType<typeof createRequestSigner>): unknown {
  const headers = signer.sign('https://shop.example/', 'GET');
  const input = parseDictionary(headers?.['signature-input'] ?? '')?.get('sig');
  return input !== undefined && isInnerList(input) ? input.parameters.get('keyid')?.value : undefined;
}

describe('a new identity', () => {
  test('has a private key for its owner alone, and its public part in the directory', async () => {
    const folder = await createFolder();
    const [file = ''] = readdirSync(join(folder, 'keys'));
    const id = file.replace('.json', '');
    expect(getMode(join(folder, 'keys'))).toBe(0o700);
    expect(getMode(join(folder, 'keys', file))).toBe(0o600);
    const { d, ...rest } = readJson(folder, `keys/${file}`);
    expect(d).toMatch(/^[\w-]{43}$/);
    const key = { kty: 'OKP', crv: 'Ed25519', kid: id, x: rest.x, use: 'sig', nbf: TIME / 1000 };
    expect(rest).toEqual(key);
    expect(readJson(folder, DIRECTORY)).toEqual({ keys: [key] });
    expect([...(parseKeyDirectory(readFileSync(join(folder, DIRECTORY)))?.keys() ?? [])]).toEqual([id]);
    for (const name of [DIRECTORY, 'public/signature-agent-card.json', 'public/_headers', 'nginx.conf'])
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain(d);
  });

  test('has a card with what the user wrote', async () => {
    const folder = join(createTestFolder('identity'), 'a', 'b');
    const { files } = await createIdentity(
      folder,
      AGENT,
      {
        ...{ ...SETTINGS, userAgent: 'MyBot/1.0*', contacts: ['mailto:bot@bot.example'] },
        ...{ page: `${AGENT}/about`, purpose: 'search', ips: `${AGENT}/ips.json` },
      },
      { time: TIME, signedFor: DAY },
    );
    expect(readJson(folder, 'public/signature-agent-card.json')).toEqual({
      client_id: `${AGENT}/signature-agent-card.json`,
      client_name: 'MyBot',
      client_uri: `${AGENT}/about`,
      contacts: ['mailto:bot@bot.example'],
      jwks_uri: `${AGENT}/.well-known/http-message-signatures-directory`,
      web_bot_auth: {
        'expected-user-agent': 'MyBot/1.0*',
        'rfc9309-product-token': 'MyBot',
        'rfc9309-compliance': true,
        trigger: 'crawler',
        purpose: 'search',
        ips_uri: `${AGENT}/ips.json`,
      },
    });
    expect(files).toEqual([
      'identity.json',
      expect.stringMatching(/^keys\/[\w-]{43}\.json$/),
      'public/signature-agent-card.json',
      DIRECTORY,
      'public/_headers',
      'nginx.conf',
    ]);
    for (const file of files) expect(statSync(join(folder, file)).isFile()).toBe(true);
  });

  test('has headers with the digest of the directory, for two kinds of servers', async () => {
    const folder = await createFolder();
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, DIRECTORY)))
      .digest('base64');
    const [path, ...lines] = readFileSync(join(folder, 'public/_headers'), 'utf8').trimEnd().split('\n');
    expect(path).toBe('/.well-known/http-message-signatures-directory');
    expect(lines).toEqual([
      '  Content-Type: application/http-message-signatures-directory+json',
      '  Cache-Control: max-age=86400',
      `  Content-Digest: sha-256=:${digest}:`,
      expect.stringMatching(
        /^ {2}Signature-Input: binding0=\("@authority";req "content-digest"\);created=1795132800;expires=1802908800;keyid="[\w-]+";alg="ed25519";tag="http-message-signatures-directory"$/,
      ),
      expect.stringMatching(/^ {2}Signature: binding0=:[\w+/=]+:$/),
    ]);
    const nginx = readFileSync(join(folder, 'nginx.conf'), 'utf8');
    for (const line of lines.slice(1)) {
      const [name, ...value] = line.trim().split(': ');
      expect(nginx).toContain(`add_header ${name} '${value.join(': ')}';`);
    }
  });

  test('is not written over another one', async () => {
    const folder = await createFolder();
    const before = readdirSync(join(folder, 'keys'));
    await expect(
      createIdentity(folder, AGENT, SETTINGS, { time: TIME, signedFor: DAY }),
    ).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readdirSync(join(folder, 'keys'))).toEqual(before);
  });
});

describe('rotation', () => {
  test('the new key is public before it signs, and the old one stays public after it', async () => {
    const folder = await createFolder();
    const [old] = readIdentity(folder).keys;
    const { keys, files } = await rotate(folder);
    const [start, end] = [TIME + 48 * HOUR, TIME + 72 * HOUR];
    expect(keys).toEqual([
      { id: old?.id, notBefore: TIME, notAfter: end },
      { id: expect.not.stringMatching(old?.id ?? ''), notBefore: start, notAfter: null },
    ]);
    expect(readJson(folder, DIRECTORY).keys.map(({ kid }: { kid: string }) => kid)).toEqual(
      keys.map(({ id }) => id),
    );
    expect(files).toContain(`keys/${keys[1]?.id}.json`);
    for (const name of readdirSync(join(folder, 'keys')))
      expect(getMode(join(folder, 'keys', name))).toBe(0o600);
    expect(readFileSync(join(folder, 'public/_headers'), 'utf8')).toMatch(/binding0=.*, binding1=/);
  });

  test('a process that runs signs with the new key in its time, without a restart', async () => {
    const folder = await createFolder();
    let time = TIME;
    const signer = createRequestSigner({ ...openIdentity(folder, { now: () => time }), now: () => time });
    const before = getKeyId(signer);
    const { keys } = await rotate(folder);
    expect(keys[0]?.id).toBe(before);
    time = TIME + 48 * HOUR - 1;
    expect(getKeyId(signer)).toBe(before);
    time++;
    expect(getKeyId(signer)).toBe(keys[1]?.id);
    // The old key is deleted when it has expired.
    const later = { time: TIME + 72 * HOUR, signedFor: DAY };
    expect((await publishIdentity(folder, later)).keys.map(({ id }) => id)).toEqual([keys[1]?.id]);
    expect(readdirSync(join(folder, 'keys'))).toEqual([`${keys[1]?.id}.json`]);
    time = later.time;
    expect(getKeyId(signer)).toBe(keys[1]?.id);
  });

  test('without lead and overlap a key that others know is useless immediately', async () => {
    const folder = await createFolder();
    const { keys } = await rotate(folder, { time: TIME + HOUR, lead: 0, overlap: 0 });
    expect(keys).toHaveLength(1);
    expect(readIdentity(folder).keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ notBefore: TIME + HOUR, notAfter: null });
  });

  test('a key that would end before its use begins is removed', async () => {
    const folder = await createFolder();
    const [first] = readIdentity(folder).keys;
    const { keys } = await rotate(folder);
    const replaced = await rotate(folder, { time: TIME + HOUR, lead: 2 * HOUR, overlap: HOUR });
    expect(replaced.keys.map(({ id }) => id)).toEqual([
      first?.id,
      expect.not.stringMatching(keys[1]?.id ?? ''),
    ]);
    expect(replaced.keys[0]?.notAfter).toBe(TIME + 4 * HOUR);
    expect(readIdentity(folder).keys).toHaveLength(2);
  });

  test('without a key that is left nothing is written or removed', async () => {
    const folder = await createFolder();
    const [file = ''] = readdirSync(join(folder, 'keys'));
    const path = `keys/${file}`;
    writeFileSync(join(folder, path), JSON.stringify({ ...readJson(folder, path), exp: TIME / 1000 + 1 }));
    const before = readFileSync(join(folder, 'public/_headers'), 'utf8');
    const later = { time: TIME + HOUR, signedFor: DAY };
    await expect(publishIdentity(folder, later)).rejects.toThrow('all keys of the identity have expired');
    expect(readdirSync(join(folder, 'keys'))).toEqual([file]);
    expect(readFileSync(join(folder, 'public/_headers'), 'utf8')).toBe(before);
  });

  test('while the folder cannot be read, the last key continues to sign', async () => {
    const folder = await createFolder();
    let time = TIME;
    const signer = createRequestSigner({ ...openIdentity(folder, { now: () => time }), now: () => time });
    const before = getKeyId(signer);
    rmSync(folder, { recursive: true });
    time += HOUR;
    expect(getKeyId(signer)).toBe(before);
  });

  test('a key whose file is deleted does not sign a minute later', async () => {
    const folder = await createFolder();
    let time = TIME;
    const signer = createRequestSigner({ ...openIdentity(folder, { now: () => time }), now: () => time });
    const [file = ''] = readdirSync(join(folder, 'keys'));
    rmSync(join(folder, 'keys', file));
    time += 59_999;
    expect(getKeyId(signer)).toBeDefined();
    time++;
    expect(() => getKeyId(signer)).toThrow('no key of the identity is valid now');
  });
});

test('a folder that has no identity, or a damaged one, is an error without parts of a key', async () => {
  const empty = createTestFolder('identity');
  expect(() => openIdentity(empty)).toThrow(IdentityError);
  expect(() => openIdentity(empty)).toThrow('it has no identity.json');
  const folder = await createFolder();
  const [file = ''] = readdirSync(join(folder, 'keys'));
  const { d, ...key } = readJson(folder, `keys/${file}`);
  const write = (value: unknown): void =>
    writeFileSync(join(folder, 'keys', file), typeof value === 'string' ? value : JSON.stringify(value));
  for (const value of [key, `{"d":"${d}"`, [d], { ...key, d: 7 }, { ...key, kty: 'RSA', d }, 'null', '']) {
    write(value);
    const error = (() => {
      try {
        openIdentity(folder);
      } catch (thrown) {
        return thrown as Error;
      }
      return undefined;
    })();
    expect(error).toMatchObject({ name: 'IdentityError', code: 'invalid-identity' });
    expect(`${error?.message} ${String(error?.cause)}`).not.toContain(d);
  }
  write({ ...key, d, exp: TIME / 1000 + 1 });
  expect(() => openIdentity(folder, { now: () => TIME + 1_000 })).toThrow('no key of the identity is valid');
  expect(openIdentity(folder, { now: () => TIME })).toMatchObject({ agent: AGENT });
  writeFileSync(join(folder, 'identity.json'), '{"agent":"http://bot.example"}');
  expect(() => openIdentity(folder)).toThrow('has no agent that is an https origin');
  expect(() => openIdentity(folder, { time: 1 } as never)).toThrow(TypeError);
});

describe('the command', () => {
  const init = (folder: string, ...more: string[]) =>
    runHere(['identity', 'init', folder, '--agent', AGENT, '--name', 'MyBot', ...more]);

  test('init, rotate and publish write an identity, and say what to do next', async () => {
    const folder = join(createTestFolder('identity'), 'identity');
    const written = await init(
      folder,
      '--contact',
      'mailto:a@bot.example',
      '--contact',
      'https://bot.example/',
    );
    expect(written).toMatchObject({ code: 0, stderr: '' });
    expect(written.stdout).toContain(`serve the folder ${join(folder, 'public')} at ${AGENT}, then run:`);
    expect(written.stdout).toContain(`maycrawl identity check ${AGENT}`);
    expect(readJson(folder, 'public/signature-agent-card.json').contacts).toHaveLength(2);
    const rotated = await runHere(['identity', 'rotate', folder, '--lead', '1h', '--overlap', '0s']);
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    expect(rotated.stdout).toMatch(
      /key [\w-]{43}: from \S+ until \S+\nkey [\w-]{43}: from \S+ without end\n/,
    );
    const published = await runHere(['identity', 'publish', folder, '--json']);
    expect(JSON.parse(published.stdout)).toMatchObject({ agent: AGENT, keys: [{}, {}] });
  });

  test('an identity that exists stays, and an error has one line', async () => {
    const folder = join(createTestFolder('identity'), 'identity');
    await init(folder);
    expect(await init(folder)).toMatchObject({
      code: 2,
      stderr: `maycrawl: ${folder}: it has an identity; maycrawl identity rotate adds a key to it\n`,
    });
    const none = createTestFolder('identity');
    for (const name of ['rotate', 'publish'])
      expect(await runHere(['identity', name, none])).toMatchObject({
        code: 2,
        stderr: `maycrawl: ${none}: not the folder of an identity: it has no identity.json\n`,
      });
  });

  test.each([
    [['--agent', 'http://bot.example'], '--agent must be an https origin'],
    [['--agent', 'https://bot.example/path'], '--agent must be an https origin'],
    [['--name', 'My Bot/1'], '--name must be a product token'],
    [['--contact', 'a'], '--contact must be a URL'],
    [['--page', 'mailto:a@b.example'], '--page must be a URL'],
    [['--ips', 'http://bot.example/ips.json'], '--ips must be a URL'],
    [['--signed-for', '1s'], '--signed-for must be a duration from 1h'],
  ])('refuses %j, and writes nothing', async (args, message) => {
    const folder = join(createTestFolder('identity'), 'identity');
    const { code, stderr } = await init(folder, ...args);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(() => statSync(folder)).toThrow();
  });

  test('a folder that cannot be written is an error', async () => {
    const folder = createTestFolder('identity');
    writeFileSync(join(folder, 'keys'), 'a file');
    expect(await init(folder)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^maycrawl: .*\n$/) });
    const locked = join(createTestFolder('identity'), 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    const { code } = await init(join(locked, 'identity'));
    // Root may write everywhere.
    expect(code).toBe(process.getuid?.() === 0 ? 0 : 2);
  });
});
