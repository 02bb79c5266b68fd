import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isInnerList, parseDictionary, serializeInnerList } from 'structured-headers';
import { Agent } from 'undici';
import { describe, expect, test } from 'vitest';
import { createRobotsFetch } from '../../src/adapters/fetch.ts';
import { fetchRobotsTxt } from '../../src/robots/fetch.ts';
import { createRequestSigner, type SignatureOptions } from '../../src/signatures/request-signer.ts';
import { newClient, redirectTo, startSite } from '../adapters/site.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serve } from '../support/server.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const signature: SignatureOptions = { key: privateKey, agent: 'https://bot.example', allowHttp: true };
const NAMES = ['signature', 'signature-input', 'signature-agent'] as const;

/** A naive verifier: the server's view of a request, by the package structured-headers and node:crypto. */
function isSigned({
  method,
  url = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  const [bytes, input, agent] = NAMES.map((name) => parseDictionary(String(headers[name] ?? '')).get('sig'));
  if (bytes === undefined || input === undefined || agent === undefined || !isInnerList(input)) return false;
  const base = [
    `"@method": ${method}`,
    `"@authority": ${headers.host}`,
    `"@path": ${url.split('?')[0]}`,
    `"signature-agent";key="sig": "${String(agent[0])}"`,
    `"@signature-params": ${serializeInnerList(input)}`,
  ].join('\n');
  return verify(null, Buffer.from(base), publicKey, Buffer.from(bytes[0] as ArrayBuffer));
}

const hasNoSignature = (headers: IncomingHttpHeaders): boolean =>
  NAMES.every((name) => headers[name] === undefined);

/** A server, and what it received. */
async function record(listener: RequestListener) {
  const received: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
  const { origin } = await closeAtEnd(
    serve((request, response) => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers });
      listener(request, response);
    }),
  );
  return { origin, received };
}

describe('robots.txt', () => {
  test('each request is signed for its own authority and path, also after redirects', async () => {
    const last = await record((_, response) => response.end('User-agent: *\nDisallow: /x\n'));
    const first = await record((_, response) =>
      response.writeHead(301, { location: `${last.origin}/robots.txt?moved` }).end(),
    );
    const client = newClient({ signature });
    expect(await client.decide(`${first.origin}/x`)).toMatchObject({ kind: 'disallowed' });
    const requests = [...first.received, ...last.received];
    expect(requests.map(({ url }) => url)).toEqual(['/robots.txt', '/robots.txt', '/robots.txt?moved']);
    expect(requests.map(isSigned)).toEqual([true, true, true]);
    expect(first.received[0]?.headers['signature']).not.toBe(last.received[0]?.headers['signature']);
    expect(requests[0]?.headers['signature-agent']).toBe(
      'sig="https://bot.example/.well-known/http-message-signatures-directory"',
    );
  });

  test('plain http is not signed unless it is forced', async () => {
    const { origin, received } = await record((_, response) => response.end(''));
    const client = newClient({ signature: { ...signature, allowHttp: false } });
    await client.decide(`${origin}/x`);
    expect(received.map(({ headers }) => hasNoSignature(headers))).toEqual([true]);
  });

  test('the request for the home page in a long outage is signed, too', async () => {
    const { origin, received } = await record(({ url }, response) => {
      response.writeHead(url === '/robots.txt' ? 503 : 200).end();
    });
    let now = Date.now();
    const client = newClient({ signature, now: () => now });
    await client.decide(`${origin}/x`);
    now += 31 * 86_400_000;
    await client.decide(`${origin}/x`);
    expect(received.map(({ url }) => url)).toContain('/');
    expect(received.every(isSigned)).toBe(true);
  });

  test('the clock of the client is that of its signatures', async () => {
    const { origin, received } = await record((_, response) => response.end(''));
    await newClient({ signature, now: () => 1_735_689_600_123 }).decide(`${origin}/x`);
    expect(received[0]?.headers['signature-input']).toContain(';created=1735689600;');
  });

  test('a function that fetches gets the signer, and fetchRobotsTxt takes one', async () => {
    const { origin, received } = await record((_, response) => response.end(''));
    await fetchRobotsTxt(`${origin}/robots.txt`, { signer: createRequestSigner(signature) });
    expect(received.map(isSigned)).toEqual([true]);
  });

  test('without a key the request fails, and nothing is sent', async () => {
    const { origin, received } = await record((_, response) => response.end(''));
    const keys = [privateKey];
    const client = newClient({
      signature: {
        ...signature,
        key: () => {
          const [key] = keys;
          if (key === undefined) throw new Error('no key');
          return key;
        },
      },
    });
    keys.pop();
    await expect(client.decide(`${origin}/x`)).rejects.toMatchObject({
      name: 'LocalFailureError',
      code: 'caller-failed',
    });
    expect(received).toEqual([]);
  });
});

