// Where a robots.txt comes from: a file, standard input, or a site.
import type { ClientEvent, FullStore, OriginState, UnconditionalResult } from '@maycrawl/client';
import type { Origins } from '@maycrawl/client/internal';
import {
  getPolicyCode,
  type ParseOptions,
  type PolicyCode,
  type Profile,
  parse,
  type RobotsPolicy,
} from '@maycrawl/core';
import { hasScheme, type ParsedUrl, parseUrl } from '@maycrawl/core/url';
import type { Source } from '../../batch/judge.ts';
import { visible } from '../../text/printable.ts';
import type { ReadingOptions } from '../options/fetch-options.ts';
import { CommandError, createFetchError } from '../output/errors.ts';
import { printMessage } from '../output/terminal.ts';
import { readRobotsFile } from './file.ts';
import { requireProfile } from './options.ts';
import { openStoreIfPossible } from './response-store.ts';

/** Reads robots.txt from files, standard input and sites. Stores the responses of sites. */
export class SourceReader {
  readonly #options: ReadingOptions;
  readonly #profile: Profile;
  #store: Promise<FullStore> | undefined;
  #origins: Promise<Origins> | undefined;
  /** Aborts at Ctrl-C, so that processes that share the store do not wait for the requests of this one. */
  readonly #interrupt: AbortController = new AbortController();
  readonly #stop = (): void => this.#interrupt.abort(new CommandError('stopped'));

  /** @throws {CommandError} if there is no such profile, or options contradict each other. */
  constructor(options: ReadingOptions) {
    this.#options = options;
    this.#profile = requireProfile(options.profile);
    const { fresh, offline } = options;
    if (fresh && offline) throw new CommandError('--fresh and --offline exclude each other');
  }

