import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/watch/message.ts';
import { createMessage, deliverTo, hostileMessage, RUNS, toAlert, UNPRINTABLE } from './alerts.ts';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

interface Mailbox {
  readonly port: number;
  readonly mails: { raw: string; from: string; to: string[] }[];
}

/** Starts a mail server on loopback, which accepts all mail by default. */
async function serveMail(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mails: Mailbox['mails'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 10,
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          const raw = Buffer.concat(chunks).toString('latin1');
          mails.push({
            raw,
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
          });
          done();
        });
    },
    ...options,
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  closings.push(() => new Promise((resolve) => server.close(resolve)));
  return { port: (server.server.address() as AddressInfo).port, mails };
}

/** Starts a server that sends a greeting, or nothing (`null`). */
async function serveGreeting(greeting: string | null): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (greeting !== null) socket.end(greeting);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(async () => void server.close());
  return (server.address() as AddressInfo).port;
}

function createEnvironment(port: number, login = ''): Record<string, string> {
  return {
    MAYCRAWL_SMTP_URL: `smtp://${login}127.0.0.1:${port}`,
    MAYCRAWL_MAIL_FROM: 'Robots <robots@sender.example>',
  };
}

function refuse(responseCode: number, text: string): (...all: unknown[]) => void {
  return (...all) => (all.at(-1) as (error: Error) => void)(Object.assign(new Error(text), { responseCode }));
}

async function parseMail({ mails }: Mailbox, index = 0): Promise<Email> {
  return PostalMime.parse(mails[index]?.raw ?? '');
}

