// Fetches a robots.txt over FTP: anonymous login, passive mode, RETR (RFC 959, RFC 1635, RFC 2428).
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
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
    client.prepareTransfer = async (ftp) => {
      const reply = await openData(ftp, url, context);
      data = ftp.dataSocket;
      return reply;
    };
    const bytes = await retrieve(client, getPath(url), maxBytes + 1);
    hops.push({ url: href, status: TRANSFERRED });
    return { kind: 'successful', bytes, hops, headers: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FTPError)) throw error;
    hops.push({ url: href, status: error.code });
    // A refusal of RETR. After the first bytes of the file it is a failed transfer.
    const isRefused = data?.bytesRead === 0 && error.code === FILE_UNAVAILABLE;
    const kind = isRefused ? 'unavailable' : 'unreachable';
    return { kind, code: 'ftp-reply', message: `FTP reply ${error.message}`, hops, headers: null };
  } finally {
    signal.removeEventListener('abort', close);
    client.close();
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
    else task.reject(new FTPError(reply));
  });
}

/** Opens the data connection, always to the host of the control connection. */
async function openData(
  ftp: FTPContext,
  url: string,
  { connect, phases }: FetchContext,
): Promise<FTPResponse> {
  const { reply, port } = await requestPort(ftp);
  if (!(port >= 1 && port <= MAX_PORT)) throw new Error(`no port in the reply "${reply.message}"`);
  const address = ftp.socket.remoteAddress;
  if (address === undefined) throw new Error('the connection is closed');
  ftp.dataSocket = await connect(url, { address, port });
  phases.enter('body');
  return reply;
}

async function requestPort(ftp: FTPContext): Promise<{ readonly reply: FTPResponse; readonly port: number }> {
  try {
    const reply = await ftp.request('EPSV');
    return { reply, port: Number(/\|\|\|(\d{1,5})\|/.exec(reply.message)?.[1]) };
  } catch (error) {
    // Older servers do not support it (RFC 959).
    if (!(error instanceof FTPError)) throw error;
    const reply = await ftp.request('PASV');
    const [, high, low] = /\d{1,3}(?:,\d{1,3}){3},(\d{1,3}),(\d{1,3})/.exec(reply.message) ?? [];
    return { reply, port: Number(high) * 256 + Number(low) };
  }
}

/** Reads the start of a file, at most `maxBytes`. */
async function retrieve(client: Client, path: string, maxBytes: number): Promise<Uint8Array> {
  const sink = new PassThrough();
  let failure: Error | undefined;
  const download = client.downloadTo(sink, path).then(undefined, (error: Error) => {
    failure = error;
    sink.destroy(error);
  });
  const bytes = await readStart(sink, maxBytes);
  if (bytes.length === maxBytes) return bytes;
  // The last reply of the server shows whether the file is complete.
  await download;
  if (failure !== undefined) throw failure;
  return bytes;
}
