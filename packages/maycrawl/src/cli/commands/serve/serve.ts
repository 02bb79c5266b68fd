/**
 * `maycrawl serve`: the tester page and the decision service.
 *
 * @module
 */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RobotsStore } from '@maycrawl/client';
import { isPostgresUrl } from '@maycrawl/client/database';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { type Logger, pino } from 'pino';
import { getHostName, isLoopback } from '../../../serve/http/host-guard.ts';
import { LIMITS } from '../../../serve/limits/limits.ts';
import { createService } from '../../../serve/service.ts';
import { visible } from '../../../text/printable.ts';
import { getDefaultStorePath, openStore } from '../../input/response-store.ts';
import { CommandError, describeFileError } from '../../output/errors.ts';
import { printMessage } from '../../output/terminal.ts';
import { openDatabase } from '../watch/database.ts';

/** Times are in milliseconds. */
export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly database?: string;
  /** The database of the monitor. */
  readonly watchDatabase?: string;
  readonly audits?: string;
  readonly userAgent: string;
  readonly timeout: number;
  readonly allowPrivate?: boolean;
  readonly tokenFile?: string;
  readonly tokens?: readonly string[];
  readonly rateLimit?: number;
  readonly trustProxy?: readonly string[];
  /** Names under which clients reach the service. */
  readonly allowedHost?: readonly string[];
  readonly logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
}

/** Where the built page is, beside the built command. */
const PAGE_FOLDER = fileURLToPath(new URL('../../../web', import.meta.url));

/**
 * Serves until it is told to stop (SIGINT, SIGTERM, SIGHUP).
 *
 * @returns the exit code: 0 when it has stopped, 1 if requests under way had to be given up.
 * @throws {CommandError} if it cannot begin.
 */
export async function serve(options: ServeOptions): Promise<number> {
  const { host, port, timeout, rateLimit, watchDatabase, audits, logLevel, trustProxy = [] } = options;
  const tokens = options.tokenFile === undefined ? [] : readTokens(options.tokenFile);
  tokens.push(...(options.tokens ?? []).map(requireToken));
  for (const proxy of trustProxy) checkProxy(proxy);
  if (audits !== undefined && !isFolder(audits))
    throw new CommandError(`--audits is a folder with reports, and ${visible(audits)} is none`);
  if (watchDatabase === '')
    throw new CommandError('--watch-database is empty: give a path or a postgres:// URL');
  if (watchDatabase !== undefined && tokens.length === 0 && (!isLoopback(host) || trustProxy.length > 0))
    throw new CommandError(
      'with --watch-database, clients change what is watched: give a --token-file, or listen at a loopback address without a proxy',
    );
  for (const name of options.allowedHost ?? [])
    if (getHostName(name) === '')
      throw new CommandError(`--allowed-host is a name or an address, without a path, not ${visible(name)}`);
  const store = await openStore(options.database);
  const watch =
    watchDatabase === undefined ? undefined : await openDatabase(watchDatabase).catch(closing(store));
  try {
    const log = pino({ level: logLevel });
    const app = await createService({
      store,
      userAgent: options.userAgent,
      allowPrivate: options.allowPrivate === true,
      timeout,
      tokens,
      ...(rateLimit !== undefined && { rateLimit }),
      trustProxy,
      hosts: [host, ...(options.allowedHost ?? [])],
      databaseFiles: [options.database ?? getDefaultStorePath(), watchDatabase].filter(isFile),
      pageFolder: PAGE_FOLDER,
      ...(audits !== undefined && { auditFolder: audits }),
      ...(watch && { watch }),
      log,
    });
    try {
      const address = await app.listen({ host, port });
      const pages = watch === undefined ? '' : `, ${address}/watch.html has the sites that are watched`;
      printMessage(`${address}/ has the page, ${address}/v1/decide decides${pages}; Ctrl-C stops it`);
    } catch (cause) {
      await app.close();
      const { code = String(cause) } = cause as NodeJS.ErrnoException;
      const where = `${visible(host)} port ${port}`;
      throw new CommandError(`cannot listen at ${where}: ${REASONS[code] ?? code}`, { cause });
    }
    const signal = await waitForSignal();
    log.info({ signal }, 'stopping: requests under way are ended first');
    return await stop(app, log);
  } finally {
    await watch?.db.close();
    await store.close();
  }
}

/** Closes a store when something else has failed. */
function closing(store: RobotsStore): (cause: unknown) => Promise<never> {
  return async (cause) => {
    await store.close();
    throw cause;
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether the name of a database is the path of its file. */
function isFile(name: string | undefined): name is string {
  return name !== undefined && name !== 'none' && !isPostgresUrl(name);
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; choose another --port',
  EACCES: 'that is not allowed; choose a --port from 1024 on',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** @throws {CommandError} if it is no address, and no network. */
function checkProxy(proxy: string): void {
  if (ipaddr.isValid(proxy) || NETWORKS.includes(proxy)) return;
  // Of a network without bits every client would be a proxy, and could choose its address.
  if (ipaddr.isValidCIDR(proxy) && ipaddr.parseCIDR(proxy)[1] > 0) return;
  const names = NETWORKS.join(', ');
  throw new CommandError(
    `--trust-proxy is an IP address, a network such as 10.0.0.0/8, or one of ${names}, not ${visible(proxy)}`,
  );
}

/** Networks that go by a name. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** @throws {CommandError} if there is no token in the file. */
function readTokens(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
  const tokens = text.split(/\r?\n/).map((line) => line.trim());
  const written = tokens.filter((token) => token !== '' && !token.startsWith('#'));
  if (written.length === 0) throw new CommandError(`${visible(path)} has no token in it: write one a line`);
  const bad = tokens.findIndex((token) => !token.startsWith('#') && /[^!-~]/.test(token));
  if (bad < 0) return written;
  throw new CommandError(`${visible(path)}, line ${bad + 1}: a token has no spaces and is ASCII`);
}

/** @throws {CommandError} if no client could send it. */
function requireToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError('MAYCRAWL_SERVE_TOKENS: a token has no spaces and is ASCII');
}

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves with the name of the first signal to stop; the next one is left to end the process. */
function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      for (const each of STOPPING) process.removeListener(each, onSignal);
      resolve(signal);
    };
    for (const signal of STOPPING) process.on(signal, onSignal);
  });
}

/** Lets requests under way end, and breaks off those that take too long. @returns the exit code. */
async function stop(app: FastifyInstance, log: Logger): Promise<number> {
  let exitCode = 0;
  const timer = setTimeout(() => {
    exitCode = 1;
    log.warn('requests under way are broken off');
    app.server.closeAllConnections();
  }, LIMITS.stopTime);
  await app.close();
  clearTimeout(timer);
  return exitCode;
}
