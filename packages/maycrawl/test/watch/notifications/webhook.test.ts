import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { serve, serveRaw, type TestServer } from '../../../../client/test/support/server.ts';
import type { Receipt } from '../../../src/watch/notifications/delivery/receipt.ts';
import { verifySignature } from '../../../src/watch/notifications/delivery/signature.ts';
import { toJson } from '../../../src/watch/notifications/messages/bodies.ts';
import { createMessage, deliverTo, NOW, toAlert } from './alerts.ts';

interface Received {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Starts a receiver that reads the message and then responds. */
async function startReceiver(
  respond: (response: ServerResponse) => void,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', headers } = request;
    received.push({ method, headers, body: Buffer.concat(chunks).toString() });
    respond(response);
  };
  const server = await serve(listener);
  servers.push(server);
  return { url: `${server.origin}/hook?key=1`, received };
}

function respondWith(
  status: number,
  headers: Record<string, string> = {},
): (response: ServerResponse) => void {
  return (response) => response.writeHead(status, headers).end('whatever');
}

describe('a webhook', () => {
  test('gets the message in JSON once', async () => {
    const { url, received } = await startReceiver(respondWith(204));
    expect(await deliverTo(url)).toEqual({ kind: 'delivered' });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      method: 'POST',
      body: toJson(createMessage({})),
      headers: {
        'content-type': 'application/json',
        'idempotency-key': 'message-1',
        'user-agent': 'maycrawl',
      },
    });
    expect(received[0]?.headers).not.toHaveProperty('maycrawl-signature');
    expect(received[0]?.headers).not.toHaveProperty('authorization');
  });

  test('gets a signature if a secret is set, and the same body when it is sent again', async () => {
    const { url, received } = await startReceiver(respondWith(200));
    const environment = { MAYCRAWL_WEBHOOK_SECRET: 'whsec' };
    await deliverTo(url, { environment });
    await deliverTo(url, { environment, now: () => NOW + 3_600_000 });
    const [first, again] = received.map(({ headers, body }) => ({
      signature: String(headers['maycrawl-signature']),
      body,
    }));
    if (first === undefined || again === undefined) throw new Error('not received');
    expect(again.body).toBe(first.body);
    expect(again.signature).not.toBe(first.signature);
    expect(verifySignature(first.signature, first.body, 'whsec', NOW)).toBe(true);
    expect(verifySignature(first.signature, Buffer.from(first.body), 'whsec', NOW + 300_000)).toBe(true);
    expect(verifySignature(first.signature, first.body, 'whsec', NOW + 301_000)).toBe(false);
    expect(verifySignature(first.signature, first.body, 'whsec', NOW - 301_000)).toBe(false);
    expect(verifySignature(first.signature, first.body, 'other', NOW)).toBe(false);
    expect(verifySignature(first.signature, `${first.body} `, 'whsec', NOW)).toBe(false);
    for (const header of ['', 't=1', `${first.signature}0`, first.signature.replace('v1', 'v2'), 't=1,v1='])
      expect(verifySignature(header, first.body, 'whsec', NOW)).toBe(false);
    expect(verifySignature(first.signature, first.body, '', NOW)).toBe(false);
  });

  test('gets the login of its URL, and no id with characters that a header may not contain', async () => {
    const { url, received } = await startReceiver(respondWith(200));
    const message = { id: 'a\r\nevil: 1', alerts: [toAlert()] };
    await deliverTo(url.replace('http://', 'http://user:p%40ss@'), {}, message);
    const login = Buffer.from('user:p@ss').toString('base64');
    expect(received[0]?.headers).toMatchObject({
      authorization: `Basic ${login}`,
      'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(received[0]?.headers).not.toHaveProperty('evil');
  });

  test.each([
    [400, true],
    [401, false],
    [403, false],
    [404, false],
    [408, false],
    [409, false],
    [410, true],
    [413, true],
    [415, true],
    [422, true],
    [500, false],
    [502, false],
    [599, false],
  ])('that responds with %i has failed (final: %s)', async (status, isFinal) => {
    const { url } = await startReceiver(respondWith(status, { 'retry-after': '60' }));
    expect(await deliverTo(url)).toEqual({
      kind: 'failed',
      code: 'http-status',
      reason: expect.stringMatching(new RegExp(`^the receiver answered ${status}\\b`)),
      retryAt: null,
      isFinal,
    });
  });

  test.each([
    [429, '120', NOW + 120_000],
    [503, '120', NOW + 120_000],
    [429, new Date(NOW + 60_000).toUTCString(), NOW + 60_000],
    [429, new Date(NOW - 60_000).toUTCString(), NOW],
    [429, '0', NOW],
    [429, '99999999', NOW + 86_400_000],
    [429, 'tomorrow', null],
    [429, '-5', null],
  ])(
    'that responds with %i and Retry-After: %s has the expected time of the next attempt',
    async (status, retryAfter, retryAt) => {
      const { url } = await startReceiver(respondWith(status, { 'retry-after': retryAfter }));
      expect(await deliverTo(url)).toMatchObject({ code: 'http-status', retryAt, isFinal: false });
    },
  );

  test('that redirects is not followed', async () => {
    const { url: elsewhere, received } = await startReceiver(respondWith(200));
    for (const status of [301, 302, 303, 307, 308]) {
      const { url } = await startReceiver(respondWith(status, { location: elsewhere }));
      expect(await deliverTo(url)).toMatchObject({
        code: 'redirect',
        reason: `the receiver answered ${status}, and redirects are not followed: use the URL of its target`,
        isFinal: false,
      });
    }
    expect(received).toHaveLength(0);
  });

  test('that hangs is aborted after the timeout', async () => {
    const { url } = await startReceiver(() => {});
    const raw = await serveRaw(() => {});
    servers.push(raw);
    // The last one hangs in the TLS handshake.
    for (const hanging of [url, raw.origin, raw.origin.replace('http:', 'https:')])
      expect(await deliverTo(hanging, { timeout: 100 })).toMatchObject({
        code: 'timeout',
        reason: 'not done within 100 ms',
        isFinal: false,
      });
  });

  test('is aborted when the caller aborts, before or during the delivery', async () => {
    const controller = new AbortController();
    const { url, received } = await startReceiver(() => controller.abort());
    const aborted = { code: 'aborted', isFinal: false };
    expect(await deliverTo(url, { signal: controller.signal })).toMatchObject(aborted);
    expect(await deliverTo(url, { signal: controller.signal })).toMatchObject(aborted);
    expect(received).toHaveLength(1);
  });

  test('that resets or closes the connection, or sends no HTTP, has failed', async () => {
    const reset = await serveRaw((socket) => socket.resetAndDestroy());
    const closed = await serveRaw((socket) => socket.end());
    const other = await serveRaw((socket) => socket.end('220 mail.example ESMTP\r\n'));
    const gone = await serve(() => {});
    servers.push(reset, closed, other);
    await gone.close();
    for (const [{ origin }, reason] of [
      [reset, /ECONNRESET|UND_ERR_SOCKET/],
      [closed, /UND_ERR_SOCKET/],
      [other, /does not match the HTTP/],
      [gone, /ECONNREFUSED/],
    ] as const)
      expect(await deliverTo(origin)).toMatchObject({
        code: 'network',
        reason: expect.stringMatching(reason),
        isFinal: false,
      });
  });

  test('has responded with its status, even if its body never ends or is incomplete', async () => {
    let sent = 0;
    let isClosed = false;
    const endless = await startReceiver((response) => {
      const write = (): void => {
        while (response.write(Buffer.alloc(16_384))) sent += 16_384;
      };
      response.on('drain', write).on('close', () => {
        isClosed = true;
      });
      write();
    });
    expect(await deliverTo(endless.url)).toEqual({ kind: 'delivered' });
    await expect.poll(() => isClosed).toBe(true);
    expect(sent).toBeLessThan(50_000_000);
    const stalled = await startReceiver((response) => response.writeHead(200).write('a'));
    expect(await deliverTo(stalled.url, { timeout: 100 })).toEqual({ kind: 'delivered' });
    const broken = await serveRaw((socket) => {
      socket.write('HTTP/1.1 500 no\r\ncontent-length: 9\r\n\r\na', () => socket.resetAndDestroy());
    });
    servers.push(broken);
    expect(await deliverTo(broken.origin)).toMatchObject({ code: 'http-status' });
  });

  test('at a private address is refused if private addresses are not allowed', async () => {
    const { url, received } = await startReceiver(respondWith(200));
    const receipts: Receipt[] = [];
    for (const target of [url, url.replace('127.0.0.1', 'localhost'), 'http://[::1]/', 'http://0x7f.1/'])
      receipts.push(await deliverTo(target, { allowPrivateAddresses: false }));
    for (const receipt of receipts)
      expect(receipt).toMatchObject({
        code: 'private-address',
        reason: expect.stringMatching(/^not a public/),
      });
    expect(received).toHaveLength(0);
  });
});

