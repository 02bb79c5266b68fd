import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { isSealed, SecretBox } from '../../src/secrets/secret-box.ts';
import { KEY_VARIABLE, openKeyFile, readKeyVariable } from '../../src/secrets/secret-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a sealed secret', () => {
  const box = new SecretBox(Buffer.alloc(32, 7));
  const secret = 'slack:https://hooks.example/T0/B0/token';

  test('opens with the same key and context (arbitrary texts)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string(), (text, context) => {
        const sealed = box.seal(text, context);
        expect(sealed).toMatch(/^sealed:v1:[A-Za-z0-9_-]+$/);
        expect(box.open(sealed, context)).toBe(text);
      }),
    );
  });

  test('is the same for the same secret and context, so that it can be compared', () => {
    expect(box.seal(secret, 'target')).toBe(box.seal(secret, 'target'));
    expect(box.seal(secret, 'target')).not.toBe(box.seal(secret, 'other'));
    expect(box.seal(secret, 'target')).not.toBe(box.seal(`${secret}1`, 'target'));
    expect(isSealed(box.seal(secret, 'target'))).toBe(true);
    expect(isSealed(secret)).toBe(false);
  });

  test('does not open with another key or context, or after any change of a byte', () => {
    const sealed = box.seal(secret, 'target');
    const unreadable = expect.objectContaining({ code: 'unreadable-secret' });
    expect(() => new SecretBox(Buffer.alloc(32, 8)).open(sealed, 'target')).toThrow(unreadable);
    expect(() => box.open(sealed, 'other')).toThrow(unreadable);
    expect(() => box.open(secret, 'target')).toThrow(unreadable);
    const bytes = Buffer.from(sealed.slice('sealed:v1:'.length), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => box.open(`sealed:v1:${changed.toString('base64url')}`, 'target')).toThrow(unreadable);
    }
    for (let length = 0; length < bytes.length; length++)
      expect(() =>
        box.open(`sealed:v1:${bytes.subarray(0, length).toString('base64url')}`, 'target'),
      ).toThrow(unreadable);
  });

  test('does not contain the secret, and no error message does', () => {
    expect(box.seal(secret, 'target')).not.toContain('token');
    expect(() => new SecretBox(Buffer.alloc(31))).toThrow('a key has 32 bytes, not 31');
    const key = 'not a key but a secret';
    expect(() => readKeyVariable({ [KEY_VARIABLE]: key })).toThrow(/^(?!.*not a key but).*is no key/);
  });
});

describe('the key', () => {
  test('comes from the environment in base64 or hexadecimal', () => {
    const key = randomBytes(32);
    for (const text of [key.toString('base64'), key.toString('hex'), ` ${key.toString('base64url')}\n`])
      expect(readKeyVariable({ [KEY_VARIABLE]: text })).toEqual(key);
    expect(readKeyVariable({})).toBeUndefined();
    expect(readKeyVariable({ [KEY_VARIABLE]: '' })).toBeUndefined();
  });

  test('is in a file beside the database, which is created once and readable only by its owner', () => {
    const database = join(folder, 'watch.sqlite');
    const key = openKeyFile(database);
    expect(key.length).toBe(32);
    expect(statSync(`${database}.key`).mode & 0o777).toBe(0o600);
    expect(openKeyFile(database)).toEqual(key);
    expect(readFileSync(`${database}.key`, 'utf8').trim()).toBe(key.toString('base64'));
  });

  test('is refused if other users can read its file, or if the file is invalid or unreadable', () => {
    const exposed = join(folder, 'exposed.sqlite');
    openKeyFile(exposed);
    chmodSync(`${exposed}.key`, 0o640);
    expect(() => openKeyFile(exposed)).toThrow(expect.objectContaining({ code: 'key-exposed' }));
    const damaged = join(folder, 'damaged.sqlite');
    writeFileSync(`${damaged}.key`, 'short\n', { mode: 0o600 });
    expect(() => openKeyFile(damaged)).toThrow(expect.objectContaining({ code: 'invalid-key' }));
    const missing = join(folder, 'no', 'such', 'folder');
    expect(() => openKeyFile(missing)).toThrow(expect.objectContaining({ code: 'key-unavailable' }));
  });
});
