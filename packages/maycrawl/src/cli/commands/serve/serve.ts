// `maycrawl serve`: the tester page and the decision service.
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FullStore } from '@maycrawl/client';
import { isPostgresUrl } from '@maycrawl/client/internal';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { getHostName, isLoopback } from '../../../serve/http/host-guard.ts';
import { LIMITS } from '../../../serve/limits/limits.ts';
import { createService, type Service } from '../../../serve/service.ts';
import { visible } from '../../../text/printable.ts';
import { readSecretFile } from '../../input/file.ts';
import { type CacheLimits, getServiceStorePath, openStore } from '../../input/response-store.ts';
import { CommandError } from '../../output/errors.ts';
import { onInterrupt } from '../../output/interrupt.ts';
import { printMessage } from '../../output/terminal.ts';
import { openDatabase } from '../watch/database.ts';
import { createLog } from './log.ts';

/** Times are in milliseconds. */
export interface ServeOptions extends CacheLimits {
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
  /** How long the service accepts requests after SIGTERM. */
  readonly drainTime: number;
  readonly logLevel: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
}

/** Deadlines of the database of the monitor: clients wait for its statements. */
const WATCH_DEADLINES = { connectTimeout: 5_000, statementTimeout: 10_000 };
/** The built page, beside the built command. */
const PAGE_FOLDER = fileURLToPath(new URL('../../../web', import.meta.url));

/**
 * Serves until SIGINT, SIGTERM or SIGHUP.
 *
 * @returns the exit code: 0 after it has stopped, 1 if requests in progress were aborted.
 * @throws {CommandError} if it cannot start.
 */
export async function serve(options: ServeOptions): Promise<number> {
  const { host, port, timeout, rateLimit, watchDatabase, audits, drainTime, logLevel } = options;
  const { trustProxy = [] } = options;
  const tokens = options.tokenFile === undefined ? [] : await readTokens(options.tokenFile);
  tokens.push(...(options.tokens ?? []).map(requireToken));
  for (const proxy of trustProxy) checkProxy(proxy);
  if (audits !== undefined && !isFolder(audits))
    throw new CommandError(`--audits must be a folder with reports: ${visible(audits)} is not a folder`);
  if (watchDatabase === '')
    throw new CommandError('--watch-database is empty: give a path or a postgres:// URL');
  if (watchDatabase !== undefined && tokens.length === 0 && (!isLoopback(host) || trustProxy.length > 0))
    throw new CommandError(
      'with --watch-database, clients can change the monitor: give a --token-file, or listen on a loopback address without a proxy',
    );
  for (const name of options.allowedHost ?? [])
    if (getHostName(name) === '')
      throw new CommandError(`--allowed-host must be a host name or an address, not ${visible(name)}`);
  const { database = getServiceStorePath(), maxBytes, maxOrigins } = options;
  const store = await openStore(database, {
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxOrigins !== undefined && { maxOrigins }),
  });
  const watch =
    watchDatabase === undefined
      ? undefined
      : await openDatabase(watchDatabase, WATCH_DEADLINES).catch(closing(store));
  try {
    const log = createLog(logLevel);
    const app = await createService({
      store,
      userAgent: options.userAgent,
      allowPrivateAddresses: options.allowPrivate === true,
      timeout,
      tokens,
      ...(rateLimit !== undefined && { rateLimit }),
      trustProxy,
      hosts: [host, ...(options.allowedHost ?? [])],
      databaseFiles: [database, watchDatabase].filter(isFile),
      pageFolder: PAGE_FOLDER,
      ...(audits !== undefined && { auditFolder: audits }),
      ...(watch && { watch }),
      log,
    });
    // Before anyone knows that the service runs.
    const stopSignal = new Promise<NodeJS.Signals>((resolve) => onInterrupt(resolve, STOPPING));
    try {
      const address = await app.listen({ host, port });
      const pages = watch === undefined ? '' : `, monitor: ${address}/watch.html`;
      printMessage(`page: ${address}/, service: ${address}/v1/decide${pages}; stop with Ctrl-C`);
    } catch (cause) {
      await app.close();
      const { code = String(cause) } = cause as NodeJS.ErrnoException;
      const where = `${visible(host)} port ${port}`;
      throw new CommandError(`cannot listen on ${where}: ${REASONS[code] ?? code}`, { cause });
    }
    const signal = await stopSignal;
    app.drain();
    // Only a supervisor sends SIGTERM, and knows another instance.
    if (signal === 'SIGTERM' && drainTime > 0) {
      log.info({ signal, drainTime }, 'draining: requests are accepted, /readyz responds with 503');
      await sleep(drainTime);
    }
    log.info({ signal }, 'stopping after the requests in progress');
    return await stop(app, log);
  } finally {
    await watch?.db.close();
    await store.close();
  }
}

/** Closes a store after a failure. */
function closing(store: FullStore): (cause: unknown) => Promise<never> {
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
  EACCES: 'permission denied; choose a --port of at least 1024',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host',
};

/** @throws {CommandError} if the proxy is neither an address nor a network. */
function checkProxy(proxy: string): void {
  if (ipaddr.isValid(proxy) || NETWORKS.includes(proxy)) return;
  // In a network of zero bits every client would be a proxy, and could choose its address.
  if (ipaddr.isValidCIDR(proxy) && ipaddr.parseCIDR(proxy)[1] > 0) return;
  const names = NETWORKS.join(', ');
  throw new CommandError(
    `--trust-proxy must be an IP address, a network such as 10.0.0.0/8, or one of ${names}, not ${visible(proxy)}`,
  );
}

/** Names of networks. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** Reads the tokens of a file. @throws {CommandError} if there is none, one is invalid, or other users have access to the file. */
async function readTokens(path: string): Promise<string[]> {
  const text = await readSecretFile(path, MAX_TOKENS_BYTES);
  const tokens = text.split(/\r?\n/).map((line) => line.trim());
  const written = tokens.filter((token) => token !== '' && !token.startsWith('#'));
  if (written.length === 0) throw new CommandError(`${visible(path)} has no tokens: write one a line`);
  const bad = tokens.findIndex((token) => !token.startsWith('#') && /[^!-~]/.test(token));
  if (bad < 0) return written;
  throw new CommandError(`${visible(path)}, line ${bad + 1}: a token must be ASCII without spaces`);
}

/** @throws {CommandError} if no client can send the token. */
function requireToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError('MAYCRAWL_SERVE_TOKENS: a token must be ASCII without spaces');
}

/** Maximum size of a file with tokens, in bytes. */
const MAX_TOKENS_BYTES = 2 ** 20;

/** What stops the service. */
const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Waits for the requests in progress; the service aborts those that take too long. @returns the exit code. */
async function stop(app: Service, log: Logger): Promise<number> {
  let exitCode = 0;
  const timer = setTimeout(() => {
    exitCode = 1;
    log.warn('requests in progress are aborted');
  }, LIMITS.stopTime);
  await app.close();
  clearTimeout(timer);
  return exitCode;
}
