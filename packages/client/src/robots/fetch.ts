// Fetches a robots.txt over HTTP, HTTPS or FTP.
import { GOOGLE, MAX_FILE_BYTES, resolveProfile } from '@maycrawl/core';
import { checkOptions, quoteValue } from '@maycrawl/core/internal';
import { parseUrl, toUrlText, type UrlInput } from '@maycrawl/core/url';
import { createAddressPolicy } from '../http/address-policy.ts';
import { requireMethods, requireSignal } from '../http/caller-objects.ts';
import { getSharedResolver } from '../http/dns/resolver.ts';
import { isRemoteFailure } from '../http/local-failure.ts';
import { describeRequestFailure } from '../http/request-failure.ts';
import { FETCH_OPTIONS, type FetchOptions, requireUserAgent } from './fetch-options.ts';
import type {
  FetchCode,
  FetchResult,
  Hop,
  UnconditionalResult,
  Untimed,
  Validators,
} from './fetch-result.ts';
import { DEADLINE_TYPES, DEADLINES, type Deadlines, Phases, type Timings } from './phases.ts';

/** The longest time of a fetch, in milliseconds. */
export const MAX_TIMEOUT = 3_600_000;

/**
 * Fetches the robots.txt at `url` and returns the result. Redirects are followed across hosts. An error of the network or the server
 * is a result, not an exception.
 *
 * @throws {RangeError} {TypeError} if `url` is not an http, https or ftp URL, or an option is unknown or invalid.
 * @throws an error of this machine, such as too many open sockets, or of the program: a TypeError, ReferenceError or RangeError.
 * @throws the signal's reason if the caller aborts.
 */
export async function fetchRobotsTxt(
  url: UrlInput,
  options: FetchOptions = {},
): Promise<UnconditionalResult> {
  checkOptions<FetchOptions>('fetchRobotsTxt', options, FETCH_OPTIONS);
  // Without validators the result is never `not-modified`.
  return (await fetchFile(toUrlText(url), undefined, options)) as UnconditionalResult;
}

/**
 * Revalidates the robots.txt at `url`: as {@link fetchRobotsTxt}, but if the server confirms the stored response, the result is
 * `not-modified`.
 *
 * @param validators - of the stored response; `undefined` without one.
 * @throws as {@link fetchRobotsTxt} does.
 */
export async function refetchRobotsTxt(
  url: UrlInput,
  validators: Validators | undefined,
  options: FetchOptions = {},
): Promise<FetchResult> {
  checkOptions<FetchOptions>('refetchRobotsTxt', options, FETCH_OPTIONS);
  return fetchFile(toUrlText(url), validators, options);
}

async function fetchFile(
  url: string,
  validators: Validators | undefined,
  options: FetchOptions,
): Promise<FetchResult> {
  const {
    profile: chosen = GOOGLE,
    userAgent = 'maycrawl',
    timeout = 30_000,
    maxBytes = MAX_FILE_BYTES,
    signal,
    allowPrivateAddresses,
    addressPolicy,
    readsErrorBodies = false,
    mayFollow = () => true,
    resolver = getSharedResolver(),
    signer,
  } = options;
  requireSignal(signal);
  requireMethods('a resolver', resolver, ['resolve']);
  if (signer !== undefined) requireMethods('a signer', signer, ['sign']);
  if (addressPolicy !== undefined) requireMethods('an address policy', addressPolicy, ['permits']);
  const deadlines = resolveDeadlines(options.deadlines);
  const loadTransport = getTransport(url);
  if (loadTransport === undefined) throw new RangeError(`not an http, https or ftp URL: ${quoteValue(url)}`);
  const profile = resolveProfile(chosen);
  requireUserAgent(userAgent);
  for (const limit of [timeout, ...Object.values(deadlines)]) {
    if (!(limit >= 1 && limit <= MAX_TIMEOUT))
      throw new RangeError(`not a timeout in milliseconds: ${limit}`);
  }
  if (!(Number.isInteger(maxBytes) && maxBytes >= 0))
    throw new RangeError(`not a number of bytes: ${maxBytes}`);
  signal?.throwIfAborted();
  // Loading takes no time of the deadlines.
  const [transport, { createConnect }] = await Promise.all([loadTransport(), import('./connect.ts')]);
  signal?.throwIfAborted();
  const policy = addressPolicy ?? createAddressPolicy({ allowPrivateAddresses, openOrigins: [url] });
  const phases = new Phases(deadlines, timeout);
  const hops: Hop[] = [];
  const anySignal = signal === undefined ? phases.signal : AbortSignal.any([phases.signal, signal]);
  const connect = createConnect({ resolver, policy }, phases, anySignal);
  const context = { phases, connect, signal: anySignal, hops };
  let result: Untimed<FetchResult>;
  let timings: Timings;
  try {
    const settings = { profile, userAgent, maxBytes, validators, readsErrorBodies, mayFollow, signer };
    result = await transport(url, context, settings);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (!isRemoteFailure(cause)) throw cause;
    result = { kind: 'unreachable', ...describeFailure(cause, phases), cause, hops, headers: null };
  } finally {
    timings = phases.end();
  }
  return { ...result, timings };
}

function resolveDeadlines(deadlines: Partial<Deadlines> = {}): Deadlines {
  checkOptions<Partial<Deadlines>>('deadlines of a fetch', deadlines, DEADLINE_TYPES);
  const chosen = Object.entries(deadlines).filter(([, deadline]) => deadline !== undefined);
  return { ...DEADLINES, ...Object.fromEntries(chosen) };
}

type Transport = typeof import('./http.ts').fetchHttp;

/**
 * Loads the clients of HTTP and FTP before a fetch needs them. Node caches a failed import: if the process could open no file at its
 * first fetch, every later fetch would fail, too.
 */
export async function loadTransports(): Promise<void> {
  await Promise.all([loadHttp(), loadFtp(), import('./connect.ts'), import('tldts')]);
}

const loadHttp = async (): Promise<Transport> => (await import('./http.ts')).fetchHttp;
const loadFtp = async (): Promise<Transport> => (await import('./ftp/fetch-ftp.ts')).fetchFtp;

/** Loaders of transports. A transport is loaded when it is first used: HTTP and FTP clients load slower than all else of this package. */
const TRANSPORTS: ReadonlyMap<string, () => Promise<Transport>> = new Map([
  ['http:', loadHttp],
  ['https:', loadHttp],
  ['ftp:', loadFtp],
]);

function getTransport(url: string): (() => Promise<Transport>) | undefined {
  return TRANSPORTS.get(parseUrl(url)?.protocol ?? '');
}

function describeFailure(error: unknown, { missed }: Phases): { code: FetchCode; message: string } {
  if (missed !== undefined) return { code: 'timeout', message: missed };
  const { code, reason: message } = describeRequestFailure(error);
  return { code, message };
}