  /**
   * Reads the robots.txt that is named on the command line.
   *
   * @param name - a path, `-` for standard input, or an http, https or ftp URL: of a site, or of a file.
   * @throws {CommandError} if it cannot be read. No response of a site is an error.
   */
  async read(name: string): Promise<Source> {
    if (hasScheme(name)) return this.#readSite(name);
    const robots = parse(await readRobotsFile(name), { profile: this.#profile });
    return {
      name: name === '-' ? 'standard input' : name,
      policy: { kind: 'rules', robots },
      hops: [],
      robots,
    };
  }

  async close(): Promise<void> {
    process.removeListener('SIGINT', this.#stop);
    // Requests in flight release their leases.
    await (await this.#origins)?.idle();
    await (await this.#store)?.close();
  }

  async #readSite(name: string): Promise<Source> {
    const [profile, { fresh, offline }] = [this.#profile, this.#options];
    const { origin, href } = parseFetchable(name);
    const isSite = href === `${origin}/` || href === `${origin}/robots.txt`;
    // A file at another path is not the robots.txt of a site, and is not stored as one.
    if (!isSite) return this.#fetch(name);
    const url = `${origin}/robots.txt`;
    const mode = offline ? 'offline' : fresh ? 'force' : 'default';
    try {
      const state = await (await this.#openOrigins()).getState(origin, {
        mode,
        signal: this.#interrupt.signal,
      });
      const { history, policy } = state;
      if (fresh && policy.kind === 'rules' && history.outage !== null)
        printMessage(`${url}: ${history.outage.message}; the rules of the last response still apply`);
      if (history.response !== null || history.outage !== null)
        return createSource(url, state, { profile, url });
    } catch (cause) {
      throw createFetchError(url, cause);
    }
    throw new CommandError(`${visible(url)} is not stored, and --offline sends no request`);
  }

  async #openOrigins(): Promise<Origins> {
    const { userAgent, allowPrivate, timeout, database } = this.#options;
    this.#listen();
    this.#store ??= openStoreIfPossible(database);
    const opened = await this.#store;
    this.#origins ??= import('./http-client.ts').then(
      ({ Origins }) =>
        new Origins({
          ...{ profile: this.#profile, userAgent, timeout, allowPrivateAddresses: allowPrivate },
          store: opened,
          loading: 'on-demand',
          onEvent: printOnce(),
        }),
    );
    return this.#origins;
  }

  #listen(): void {
    process.removeListener('SIGINT', this.#stop);
    process.once('SIGINT', this.#stop);
  }

  async #fetch(url: string): Promise<Source> {
    const { userAgent, allowPrivate, timeout, offline } = this.#options;
    const profile = this.#profile;
    if (offline) throw new CommandError(`${visible(url)} is not stored, and --offline sends no request`);
    this.#listen();
    // Loaded late: most calls fetch nothing, and the HTTP client takes a while to load.
    const { fetchRobotsTxt } = await import('@maycrawl/client');
    try {
      const result = await fetchRobotsTxt(url, {
        ...{ profile, userAgent, timeout, allowPrivateAddresses: allowPrivate },
        signal: this.#interrupt.signal,
      });
      return createSourceFromResult(url, result, { profile, url });
    } catch (cause) {
      throw createFetchError(url, cause);
    }
  }
}

/** @throws {CommandError} if the scheme is not http, https or ftp. */
function parseFetchable(url: string): ParsedUrl {
  const parsed = parseUrl(url);
  if (parsed !== undefined && /^(https?|ftp):$/.test(parsed.protocol)) return parsed;
  throw new CommandError(`cannot fetch ${visible(url)}: give an http, https or ftp URL`);
}

function printOnce(): (event: ClientEvent) => void {
  const printed = new Set<string>();
  return (event) => {
    let message: string;
    if (event.kind === 'store-failed') message = `cannot use the store: ${(event.error as Error).message}`;
    else if (event.kind === 'waiting')
      message = `another process is fetching ${event.origin}: waiting for it`;
    else return;
    if (!printed.has(message)) printMessage(message);
    printed.add(message);
  };
}

/** Creates a source from the policy of a site. */
function createSource(
  url: string,
  { policy, history: { response, outage } }: OriginState,
  options: ParseOptions,
): Source {
  const code = getPolicyCode(policy);
  const cause = code === 'rules' ? response : code === 'unavailable' ? (outage ?? response) : outage;
  return {
    name: url,
    url,
    policy,
    hops: cause?.hops ?? [],
    ...(policy.kind !== 'rules' && cause?.code ? { code: cause.code } : {}),
    ...(policy.kind !== 'rules' && cause?.message ? { message: cause.message } : {}),
    robots: policy.kind === 'rules' ? policy.robots : parse('', options),
  };
}

/** Creates a source from the result of one fetch. */
function createSourceFromResult(url: string, result: UnconditionalResult, options: ParseOptions): Source {
  const { hops } = result;
  if (result.kind === 'successful') {
    const robots = parse(result.bytes, options);
    return { name: url, policy: { kind: 'rules', robots }, url, hops, robots };
  }
  const { code, message } = result;
  const policy: RobotsPolicy =
    result.kind === 'unavailable'
      ? { kind: 'allow-all', reason: 'unavailable' }
      : { kind: 'disallow-all', reason: 'unreachable' };
  return { name: url, policy, code, message, url, hops, robots: parse('', options) };
}

const STATES: Readonly<Record<PolicyCode, string>> = {
  rules: 'found',
  unavailable: 'no robots.txt',
  unreachable: 'unreachable',
  'outage-expired': 'unreachable, and the outage policy allows all URLs',
  unknown: 'unknown',
};

/** Describes the state of a source in a few words. */
export function describeSource({ policy, message }: Pick<Source, 'policy' | 'message'>): string {
  const state = STATES[getPolicyCode(policy)];
  return message === undefined ? state : `${state}: ${message}`;
}

/** Whether the robots.txt could not be fetched. */
export function isUnreachable({ policy }: Pick<Source, 'policy'>): boolean {
  return policy.kind === 'disallow-all' || policy.kind === 'unknown';
}