describe('the fetch adapter', () => {
  const start: typeof startSite = (robots) => closeAtEnd(startSite(robots));

  test('signs pages as the client does, each hop of a redirect with its own method', async () => {
    const site = await start();
    const other = await start();
    const fetch = createRobotsFetch(newClient({ signature }));
    const url = `${site.origin}${redirectTo(`${other.origin}${redirectTo('/page?q=1', 303)}`, 307)}`;
    const response = await fetch(url, { method: 'post', body: 'text', headers: { 'x-own': 'yes' } });
    expect(await response.text()).toContain('A page');
    const requests = [...site.received, ...other.received];
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    expect(requests.map(isSigned)).toEqual([true, true, true]);
    expect(requests.every(({ headers }) => headers['x-own'] === 'yes')).toBe(true);
    expect(new Set(requests.map(({ headers }) => headers['signature'])).size).toBe(3);
  });

  test('signs a Request, and a method as fetch sends it', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient({ signature }));
    await fetch(new Request(`${site.origin}/a`));
    await fetch(`${site.origin}/b`, { method: 'delete', redirect: 'manual' });
    await fetch(`${site.origin}/c`, { method: 'MyMethod', redirect: 'error' }).catch(() => {});
    expect(site.received.slice(0, 2).map(isSigned)).toEqual([true, true]);
    expect(site.received.map(({ method }) => method).slice(0, 2)).toEqual(['GET', 'DELETE']);
  });

  test('an option of its own takes precedence, also where the client does not sign', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient(), {
      signature: { ...signature, agent: 'https://other.example' },
    });
    await fetch(`${site.origin}/a`);
    expect(site.received[0]?.headers['signature-agent']).toContain('https://other.example/');
    expect(site.received.map(isSigned)).toEqual([true]);
  });

  test('no signature, not even one of the caller, goes to plain http', async () => {
    const site = await start();
    const fetch = createRobotsFetch(newClient({ signature: { ...signature, allowHttp: false } }));
    await fetch(`${site.origin}/a`, {
      headers: { 'Signature-Agent': 'x', Signature: 'y', 'signature-input': 'z' },
    });
    expect(site.received.map(({ headers }) => hasNoSignature(headers))).toEqual([true]);
  });

  test('without the option the headers of the caller stay', async () => {
    const site = await start();
    await createRobotsFetch(newClient())(`${site.origin}/a`, { headers: { signature: 'a=:AA==:' } });
    expect(site.received[0]?.headers['signature']).toBe('a=:AA==:');
  });

  test('https on a port of its own: the authority has the port', async () => {
    const folder = new URL('../support/certificates/', import.meta.url);
    const read = (name: string): Buffer => readFileSync(new URL(name, folder));
    const received: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
    const server = createServer({ key: read('server.key'), cert: read('valid.pem') }, (request, response) => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers });
      response.end('page');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const dispatcher = new Agent({ connect: { ca: read('ca.pem') } });
    try {
      const client = newClient({ signature: { ...signature, allowHttp: false } });
      const decider = { decide: async () => ({ kind: 'allowed' }), signer: client.signer } as never;
      const fetch = createRobotsFetch(decider);
      const port = (server.address() as AddressInfo).port;
      const init = { dispatcher } as unknown as RequestInit;
      expect(await (await fetch(`https://localhost:${port}/a?b`, init)).text()).toBe('page');
      expect(received.map(isSigned)).toEqual([true]);
      expect(received[0]?.headers.host).toBe(`localhost:${port}`);
    } finally {
      await dispatcher.close();
      server.closeAllConnections();
      server.close();
    }
  });
});

test('the signer of a client is the one of its requests, and undefined without the option', () => {
  expect(newClient().signer).toBeUndefined();
  const headers = newClient({ signature }).signer?.sign('https://a.example/', 'GET');
  expect(headers?.signature).toMatch(/^sig=:/);
  expect(createPublicKey(privateKey).equals(publicKey)).toBe(true);
});
