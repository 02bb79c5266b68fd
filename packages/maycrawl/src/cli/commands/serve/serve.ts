// `maycrawl serve`: the tester page and the decision service.
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FullStore } from '@maycrawl/client';
import { isPostgresUrl } from '@maycrawl/client/internal';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { isLoopback } from '../../../serve/http/host-guard.ts';
import { LIMITS } from '../../../serve/limits/limits.ts';
import { createService } from '../../../serve/service.ts';
import type { Service } from '../../../serve/service-options.ts';
import { visible } from '../../../text/printable.ts';
import { getServiceStorePath, openStore } from '../../input/response-store.ts';
import { CommandError } from '../../output/errors.ts';
import { onInterrupt } from '../../output/interrupt.ts';
import { printMessage } from '../../output/terminal.ts';
import { openDatabase } from '../watch/database.ts';
import { checkAllowedHosts, listen } from './listen.ts';
import { createLog } from './log.ts';
import type { ServeOptions } from './options.ts';
import { readTokens, watchTokenFile } from './token-file.ts';

/** Deadlines of the database of the monitor: clients wait for its statements. */
const WATCH_DEADLINES = { connectTimeout: 5_000, statementTimeout: 10_000 };
/** The built page, beside the built command. */
const PAGE_FOLDER = fileURLToPath(new URL('../../../web', import.meta.url));

/**
 * Serves until SIGINT or SIGTERM. SIGHUP reads the files of tokens again; without one it also stops the service.
 *
 * @returns the exit code: 0 after it has stopped, 1 if requests in progress were aborted.
 * @throws {CommandError} if it cannot start.
 */
export async function serve(options: ServeOptions): Promise<number> {
  const { host, port, timeout, rateLimit, watchDatabase, audits, drainTime, logLevel } = options;
  const { clientRequests, clientFetches, trustProxy = [] } = options;
  const tokens = await readTokens(options);
  const invalidateTokens = await readTokens({ tokenFile: options.invalidateTokenFile });
  for (const proxy of trustProxy) checkProxy(proxy);
  if (audits !== undefined && !isFolder(audits))
    throw new CommandError(`--audits must be a folder with reports: ${visible(audits)} is not a folder`);
  if (watchDatabase === '')
    throw new CommandError('--watch-database is empty: give a path or a postgres:// URL');
  if (watchDatabase !== undefined && tokens.length === 0 && (!isLoopback(host) || trustProxy.length > 0))
    throw new CommandError(
      'with --watch-database, clients can change the monitor: give a --token-file, or listen on a loopback address without a proxy',
    );
  checkAllowedHosts(options.allowedHost ?? []);
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
      ...{ tokens, invalidateTokens },
      ...(rateLimit !== undefined && { rateLimit }),
      limits: { clientWorkTime: options.clientWork, ...{ clientRequests, clientFetches } },
      trustProxy,
      hosts: [host, ...(options.allowedHost ?? [])],
      databaseFiles: [database, watchDatabase].filter(isFile),
      pageFolder: PAGE_FOLDER,
      ...(audits !== undefined && { auditFolder: audits }),
      ...(watch && { watch }),
      log,
    });
    // Before anyone knows that the service runs.
    const files = getTokenFiles(app, options);
    const hasFile = files.length > 0;
    const stopSignal = new Promise<NodeJS.Signals>((resolve) =>
      onInterrupt(resolve, hasFile ? ['SIGINT', 'SIGTERM'] : STOPPING),
    );
    const watches = files.map(([path, replace]) => watchTokenFile(path, () => replaceTokens(replace, log)));
    const address = await listen(app, host, port, '--port');
    log.info({ address }, 'listening');
    const pages = watch === undefined ? '' : `, monitor: ${address}/watch.html`;
    printMessage(`page: ${address}/, service: ${address}/v1/decide${pages}; stop with Ctrl-C`);
    const signal = await stopSignal;
    for (const end of watches) end();
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

/** Returns the path of each file with tokens, and how the tokens in it are replaced. */
function getTokenFiles(app: Service, options: ServeOptions): [path: string, replace: () => Promise<void>][] {
  const { tokenFile, invalidateTokenFile } = options;
  const files: [string, () => Promise<void>][] = [];
  if (tokenFile !== undefined) files.push([tokenFile, () => app.replaceTokens(() => readTokens(options))]);
  if (invalidateTokenFile !== undefined)
    files.push([
      invalidateTokenFile,
      () => app.replaceInvalidateTokens(() => readTokens({ tokenFile: invalidateTokenFile })),
    ]);
  return files;
}

/** Reads tokens again. If that fails, the former ones stay valid, and the log says why. */
async function replaceTokens(replace: () => Promise<void>, log: Logger): Promise<void> {
  try {
    await replace();
    log.info('the tokens were read again');
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    log.error({ reason: error.message }, 'the tokens were not read again: the former ones stay valid');
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
