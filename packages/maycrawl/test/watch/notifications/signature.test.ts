import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signBody, verifySignature } from 'maycrawl/webhook';
import { expect, test } from 'vitest';
import { ROOT } from '../../support/run.ts';

const NOW = Date.UTC(2026, 0, 1);
const BODY = '{"id":"1"}';
const HEADER = signBody(BODY, 'secret', NOW);

test('maycrawl/webhook verifies a signature by the clock of the receiver', () => {
  expect(verifySignature(HEADER, BODY, 'secret', NOW)).toBe(true);
  expect(verifySignature(HEADER, Buffer.from(BODY), 'secret', NOW + 300_000)).toBe(true);
  expect(verifySignature(signBody(BODY, 'secret', Date.now()), BODY, 'secret')).toBe(true);
});

test.each<[string, Parameters<typeof verifySignature>]>([
  ['another body', [HEADER, `${BODY} `, 'secret', NOW]],
  ['another secret', [HEADER, BODY, 'secreT', NOW]],
  ['no secret', [HEADER, BODY, '', NOW]],
  ['no header', [undefined, BODY, 'secret', NOW]],
  ['no header of fetch', [null, BODY, 'secret', NOW]],
  ['what is no signature', ['t=1,v1=00', BODY, 'secret', NOW]],
  ['an old message', [HEADER, BODY, 'secret', NOW + 301_000]],
  ['one of the future', [HEADER, BODY, 'secret', NOW - 301_000]],
])('%s is refused', (_name, args) => {
  expect(verifySignature(...args)).toBe(false);
});

test('maycrawl/webhook imports no other module', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'packages/maycrawl/package.json'), 'utf8'));
  const source = readFileSync(join(ROOT, 'packages/maycrawl', exports['./webhook'].default), 'utf8');
  expect([...source.matchAll(/^(?:import|export) .*from '([^']+)'/gm)].map(([, name]) => name)).toEqual([
    'node:crypto',
  ]);
});
