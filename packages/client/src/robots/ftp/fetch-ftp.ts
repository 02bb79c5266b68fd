// Fetches a robots.txt over FTP: anonymous login, passive mode, RETR (RFC 959, RFC 1635, RFC 2428).
import type { Socket } from 'node:net';
import { readStart } from '@maycrawl/core/internal';
import { Client, type FTPContext, FTPError, type FTPResponse } from 'basic-ftp';
import type { FetchContext, FetchSettings } from '../fetch-options.ts';
import type { UnconditionalResult, Untimed } from '../fetch-result.ts';
import { createControlSocket } from './control-socket.ts';

/** The identification that anonymous users send instead of a password (RFC 1635). */
const PASSWORD = 'maycrawl@';
/** Replies (RFC 959 section 4.2). */
const READY = 220;
const TRANSFERRED = 226;
/** The file does not exist, or is not readable. */
const FILE_UNAVAILABLE = 550;
const MAX_PORT = 65_535;

/**
 * Fetches over FTP. User and password in the URL are ignored.
 *
 * @throws the error of a connection, or the missed deadline.
 */
export async function fetchFtp(
  url: string,
  context: FetchContext,
  { maxBytes }: FetchSettings,
): Promise<Untimed<UnconditionalResult>> {
  const { connect, signal, hops } = context;
  const { href } = new URL(url);
  const path = getPath(url);
  // Without its own deadlines: the fetch has some.
  const client = new Client(0);
  let data: Socket | undefined;
  const close = (): void => client.close();
  signal.addEventListener('abort', close);
  try {
    client.ftp.socket = createControlSocket(await connect(url));
    await waitForGreeting(client.ftp);
    await client.login('anonymous', PASSWORD);
    await client.send('TYPE I');
    data = await openData(client.ftp, url, context);
    const bytes = await retrieve(client.ftp, data, path, maxBytes + 1);
    hops.push({ url: href, status: TRANSFERRED });
    return { kind: 'successful', bytes, hops, headers: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FTPError)) throw error;
    hops.push({ url: href, status: error.code });
    // A refusal of RETR. After the first bytes of the file it is a failed transfer.
    const isRefused = data?.bytesRead === 0 && error.code === FILE_UNAVAILABLE;
    const kind = isRefused ? 'unavailable' : 'unreachable';
    // A reply can have several lines.
    const message = `FTP reply ${error.message.replace(/[\r\n]+/g, ' ')}`;
    return { kind, code: 'ftp-reply', message, hops, headers: null };
  } finally {
    signal.removeEventListener('abort', close);
    client.close();
    data?.destroy();
  }
}

/** Returns the path for RETR, relative to the folder of the anonymous user (RFC 1738 section 3.2.2). */
function getPath(url: string): string {
  const path = decodeURIComponent(new URL(url).pathname.slice(1));
  // A line end would start another command.
  if (/\p{Cc}/u.test(path)) throw new Error('a control character in the path');
  return path;
}

/** Waits for the greeting of the server. `client.connect` would resolve the host again, without the address policy. */
function waitForGreeting(ftp: FTPContext): Promise<unknown> {
  return ftp.handle(undefined, (reply, task) => {
    if (reply instanceof Error) task.reject(reply);
    else if (reply.code === READY) task.resolve(reply);
    // 120: the server is ready in some minutes, and sends 220 then.
    else if (reply.code >= 200) task.reject(new FTPError(reply));
  });
}

/** Opens the data connection, always to the host of the control connection. */
async function openData(ftp: FTPContext, url: string, { connect, phases }: FetchContext): Promise<Socket> {
  const { reply, port } = await requestPort(ftp);
  if (!(port >= 1 && port <= MAX_PORT)) throw new Error(`no port in the reply "${reply.message}"`);
  const address = ftp.socket.remoteAddress;
  if (address === undefined) throw new Error('the connection is closed');
  // The client does not get the socket: it would remove the listeners of a socket that is still read.
  const data = await connect(url, { address, port });
  phases.enter('body');
  return data;
}

async function requestPort(ftp: FTPContext): Promise<{ readonly reply: FTPResponse; readonly port: number }> {
  try {
    const reply = await ftp.request('EPSV');
    // Servers select the delimiter.
    return { reply, port: Number(/([!-/:-~])\1\1(\d{1,5})\1/.exec(reply.message)?.[2]) };
  } catch (error) {
    // Older servers do not support it (RFC 959).
    if (!(error instanceof FTPError)) throw error;
    const reply = await ftp.request('PASV');
    const [, high, low] = /\d{1,3}(?:, ?\d{1,3}){3}, ?(\d{1,3}), ?(\d{1,3})/.exec(reply.message) ?? [];
    return { reply, port: Number(high) * 256 + Number(low) };
  }
}

/** Reads the start of a file, at most `maxBytes`. */
async function retrieve(ftp: FTPContext, data: Socket, path: string, maxBytes: number): Promise<Uint8Array> {
  // `downloadTo` of the client would send RETR again after each reply 350, also if the server sends no end of them.
  let [isStarted, isComplete] = [false, false];
  const transfer = ftp.handle(`RETR ${path}`, (reply, task) => {
    if (reply instanceof Error) return task.reject(reply);
    if (reply.code >= 300) return task.reject(new FTPError(reply));
    if (reply.code < 200) isStarted = true;
    else isComplete = true;
    if (isStarted && isComplete) task.resolve(reply);
  });
  transfer.catch((error: Error) => data.destroy(error));
  const bytes = await readStart(data, maxBytes);
  // The last reply of the server shows whether the file is complete.
  if (bytes.length < maxBytes) await transfer;
  return bytes;
}
