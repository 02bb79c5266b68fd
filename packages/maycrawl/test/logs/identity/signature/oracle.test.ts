import { generateKeyPairSync } from 'node:crypto';
import { createRequestSigner } from '@maycrawl/client';
import { type KeyDirectory, parseKeyDirectory } from '@maycrawl/client/internal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signatureHeaders } from 'web-bot-auth';
import { signerFromJWK } from 'web-bot-auth/crypto';
import { getFuzzRuns } from '../../../../../../scripts/fuzz-runs.ts';
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
    { numRuns: getFuzzRuns(100) },
  );
});

test('requests that the client signs verify, and changed ones do not', () => {
  const change = fc.constantFrom('none', 'host', 'method', 'path', 'time', 'agent');
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true }),
      fc.constantFrom('GET', 'HEAD'),
      fc.constantFrom('directory' as const, 'origin' as const),
      change,
      (written, method, identifier, changed) => {
        const url = new URL(written.replace(/^http:/, 'https:'));
        const { privateKey: key } = pair;
        const signer = createRequestSigner({ key, agent: AGENT, identifier, now: () => CREATED });
        const headers = signer.sign(url.href, method);
        const target = url.pathname + url.search;
        const request = {
          ...{ status: 200, bytes: 0, crawler: 'ExampleBot', userAgent: 'ExampleBot/1.0', address: null },
          host: changed === 'host' ? `www.${url.host}` : url.host,
          method: changed === 'method' ? 'POST' : method,
          target: changed === 'path' ? `/x${target}` : target,
          time: changed === 'time' ? CREATED + 361_000 : CREATED + 300_000,
          signature: {
            agent: headers?.['signature-agent'] ?? '',
            input: headers?.['signature-input'] ?? '',
            signature: headers?.signature ?? '',
          },
        };
        const agents = [changed === 'agent' ? 'https://other.example' : AGENT];
        expect(verifier.verify(request, agents)).toBe(
          changed === 'none' ? 'match' : changed === 'agent' ? 'unknown' : 'mismatch',
        );
      },
    ),
    { numRuns: getFuzzRuns(100) },
  );
});
