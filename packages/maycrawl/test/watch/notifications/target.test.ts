import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitCommand } from '../../../src/watch/notifications/targets/command-words.ts';
import {
  describeTarget,
  parseTarget,
  resolveTarget,
} from '../../../src/watch/notifications/targets/target.ts';
import { TargetError } from '../../../src/watch/notifications/targets/target-error.ts';
import { hostile, RUNS } from './alerts.ts';

describe('targets', () => {
  test.each([
    ['https://h.example/a?b=c', { kind: 'webhook', url: 'https://h.example/a?b=c' }, 'https://h.example/…'],
    [
      'HTTP://u:p@h.example:81',
      { kind: 'webhook', url: 'http://u:p@h.example:81/' },
      'http://h.example:81/…',
    ],
    [
      'slack:https://s.example/T/B',
      { kind: 'slack', url: 'https://s.example/T/B' },
      'slack:https://s.example/…',
    ],
    ['mailto:a@b.example', { kind: 'mail', address: 'a@b.example' }, 'mailto:a@b.example'],
    ['mailto:a%2Bb@b.example', { kind: 'mail', address: 'a+b@b.example' }, 'mailto:a+b@b.example'],
    [
      'exec:notify --to "the team"',
      { kind: 'exec', command: ['notify', '--to', 'the team'] },
      'exec:notify …',
    ],
    ['exec:/bin/notify', { kind: 'exec', command: ['/bin/notify'] }, 'exec:/bin/notify'],
    ['feed:public/feed.xml', { kind: 'feed', path: 'public/feed.xml' }, 'feed:public/feed.xml'],
    ['log', { kind: 'log' }, 'log'],
    ['env:HOOK', { kind: 'env', name: 'HOOK' }, 'env:HOOK'],
  ])('%s is parsed and described', (text, target, description) => {
    expect(parseTarget(text)).toEqual(target);
    expect(describeTarget(text)).toBe(description);
  });

  test.each([
    ['', 'unknown-target'],
    ['hooks.example/secret', 'unknown-target'],
    ['ftp://secret.example/', 'unknown-target'],
    ['https:secret', 'invalid-url'],
    ['https://', 'invalid-url'],
    ['https://%zz:secret@h.example/', 'invalid-url'],
    ['slack:mailto:secret@h.example', 'invalid-url'],
    ['slack:ftp://secret.example/', 'invalid-url'],
    ['mailto:secret', 'invalid-address'],
    ['mailto:a@b.example,secret@c.example', 'invalid-address'],
    ['mailto:a@b.example?bcc=secret@c.example', 'invalid-address'],
    ['mailto:a@b.example%0d%0aBcc:secret@c.example', 'invalid-address'],
    ['mailto:%zz', 'invalid-address'],
    ['exec:', 'invalid-command'],
    ['exec:notify "secret', 'invalid-command'],
    ['exec:notify | secret', 'invalid-command'],
    ['exec:notify $secret', 'invalid-command'],
    ['feed:', 'invalid-path'],
    ['feed:secret/', 'invalid-path'],
    ['env:', 'invalid-variable'],
    ['env:https://secret.example/', 'invalid-variable'],
  ])('%s is not a target', (text, code) => {
    const error = getError(() => parseTarget(text));
    expect(error).toMatchObject({ name: 'TargetError', code });
    expect(error.message).not.toMatch(/secret|\n/);
    expect(describeTarget(text)).toBe('(no target)');
  });

  test('a variable of the environment may contain a target', () => {
    const target = { kind: 'env', name: 'HOOK' } as const;
    expect(resolveTarget(target, { HOOK: 'log' })).toEqual({ kind: 'log' });
    for (const [value, code] of [
      [undefined, 'missing-variable'],
      ['', 'missing-variable'],
      ['env:OTHER', 'invalid-variable'],
      ['secret', 'unknown-target'],
    ] as const) {
      const error = getError(() => resolveTarget(target, { HOOK: value }));
      expect(error).toMatchObject({ code });
      expect(error.message).toContain('HOOK');
      expect(error.message).not.toContain('secret');
    }
  });

  test('any text is a target, or is rejected with an error of one line', () => {
    const schemes = fc.constantFrom('', 'https://', 'slack:https://', 'mailto:', 'exec:', 'feed:', 'env:');
    fc.assert(
      fc.property(schemes, hostile, (scheme, rest) => {
        expect(describeTarget(scheme + rest)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        try {
          parseTarget(scheme + rest);
        } catch (error) {
          expect(error).toBeInstanceOf(TargetError);
          expect((error as Error).message).not.toMatch(/\n/);
        }
      }),
      RUNS,
    );
  });
});

describe('the arguments of a command', () => {
  test.each([
    ['a b  c\t d', ['a', 'b', 'c', 'd']],
    ["a 'b $c | d' e", ['a', 'b $c | d', 'e']],
    ['a "b \\"c\\" \\$d \\n" e', ['a', 'b "c" $d \\n', 'e']],
    ['a\\ b c\\$', ['a b', 'c$']],
    [`a"b"'c'd ""`, ['abcd', '']],
    ["/bin/sh -c 'echo $HOME > x'", ['/bin/sh', '-c', 'echo $HOME > x']],
  ])('%s is split into arguments', (command, words) => {
    expect(splitCommand(command)).toEqual(words);
  });

  test.each([
    'a > b',
    'a; b',
    'a & b',
    'a `b`',
    'a "`b`"',
    'a "$b"',
    'a *',
    '~/a',
    '{a,b}',
    'a #b',
    "a 'b",
    'a\\',
  ])('%s is rejected, because it needs a shell or has an unclosed quote', (command) => {
    expect(() => splitCommand(command)).toThrow(TargetError);
  });

  test('quoted arguments are parsed without a change', () => {
    const word = hostile.map((text) => text.replaceAll('\0', ''));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (words) => {
        const quoted = words.map((each) => `'${each.replaceAll("'", "'\\''")}'`);
        expect(splitCommand(`program ${quoted.join(' ')}`)).toEqual(['program', ...words]);
      }),
      RUNS,
    );
  });
});

function getError(act: () => unknown): TargetError {
  try {
    act();
  } catch (error) {
    return error as TargetError;
  }
  throw new Error('nothing was thrown');
}
