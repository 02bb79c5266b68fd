/**
 * Fetching a robots.txt over FTP: anonymous login, passive mode, RETR (RFC 959, RFC 1635, RFC 2428).
 *
 * @module
 */
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { Client, type FTPContext, FTPError, type FTPResponse } from 'basic-ftp';
import { readStart } from '../streams.ts';
import type { FetchContext, FetchSettings } from './fetch-options.ts';
import type { UnconditionalResult, Untimed } from './fetch-result.ts';

/** What anonymous users are asked for in place of a password: who they are (RFC 1635). */
const PASSWORD = 'maycrawl@';
/** Replies (RFC 959 section 4.2). */
const READY = 220;
const TRANSFERRED = 226;
/** The file is not there, or may not be read. */
const FILE_UNAVAILABLE = 550;

/**
 * Fetches over FTP. User and password in the URL do not count: a robots.txt is for everybody.
 *
 * @throws what broke a connection, or the deadline that was missed.
 */
export async function fetchFtp(
  url: string,
  context: FetchContext,
  { maxBytes }: FetchSettings,
): Promise<Untimed<UnconditionalResult>> {
  const { connector, signal, hops } = context;
  const { href } = new URL(url);
  // Its own time limits are off: the fetch has some.
  const client = new Client(0);
  let data: Socket | undefined;
  const close = (): void => client.close();
  signal.addEventListener('abort', close);
  try {
    client.ftp.socket = await connector.connect(url);
    await greeting(client.ftp);
    await client.login('anonymous', PASSWORD);
    await client.send('TYPE I');
    client.prepareTransfer = async (ftp) => {
      const reply = await openData(ftp, url, context);
      data = ftp.dataSocket;
      return reply;
    };
    const bytes = await retrieve(client, pathOf(url), maxBytes + 1);
    hops.push({ url: href, status: TRANSFERRED });
    return { kind: 'successful', bytes, hops, headers: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FTPError)) throw error;
    hops.push({ url: href, status: error.code });
    // A refusal of RETR. After the first bytes of the file it is the end of a transfer that failed.
    const isRefused = data?.bytesRead === 0 && error.code === FILE_UNAVAILABLE;
    const kind = isRefused ? 'unavailable' : 'unreachable';
    return { kind, code: 'ftp-reply', message: `FTP reply ${error.message}`, hops, headers: null };
  } finally {
    signal.removeEventListener('abort', close);
    client.close();
  }
}

/** The path for RETR: relative to where an anonymous user begins (RFC 1738 section 3.2.2). */
function pathOf(url: string): string {
  const path = decodeURIComponent(new URL(url).pathname.slice(1));
  // A line end would begin another command.
  if (/\p{Cc}/u.test(path)) throw new Error('a control character in the path');
  return path;
}

/** Waits until the server says that it is ready. `client.connect` would look the host up again, past the guard. */
function greeting(ftp: FTPContext): Promise<unknown> {
  return ftp.handle(undefined, (reply, task) => {
    if (reply instanceof Error) task.reject(reply);
    else if (reply.code === READY) task.resolve(reply);
    else task.reject(new FTPError(reply));
  });
}

/** Opens the connection for the file: always to the host that was connected to, whatever else the server may name. */
async function openData(
  ftp: FTPContext,
  url: string,
  { connector, phases }: FetchContext,
): Promise<FTPResponse> {
  const { reply, port } = await askForPort(ftp);
  const address = ftp.socket.remoteAddress;
  if (address === undefined) throw new Error('the connection is closed');
  ftp.dataSocket = await connector.connect(url, { address, port });
  phases.enter('body');
  return reply;
}

async function askForPort(ftp: FTPContext): Promise<{ readonly reply: FTPResponse; readonly port: number }> {
  try {
    const reply = await ftp.request('EPSV');
    return { reply, port: Number(/\|\|\|(\d{1,5})\|/.exec(reply.message)?.[1]) };
  } catch (error) {
    // Older servers do not know it (RFC 959).
    if (!(error instanceof FTPError)) throw error;
    const reply = await ftp.request('PASV');
    const [, high, low] = /\d{1,3}(?:,\d{1,3}){3},(\d{1,3}),(\d{1,3})/.exec(reply.message) ?? [];
    return { reply, port: Number(high) * 256 + Number(low) };
  }
}

/** The start of a file, at most `maxBytes` of it. */
async function retrieve(client: Client, path: string, maxBytes: number): Promise<Uint8Array> {
  const sink = new PassThrough();
  let failure: Error | undefined;
  const download = client.downloadTo(sink, path).then(undefined, (error: Error) => {
    failure = error;
    sink.destroy(error);
  });
  const bytes = await readStart(sink, maxBytes);
  if (bytes.length === maxBytes) return bytes;
  // All of it came, but is it all? The server says so last.
  await download;
  if (failure !== undefined) throw failure;
  return bytes;
}