test('a message is not sent to a port of another protocol', async () => {
  const receipt = await deliverTo('http://127.0.0.1:25/hook', { allowPrivateAddresses: true });
  expect(receipt).toMatchObject({ kind: 'failed', code: 'blocked-port' });
});

describe('a Slack webhook', () => {
  test('gets text in the format of Slack', async () => {
    const { url, received } = await startReceiver(respondWith(200));
    expect(await deliverTo(`slack:${url}`, {}, createMessage({ title: '<!channel> `x`', text: '' }))).toEqual(
      {
        kind: 'delivered',
      },
    );
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      text: '*error* `&lt;!channel&gt; \\x60x\\x60`',
      unfurl_links: false,
      unfurl_media: false,
    });
  });
});

describe('other targets', () => {
  test('the log contains a line for each alert', async () => {
    const lines: string[] = [];
    const log = (severity: string, line: string): void => void lines.push(`${severity} ${line}`);
    const message = createMessage(
      { title: 'one\n\u001b[2Jtwo' },
      { id: 'b', severity: 'info', title: 'three' },
    );
    expect(await deliverTo('log', { log }, message)).toEqual({ kind: 'delivered' });
    expect(lines).toEqual(['error one\\x0a\\x1b[2Jtwo', 'info three']);
    expect(await deliverTo('log')).toMatchObject({ code: 'not-configured' });
  });

  test('a target in the environment gets the message, and a missing variable is named', async () => {
    const { url, received } = await startReceiver(respondWith(200));
    expect(await deliverTo('env:HOOK', { environment: { HOOK: url } })).toEqual({ kind: 'delivered' });
    expect(received).toHaveLength(1);
    expect(await deliverTo('env:HOOK')).toMatchObject({
      code: 'invalid-target',
      reason: expect.stringContaining('HOOK is not set'),
      isFinal: false,
    });
  });
});
