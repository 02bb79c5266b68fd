// E-mail, through the server of MAYCRAWL_SMTP_URL.
import type { Socket } from 'node:net';
import { connectTo, createAddressPolicy, getSharedResolver } from '@maycrawl/client/internal';
import { parseUrl } from '@maycrawl/core/url';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { Message } from '../../message.ts';
import { plainId, plainLine } from '../../plain.ts';
import { summarize, toPlainText } from '../messages/bodies.ts';
import { decodePercent, type Environment, isAddress } from '../targets/target.ts';
import { type Delivery, DeliveryError } from './receipt.ts';

const MAX_SUBJECT = 200;

/** A mail server, in the form of nodemailer. */
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

/** Sends a message. @throws {DeliveryError} if it fails. */
export async function sendMail(address: string, message: Message, delivery: Delivery): Promise<void> {
  const { environment, signal, now } = delivery;
  const { origin, ...server } = parseServer(environment);
  const from = parseSender(environment);
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
      // The same at each attempt, so that readers show it once.
      messageId: `<${plainId(message.id)}@${from.address.replace(/^.*@/, '')}>`,
      // RFC 3834: automatic responders do not reply to it.
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw toMailError(error as NodemailerError, server.host);
  } finally {
    transport.close();
  }
}

/** Receives a connection or an error. */
type SocketCallback = (error: Error | null, socket?: { readonly connection: Socket }) => void;

/** The server is the operator's own, from the environment: it may be on a private address. */
function connectToServer(origin: string, signal: AbortSignal): Promise<Socket> {
  const policy = createAddressPolicy({ openOrigins: [origin] });
  return connectTo(origin, { resolver: getSharedResolver(), policy, signal });
}

/** Requires a mail server and a sender in the environment. @throws {DeliveryError} */
export function checkMailSettings(environment: Environment): void {
  parseServer(environment);
  parseSender(environment);
}

/** @throws {DeliveryError} if the environment names no server. */
function parseServer(environment: Environment): MailServer {
  const text = environment['MAYCRAWL_SMTP_URL'] ?? '';
  const url = parseUrl(text);
  const [host, user, pass] = [url?.hostname, url?.username, url?.password].map((part) =>
    decodePercent(part ?? ''),
  );
  const isAll = url !== undefined && /^\/?$/.test(url.pathname) && `${url.search}${url.hash}` === '';
  if (!isAll || !/^smtps?:$/.test(url.protocol) || !host || user === undefined || pass === undefined)
    throw new DeliveryError(
      'not-configured',
      'mail needs MAYCRAWL_SMTP_URL (it is not set), such as smtps://USER:PASSWORD@HOST',
    );
  const secure = url.protocol === 'smtps:';
  const hasLogin = user !== '' || pass !== '';
  const isNear = isThisMachine(host);
  return {
    origin: `${url.protocol}//${url.host}`,
    host: host.replace(/^\[|\]$/g, ''),
    secure,
    ...(url.port !== '' && { port: Number(url.port) }),
    // A password is not sent in clear text, even if an attacker removes STARTTLS from the server's greeting.
    requireTLS: hasLogin && !isNear,
    // A connection within this machine needs no encryption, and its server has no certificate of an authority.
    ignoreTLS: isNear,
    ...(hasLogin && { auth: { user, pass } }),
  };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** @throws {DeliveryError} if the environment names no sender. */
function parseSender(environment: Environment): { name: string; address: string } {
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

/** Converts an error of the server. The refusal of this message, or of its recipient, is final; other errors can be corrected. */
function toMailError({ code, command, permanent, response, message }: NodemailerError, host: string): Error {
  const isFinal = permanent === true && (command === 'RCPT TO' || command === 'DATA');
  const what = response === undefined ? `failed: ${code ?? message}` : `answered: ${response}`;
  return new DeliveryError('smtp', `the mail server ${host} ${what}`, { isFinal });
}