describe('mail', () => {
  test('arrives as plain text, with the same id when it is sent again', async () => {
    const mailbox = await serveMail();
    const environment = createEnvironment(mailbox.port);
    expect(await deliverTo('mailto:owner@site.example', { environment })).toEqual({ kind: 'delivered' });
    await deliverTo('mailto:owner@site.example', { environment });
    const [first, again] = [await parseMail(mailbox), await parseMail(mailbox, 1)];
    expect(mailbox.mails[0]).toMatchObject({ from: 'robots@sender.example', to: ['owner@site.example'] });
    expect(first).toMatchObject({
      from: { name: 'Robots', address: 'robots@sender.example' },
      to: [{ address: 'owner@site.example' }],
      subject: `[maycrawl] error: ${toAlert().title}`,
      messageId: '<message-1@sender.example>',
      date: '2026-11-21T10:00:00.000Z',
    });
    expect(first.text?.trim()).toBe(`error: ${toAlert().title}\n\n${toAlert().text}`);
    expect(first.html).toBeUndefined();
    expect(first.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    expect(again.messageId).toBe(first.messageId);
  });

  test('authenticates if the URL has a login', async () => {
    const mailbox = await serveMail({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        const isRight = username === 'user@x' && password === 'p:ss/word';
        done(isRight ? null : new Error('unknown login'), isRight ? { user: username } : undefined);
      },
    });
    const deliverWithLogin = (login: string) =>
      deliverTo('mailto:owner@site.example', { environment: createEnvironment(mailbox.port, login) });
    expect(await deliverWithLogin('user%40x:p%3Ass%2Fword@')).toEqual({ kind: 'delivered' });
    expect(await deliverWithLogin('user%40x:wrongword@')).toMatchObject({
      code: 'smtp',
      reason: expect.stringContaining('535'),
      isFinal: false,
    });
    expect(await deliverWithLogin('')).toMatchObject({
      code: 'smtp',
      reason: expect.stringContaining('530'),
      isFinal: false,
    });
    expect(mailbox.mails).toHaveLength(1);
  });

  test('has failed finally if the server rejects the recipient, but not if the server is busy', async () => {
    for (const [options, code, isFinal] of [
      [{ onRcptTo: refuse(550, 'no such user') }, 550, true],
      [{ onRcptTo: refuse(451, 'busy') }, 451, false],
      [{ onMailFrom: refuse(550, 'not you') }, 550, false],
      [{ onData: refuseData(554, 'spam') }, 554, true],
      [{ onData: refuseData(452, 'full') }, 452, false],
      [{ onConnect: refuse(554, 'go away') }, 554, false],
    ] as [SMTPServerOptions, number, boolean][]) {
      const { port } = await serveMail(options);
      const receipt = await deliverTo('mailto:a@b.example', { environment: createEnvironment(port) });
      expect(receipt).toMatchObject({
        code: 'smtp',
        reason: expect.stringMatching(new RegExp(`^the mail server 127\\.0\\.0\\.1 answered: ${code} `)),
        isFinal,
        retryAt: null,
      });
    }
  });

  test('waits for a server until the timeout', async () => {
    const port = await serveGreeting(null);
    const receipt = await deliverTo('mailto:a@b.example', {
      environment: createEnvironment(port),
      timeout: 100,
    });
    expect(receipt).toMatchObject({ code: 'timeout', isFinal: false });
  });

  test('fails if the server closes the connection, is not a mail server, or is unreachable', async () => {
    const { port } = await serveMail();
    await closings.pop()?.();
    for (const each of [await serveGreeting(''), await serveGreeting('HTTP/1.1 400 Bad\r\n'), port]) {
      const receipt = await deliverTo('mailto:a@b.example', { environment: createEnvironment(each) });
      expect(receipt).toMatchObject({ code: 'smtp', isFinal: false });
    }
  });

  test('sends a password in clear text only to this machine', async () => {
    let logins = 0;
    const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, done) => {
      logins += 1;
      done(null, { user: 'user' });
    };
    const { port } = await serveMail({ hideSTARTTLS: true, allowInsecureAuth: true, onAuth });
    const environment = {
      ...createEnvironment(port),
      MAYCRAWL_SMTP_URL: `smtp://user:password@0.0.0.0:${port}`,
    };
    expect(await deliverTo('mailto:a@b.example', { environment })).toMatchObject({
      code: 'smtp',
      reason: expect.stringContaining('answered: 500'),
    });
    expect(logins).toBe(0);
    await deliverTo('mailto:a@b.example', { environment: createEnvironment(port, 'user:password@') });
    expect(logins).toBe(1);
  });

  test('fails with the name of the missing or invalid variable', async () => {
    const good = createEnvironment(1);
    const bad: [Record<string, string>, string][] = [
      [{ MAYCRAWL_MAIL_FROM: 'a@b.example' }, 'MAYCRAWL_SMTP_URL'],
      ...[
        '',
        'mail.example',
        'https://mail.example',
        'smtp://',
        'smtp://h/path',
        'smtp://h?tls=no',
        'smtp://%zz:a@h',
      ].map(
        (url) =>
          [{ ...good, MAYCRAWL_SMTP_URL: url }, 'MAYCRAWL_SMTP_URL'] as [Record<string, string>, string],
      ),
      ...[
        '',
        'robots',
        'a@b.example, c@d.example',
        'A <a@b.example>\r\nBcc: x@y.example',
        '"A" <a@b.example>',
      ].map(
        (from) =>
          [{ ...good, MAYCRAWL_MAIL_FROM: from }, 'MAYCRAWL_MAIL_FROM'] as [Record<string, string>, string],
      ),
    ];
    for (const [environment, name] of bad)
      expect(await deliverTo('mailto:a@b.example', { environment })).toMatchObject({
        code: 'not-configured',
        reason: expect.stringContaining(name),
        isFinal: false,
      });
  });

  test('has the same headers with hostile alerts', async () => {
    const mailbox = await serveMail();
    const environment = createEnvironment(mailbox.port);
    const plain = await deliverAndListHeaders(mailbox, environment, [toAlert()]);
    let encoded = 0;
    await fc.assert(
      fc.asyncProperty(hostileMessage, async (message) => {
        mailbox.mails.length = 0;
        expect(await deliverTo('mailto:owner@site.example', { environment }, message)).toEqual({
          kind: 'delivered',
        });
        const mail = await parseMail(mailbox);
        expect(mail.headers.map(({ key }) => key).sort()).toEqual(plain);
        expect(mail.to).toEqual([{ name: '', address: 'owner@site.example' }]);
        expect(mailbox.mails[0]?.to).toEqual(['owner@site.example']);
        expect(mail.subject).toMatch(/^\[maycrawl\] (?:info|warning|error): ./);
        expect(mail.subject).not.toMatch(UNPRINTABLE);
        expect(mail.messageId).toMatch(/^<[\w.-]+@sender\.example>$/);
        expect(mail.html).toBeUndefined();
        expect(mail.attachments).toEqual([]);
        encoded += /=\?/.test(mailbox.mails[0]?.raw ?? '') ? 1 : 0;
      }),
      { ...RUNS, numRuns: RUNS.numRuns / 8 },
    );
    expect(encoded).toBeGreaterThan(5);
  });
});

async function deliverAndListHeaders(
  mailbox: Mailbox,
  environment: Record<string, string>,
  alerts: Alert[],
): Promise<string[]> {
  await deliverTo('mailto:owner@site.example', { environment }, { ...createMessage(), alerts });
  return (await parseMail(mailbox)).headers.map(({ key }) => key).sort();
}

function refuseData(responseCode: number, text: string): NonNullable<SMTPServerOptions['onData']> {
  return (stream, _session, done) => {
    stream.resume().on('end', () => done(Object.assign(new Error(text), { responseCode })));
  };
}
