import { createHash, createPrivateKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type PublicKey, toPublicKey, verifyWithKey } from '../../src/signatures/key-directory.ts';
import { createComponent, signMessage } from '../../src/signatures/sign-message.ts';
import {
  buildSignatureBase,
  type ComponentReader,
  serializeMember,
} from '../../src/signatures/signature-base.ts';
import { type InnerList, type Item, parseDictionary } from '../../src/signatures/structured-fields.ts';
import {
  DIRECTORY_VECTOR,
  DRAFT_VECTORS,
  RFC_ED25519,
  RFC_PRIVATE_ED25519,
  RFC_RSA,
  VECTOR_AGENT,
} from './vectors.ts';

const key = createPrivateKey({ key: RFC_PRIVATE_ED25519, format: 'jwk' });
const ED25519 = toPublicKey(RFC_ED25519) as PublicKey;

/** The bytes of the only signature of a field. */
function readSignature(field: string): Uint8Array {
  return ([...(parseDictionary(field)?.values() ?? [])][0] as Item).bare.value as Uint8Array;
}

/** The parameters of the only signature of a field. */
function readInput(field: string): InnerList {
  return [...(parseDictionary(field)?.values() ?? [])][0] as InnerList;
}

/** What {@link signMessage} takes, from a field of a vector. */
function readContent(field: string): Parameters<typeof signMessage>[1] {
  const { items, parameters } = readInput(field);
  const entries = [...parameters].map(([name, { value }]) => [name, value]);
  return {
    label: field.slice(0, field.indexOf('=')),
    components: items,
    parameters: Object.fromEntries(entries) as Record<string, string | number>,
  };
}

describe('RFC 9421, B.2.6: the base and the signature of a request with Ed25519', () => {
  const field =
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';
  const signature =
    'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:';
  const components: Readonly<Record<string, string>> = {
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    '@method': 'POST',
    '@path': '/foo',
    '@authority': 'example.com',
    'content-type': 'application/json',
    'content-length': '18',
  };
  const base = buildSignatureBase(readInput(field), (name) => components[name]);

  test('the base', () => {
    expect(base).toBe(
      [
        '"date": Tue, 20 Apr 2021 02:07:55 GMT',
        '"@method": POST',
        '"@path": /foo',
        '"@authority": example.com',
        '"content-type": application/json',
        '"content-length": 18',
        '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      ].join('\n'),
    );
  });

  test('is verified', () => {
    expect(verifyWithKey(ED25519, base as string, readSignature(signature))).toBe(true);
    expect(verifyWithKey(ED25519, `${base} `, readSignature(signature))).toBe(false);
  });

  test('is what signing gives', () => {
    const signed = signMessage(key, readContent(field), (name) => components[name]);
    expect(signed).toEqual({ input: field, signature });
  });
});

describe('the test vectors of the draft', () => {
  const createReader =
    (agent: string): ComponentReader =>
    (name, component) => {
      if (name === '@authority') return 'example.com';
      return component.parameters.size === 0 ? agent : serializeMember(parseDictionary(agent), component);
    };

  test.each(DRAFT_VECTORS)('$name is verified', ({ agent, input, signature }) => {
    const base = buildSignatureBase(readInput(input), createReader(agent)) as string;
    const publicKey = input.includes('ed25519') ? ED25519 : (toPublicKey(RFC_RSA) as PublicKey);
    expect(verifyWithKey(publicKey, base, readSignature(signature))).toBe(true);
  });

  const signed = DRAFT_VECTORS.filter(({ input }) => input.includes('ed25519'));
  test.each(signed)('$name is what signing gives', ({ agent, input, signature }) => {
    expect(signMessage(key, readContent(input), createReader(agent))).toEqual({ input, signature });
    expect(agent).toContain(VECTOR_AGENT);
  });

  test('a signed response of a directory', () => {
    const { authority, body, digest, input, signature } = DIRECTORY_VECTOR;
    expect(`sha-256=:${createHash('sha256').update(body).digest('base64')}:`).toBe(digest);
    const content = readContent(input);
    const read: ComponentReader = (name) => (name === '@authority' ? authority : digest);
    expect(signMessage(key, content, read)).toEqual({ input, signature });
    const components = [createComponent('@authority', { req: true }), createComponent('content-digest')];
    expect(signMessage(key, { ...content, components }, read)).toEqual({ input, signature });
  });
});

test('a component without a value, or with several lines, is not signed', () => {
  const content = { label: 'a', components: [createComponent('x')], parameters: {} };
  for (const value of [undefined, 'a\nb', 'a\r'])
    expect(() => signMessage(key, content, () => value)).toThrow(RangeError);
});
