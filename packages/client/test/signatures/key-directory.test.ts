import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { getThumbprint, parseKeyDirectory } from '../../src/signatures/key-directory.ts';
import { RFC_ED25519, RFC_RSA } from './vectors.ts';

const JWK = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });

test('the thumbprints of keys are those of RFC 8037 and of the draft', () => {
  const key = { crv: 'Ed25519', kty: 'OKP', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  expect(getThumbprint(key)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  expect(getThumbprint({ ...RFC_ED25519, kid: 'x', alg: 'x' })).toBe(
    'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  );
  expect(getThumbprint(RFC_RSA)).toBe('oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA');
});

describe('directories of keys', () => {
  test('the keys of RFC 9421, whose private parts are published, are ignored', () => {
    expect(parseKeyDirectory(Buffer.from(JSON.stringify({ keys: [RFC_ED25519, RFC_RSA] })))?.size).toBe(0);
  });

  test.each<[unknown, number | undefined]>([
    [{ keys: [JWK, JWK] }, 1],
    [{ keys: [null, 7, 'x', [], {}, { kty: 'oct', k: 'AA' }, { kty: '__proto__' }] }, 0],
    [
      {
        keys: [
          { kty: 'OKP', crv: 'Ed25519', x: 'AA' },
          { kty: 'OKP', crv: 'Ed448', x: 'AA' },
          { kty: 'RSA', n: 'AQAB', e: 'AQAB' },
        ],
      },
      0,
    ],
    [{ keys: [{ ...JWK, use: 'enc' }] }, 0],
    [{ keys: {} }, undefined],
    [[], undefined],
    [null, undefined],
    [{ keys: Array.from({ length: 101 }, () => JWK) }, undefined],
  ])('%#', (value, size) => {
    expect(parseKeyDirectory(Buffer.from(JSON.stringify(value)))?.size).toBe(size);
  });

  test('a short RSA key is ignored', () => {
    const jwk = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
    expect(parseKeyDirectory(Buffer.from(JSON.stringify({ keys: [jwk] })))?.size).toBe(0);
  });

  test('a file that is no JSON, or too long, is no directory', () => {
    expect(parseKeyDirectory(Buffer.from('{'))).toBeUndefined();
    expect(parseKeyDirectory(Buffer.alloc(300_000, ' '))).toBeUndefined();
  });
});
