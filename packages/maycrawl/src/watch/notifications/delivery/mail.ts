/**
 * Mail, through the server of MAYCRAWL_SMTP_URL.
 *
 * @module
 */
import type { Socket } from 'node:net';
import { connectTo, createAddressPolicy, getSharedResolver } from '@maycrawl/client/http';
import { parseUrl } from '@maycrawl/core/url';
import { createTransport, type NodemailerError } from 'nodemailer';
import { summarize, toPlainText } from '../messages/bodies.ts';
import type { Message } from '../messages/message.ts';
import { plainId, plainLine } from '../messages/plain.ts';
import { decoded, type Environment, isAddress } from '../targets/target.ts';
import { type Delivery, DeliveryError } from './receipt.ts';

const MAX_SUBJECT = 200;

/** A server, as the library for mail takes it. */
interface MailServer {
  /** Its scheme, host and port. */
  readonly origin: string;
  readonly host: string;
  readonly port?: number;
  /** TLS from the first byte. */
  readonly secure: boolean;
  readonly requireTLS: boolean;
  readonly ignoreTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

export async function sendMail(address: string, message: Message, delivery: Delivery): Promise<void> {
  const { environment, signal, now } = delivery;
  const { origin, ...server } = serverOf(environment);
  const from = senderOf(environment);
  const { severity, title } = summarize(message);
  const transport = createTransport({
    ...{ ...server, disableFileAccess: true, disableUrlAccess: true },
    getSocket: (_options: unknown, callback: SocketCallback) => {
      connectToServer(origin, signal).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error),
      );
    },
  });
  try {
    await transport.sendMail({
      from,
      to: { name: '', address },
      subject: plainLine(`[maycrawl] ${severity}: ${title}`, MAX_SUBJECT),
      text: toPlainText(message),
      date: new Date(now()),
      // The same whenever it is sent again, so that readers show it once.
      messageId: `<${plainId(message.id)}@${from.address.replace(/^.*@/, '')}>`,
      // RFC 3834: nobody's absence is an answer to it.
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error as NodemailerError, server.host);
  } finally {
    transport.close();
  }
}

/** Takes a connection, or why there is none. */
type SocketCallback = (error: Error | null, socket?: { readonly connection: Socket }) => void;

/** The server is the operator's own, from the environment: it may be on a private address. */
function connectToServer(origin: string, signal: AbortSignal): Promise<Socket> {
  const policy = createAddressPolicy({ openOrigins: [origin] });
  return connectTo(origin, { resolver: getSharedResolver(), policy, signal });
}

/** @throws {DeliveryError} if the environment names no mail server, or no sender. */
export function checkMailSettings(environment: Environment): void {
  serverOf(environment);
  senderOf(environment);
}

/** @throws {DeliveryError} if the environment names no server. */
function serverOf(environment: Environment): MailServer {
  const text = environment['MAYCRAWL_SMTP_URL'] ?? '';
  const url = parseUrl(text);
  const [host, user, pass] = [url?.hostname, url?.username, url?.password].map((part) => decoded(part ?? ''));
  const isAll = url !== undefined && /^\/?$/.test(url.pathname) && `${url.search}${url.hash}` === '';
  if (!isAll || !/^smtps?:$/.test(url.protocol) || !host || user === undefined || pass === undefined)
    throw new DeliveryError(
      'not-configured',
      'MAYCRAWL_SMTP_URL names no mail server: set it to smtps://USER:PASSWORD@HOST, or smtp://…',
    );
  const secure = url.protocol === 'smtps:';
  const hasLogin = user !== '' || pass !== '';
  const isNear = isThisMachine(host);
  return {
    origin: `${url.protocol}//${url.host}`,
    host: host.replace(/^\[|\]$/g, ''),
    secure,
    ...(url.port !== '' && { port: Number(url.port) }),
    // A password is not sent in the clear, whatever somebody on the way takes out of the server's greeting.
    requireTLS: hasLogin && !isNear,
    // Nobody is on the way to this machine, whose own certificate nobody has signed.
    ignoreTLS: isNear,
    ...(hasLogin && { auth: { user, pass } }),
  };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** @throws {DeliveryError} if the environment names no sender. */
function senderOf(environment: Environment): { name: string; address: string } {
  const text = environment['MAYCRAWL_MAIL_FROM'] ?? '';
  const [, name = '', inside] = /^([^\p{C}<>"]*)<([^<>]*)>$/u.exec(text) ?? [];
  const address = inside ?? text;
  if (!isAddress(address))
    throw new DeliveryError(
      'not-configured',
      'MAYCRAWL_MAIL_FROM is no sender: set it to NAME@HOST, or to "SOME NAME <NAME@HOST>"',
    );
  return { name: name.trim(), address };
}

/** What the server has said. That it will never take this message, or this recipient, is final; the rest can be put right. */
function failureOf({ code, command, permanent, response, message }: NodemailerError, host: string): Error {
  const isFinal = permanent === true && (command === 'RCPT TO' || command === 'DATA');
  const what = response === undefined ? `failed: ${code ?? message}` : `answered: ${response}`;
  return new DeliveryError('smtp', `the mail server ${host} ${what}`, { isFinal });
}
