import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, expect, test, vi } from 'vitest';
import { serve, serveRaw } from '../../../../client/test/support/server.ts';
import { getSecrets, redact } from '../../../src/watch/notifications/targets/secrets.ts';
import {
  describeTarget,
  parseTarget,
  resolveTarget,
} from '../../../src/watch/notifications/targets/target.ts';
import { deliverTo } from './alerts.ts';

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closings.splice(0)) await close();
});

const SECRET = /s3cr3t/i;
const LOGIN = 's3cr3t-user:s3cr3t%3Apass@';
const WHERE = '/s3cr3t-path/s3cr3t%20segment?key=s3cr3t-query#s3cr3t-hash';

/** Starts a receiver that quotes the request in its status message, headers and body. */
async function serveQuotes(status: number): Promise<string> {
  const { origin, close } = await serve((request, response) => {
    const all = `${request.url} ${request.headers.authorization}`;
    response
      .writeHead(status, all, { location: `http://127.0.0.1${request.url}`, 'retry-after': all })
      .end(all);
  });
  closings.push(close);
  return origin;
}

async function serveMail(): Promise<number> {
  const server = new SMTPServer({
    allowInsecureAuth: true,
    closeTimeout: 10,
    logger: false,
    onAuth: ({ username, password }, _session, done) => done(new Error(`no ${username} has ${password}`)),
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  closings.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return (server.server.address() as AddressInfo).port;
}

test('no message about a delivery contains a secret', async () => {
  const written: unknown[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  const log = (_severity: string, line: string): void => void written.push(line);
  const broken = await serveRaw((socket, request) => socket.end(`HTTP/1.1 ${request}`));
  closings.push(broken.close);
  const gone = await serveQuotes(200);
  await closings.pop()?.();
  const origins = [
    await serveQuotes(302),
    await serveQuotes(404),
    await serveQuotes(410),
    await serveQuotes(429),
    broken.origin,
    gone,
  ];
  const urls = origins.map((origin) => `${origin.replace('//', `//${LOGIN}`)}${WHERE}`);
  const shell = `echo "$0 $1 $MAYCRAWL_WEBHOOK_SECRET $MAYCRAWL_SMTP_URL" >&2; exit 1`;
  const targets = [
    ...urls,
    ...urls.map((url) => `slack:${url}`),
    `exec:/bin/sh -c '${shell}' s3cr3t-argument 's3cr3t argument'`,
    `exec:/no/program s3cr3t-argument`,
    'mailto:owner@site.example',
    'log',
  ];
  const environment = {
    MAYCRAWL_SMTP_URL: `smtp://${LOGIN}127.0.0.1:${await serveMail()}`,
    MAYCRAWL_MAIL_FROM: 'robots@sender.example',
    MAYCRAWL_WEBHOOK_SECRET: 's3cr3t-of-signatures',
  };
  const messages: unknown[] = [];
  for (const target of targets) {
    const withTarget = { ...environment, HOOK: target };
    for (const each of [target, 'env:HOOK'])
      messages.push(describeTarget(each), await deliverTo(each, { environment: withTarget, log }));
  }
  for (const url of ['smtp://s3cr3t:s3cr3t@h/s3cr3t', 's3cr3t', 'smtp://s3cr3t:s3cr3t@127.0.0.1:1'])
    messages.push(
      await deliverTo('mailto:a@b.example', { environment: { ...environment, MAYCRAWL_SMTP_URL: url } }),
    );
  for (const wrong of [
    's3cr3t',
    'https:/s3cr3t',
    'slack:s3cr3t',
    'mailto:s3cr3t',
    "exec:a 's3cr3t",
    'exec:a $s3cr3t',
  ]) {
    messages.push(
      describeTarget(wrong),
      getErrorMessage(() => parseTarget(wrong)),
    );
    messages.push(getErrorMessage(() => resolveTarget({ kind: 'env', name: 'HOOK' }, { HOOK: wrong })));
    messages.push(await deliverTo('env:HOOK', { environment: { HOOK: wrong } }));
  }
  vi.restoreAllMocks();
  for (const text of messages) expect(JSON.stringify(text)).not.toMatch(SECRET);
  for (const text of written) expect(String(text)).not.toMatch(SECRET);
  // The receivers did quote the secrets, which were redacted.
  expect(JSON.stringify(messages)).toContain('ended with 1: [redacted] [redacted]');
  expect(JSON.stringify(messages)).toContain('answered: 535 no [redacted] has [redacted]');
  expect(written.length).toBeGreaterThan(0);
});

test('neither a quoted URL nor a part of it is shown', () => {
  const url = `https://${LOGIN}hooks.example${WHERE}`;
  const secrets = getSecrets({ kind: 'webhook', url: new URL(url).href }, {});
  const { href, pathname, search, username, password } = new URL(url);
  for (const part of [
    href,
    pathname,
    pathname + search,
    search.slice(5),
    username,
    password,
    's3cr3t segment',
  ])
    expect(redact(`no connection: ${part}`, secrets)).toMatch(/^no connection: [^s]*\[redacted\][^s]*$/);
  expect(redact('nothing', secrets)).toBe('nothing');
});

function getErrorMessage(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return `${error}`;
  }
  throw new Error('nothing was thrown');
}
