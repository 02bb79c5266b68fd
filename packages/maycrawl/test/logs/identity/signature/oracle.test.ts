import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signatureHeaders } from 'web-bot-auth';
import { signerFromJWK } from 'web-bot-auth/crypto';
import {
  type KeyDirectory,
  parseKeyDirectory,
} from '../../../../src/logs/identity/signature/key-directory.ts';
import { createSignatureVerifier } from '../../../../src/logs/identity/signature/signature-verifier.ts';

const AGENT = 'https://bot.example';
const CREATED = Date.UTC(2026, 10, 20);
const EXPIRES = CREATED + 300_000;

/** Components that a log has. */
const COMPONENTS = ['@method', '@path', '@query', '@target-uri', '@scheme', 'user-agent'] as const;

const pair = generateKeyPairSync('ed25519');
const directory = parseKeyDirectory(
  Buffer.from(JSON.stringify({ keys: [pair.publicKey.export({ format: 'jwk' })] })),
) as KeyDirectory;
const signer = await signerFromJWK(
  pair.privateKey.export({ format: 'jwk' }) as Parameters<typeof signerFromJWK>[0],
);
const verifier = createSignatureVerifier({ get: () => directory });

test('requests that the package web-bot-auth signs verify, and changed ones do not', async () => {
  const segment = fc.stringMatching(/^[a-z0-9._~-]{1,8}$/);
  const target = fc
    .tuple(fc.array(segment, { maxLength: 3 }), fc.option(segment, { nil: undefined }))
    .map(([path, query]) => new URL(`https://x/${path.join('/')}${query === undefined ? '' : `?q=${query}`}`))
    .map(({ pathname, search }) => pathname + search);
  const change = fc.constantFrom('none', 'host', 'time');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('shop.example', 'shop.example:8443', 'www.shop.example'),
      target,
      fc.constantFrom('http', 'https'),
      fc.subarray([...COMPONENTS]),
      change,
      async (host, path, scheme, covered, changed) => {
        const userAgent = 'ExampleBot/1.0';
        const headers = { 'user-agent': userAgent, 'signature-agent': `"${AGENT}"` };
        const signed = await signatureHeaders(
          new Request(`${scheme}://${host}${path}`, { headers }),
          signer,
          {
            ...{ created: new Date(CREATED), expires: new Date(EXPIRES) },
            components: ['@authority', 'signature-agent', ...covered],
          },
        );
        const request = {
          ...{
            method: 'GET',
            target: path,
            status: 200,
            bytes: 0,
            crawler: 'ExampleBot',
            userAgent,
            address: null,
          },
          host: changed === 'host' ? 'evil.example' : host,
          time: changed === 'time' ? EXPIRES + 3_600_000 : CREATED + 1_000,
          signature: {
            agent: headers['signature-agent'],
            input: signed['Signature-Input'],
            signature: signed.Signature,
          },
        };
        expect(verifier.verify(request, [AGENT])).toBe(changed === 'none' ? 'match' : 'mismatch');
      },
    ),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 100) },
  );
});
