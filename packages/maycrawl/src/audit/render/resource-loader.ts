// Loads what pages need: scripts, styles, data. Every request goes through the robots guard, the pace of its host, and the HTTP layer of the
// project with its guard against private addresses. Files are cached, because the pages of a site share them.

import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CollectedResponse,
  decodeLocation,
  followRedirects,
  InFlight,
  isLocalFailure,
  isOverloaded,
  type RedirectResponse,
  RequestError,
  RequestPace,
} from '@maycrawl/client/internal';
import { isOwnRefusal } from '@maycrawl/client/policy';
import { getHeaderValues } from '@maycrawl/core/indexability';
import { getOrigin, removeFragment } from '@maycrawl/core/url';
import { LRUCache } from 'lru-cache';
import type { CrawlParts } from '../crawl/crawl-options.ts';
import { getRetryAfter } from '../crawl/visit.ts';
import { isServerFailure } from '../run/records/server-failure.ts';
import { getHost } from '../run/records/url.ts';

const MAX_BYTES = 5_000_000;
/** Bytes of all cached files, and their number. */
const [MAX_CACHED_BYTES, MAX_CACHED] = [64_000_000, 2_000] as const;
const MAX_REDIRECTS = 5;
/** Number of sites from which the pages of a run may load files: a hostile page names a million. */
const MAX_SITES = 200;
/** Requests for a page whose host is overloaded. */
const MAX_ATTEMPTS = 3;
const PAGE_HEADERS = {};
/** Milliseconds between two attempts to send a request to a host that has enough of them. */
const TURN = 20;

/** A response that Chromium gets. */
export interface LoadedFile {
  readonly status: number;
  readonly headers: CollectedResponse['headers'];
  readonly body: Uint8Array;
}

/** A request that is not sent, or has no response. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** `robots`, `own-robots`, `robots-unreachable`, `sites`, `too-large`, `redirects`, `host-failing`, or the code of a failure. */
  readonly reason: string;
  /** The URL that is refused, if it is the target of a redirect. */
  readonly url: string | undefined;

  constructor(reason: string, { url, ...options }: ErrorOptions & { readonly url?: string } = {}) {
    super(`refused: ${reason}`, options);
    this.reason = reason;
    this.url = url;
  }
}

/** The headers of a request on which a response may depend. */
export interface FileHeaders {
  readonly accept: string;
  /** The origin of the page, if the request needs the permission of another one. */
  readonly origin?: string;
}

/** Observes the time that a request spends in the queue of its host: it is not the time of the page. */
export interface QueueObserver {
  readonly onQueue: () => void;
  readonly onSend: () => void;
}

interface FileRequest {
  readonly maxBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly observer?: QueueObserver;
  /** Whether a page is requested, and not a file for one. */
  readonly isPage?: boolean;
}

/** Loads files for pages. */
export class ResourceLoader {
  readonly #parts: CrawlParts;
  /** By host: those of pages, and of at most MAX_SITES files. */
  readonly #paces: Map<string, RequestPace> = new Map();
  readonly #sites: Set<string> = new Set();
  readonly #inFlight: InFlight<LoadedFile> = new InFlight();
  readonly #cache: LRUCache<string, LoadedFile> = new LRUCache({
    max: MAX_CACHED,
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ body }) => body.length + 1_000,
  });

  constructor(parts: CrawlParts) {
    // Each of many requests listens to it.
    const signal = AbortSignal.any([parts.signal]);
    setMaxListeners(0, signal);
    this.#parts = { ...parts, signal };
  }

  /**
   * Loads a file, and follows its redirects.
   *
   * @throws {RefusedError} if robots.txt disallows it, a limit is reached, or there is no response.
   */
  async load(url: string, headers: FileHeaders, observer: QueueObserver): Promise<LoadedFile> {
    const start = removeFragment(url);
    const key = [start, headers.accept, headers.origin].join('\n');
    return (
      this.#cache.get(key) ??
      this.#inFlight.join(key, async () => {
        const file = await this.#follow(start, headers, observer);
        // A server that is overloaded now may respond to the next page.
        if (!isServerFailure(file.status)) this.#cache.set(key, file);
        return file;
      })
    );
  }

  /** Requests a page itself, which is not cached, again if its host is overloaded. @throws as {@link ResourceLoader.load} does. */
  async loadPage(url: string, maxBytes: number): Promise<LoadedFile> {
    await this.#requireRules(url);
    for (let attempt = 1; ; attempt++) {
      const page = await this.#request(url, { maxBytes, headers: PAGE_HEADERS, isPage: true });
      if (!isOverloaded(page.status) || attempt === MAX_ATTEMPTS) return page;
    }
  }

  async #follow(start: string, headers: FileHeaders, observer: QueueObserver): Promise<LoadedFile> {
    await this.#requireAllowed(start);
    const { response, problem } = await followRedirects<LoadedFile & RedirectResponse>(start, {
      maxRedirects: MAX_REDIRECTS,
      request: async (url) => {
        const file = await this.#request(url, { maxBytes: MAX_BYTES, headers: { ...headers }, observer });
        if (file.body.length > MAX_BYTES) throw new RefusedError('too-large');
        return { ...file, url, location: decodeLocation(getHeaderValues(file, 'location')) };
      },
      release: async () => {},
      mayFollow: async (url) => {
        await this.#requireAllowed(url);
        return true;
      },
    });
    if (problem !== undefined) throw new RefusedError('redirects');
    return response;
  }

  /** @throws {RefusedError} if the crawler may not fetch the URL for a page. */
  async #requireAllowed(url: string): Promise<void> {
    const origin = getOrigin(url);
    if (!this.#sites.has(origin) && this.#sites.size >= MAX_SITES) throw new RefusedError('sites');
    this.#sites.add(origin);
    await this.#requireRules(url);
  }

  /** @throws {RefusedError} if robots.txt disallows the URL. */
  async #requireRules(url: string): Promise<void> {
    const { guard, signal, obeysCrawlDelay } = this.#parts;
    const site = await guard.getSite(getOrigin(url), signal);
    const refusal = site.refuse(url);
    if (refusal !== null) throw new RefusedError(refusal, { url });
    if (obeysCrawlDelay) this.#getPace(url).spaceBy(site.crawlDelay);
  }

  async #request(
    url: string,
    { maxBytes, headers, observer, isPage = false }: FileRequest,
  ): Promise<LoadedFile> {
    const { client, now, signal } = this.#parts;
    const pace = this.#getPace(url);
    // No page waits for files of a host that no longer responds. The next page shows whether it responds again.
    const requireHost = (): void => {
      if (isPage ? pace.isDown : pace.isFailing) throw new RefusedError('host-failing');
    };
    requireHost();
    observer?.onQueue();
    try {
      for (let pause = pace.wait(performance.now()); pause !== 0; pause = pace.wait(performance.now())) {
        await sleep(pause ?? TURN, undefined, { signal });
        requireHost();
      }
    } finally {
      observer?.onSend();
    }
    const start = performance.now();
    pace.start(start);
    try {
      const response = await client.fetchFile(url, maxBytes, headers);
      const isFailure = isOverloaded(response.status);
      const retryAfter = isFailure ? getRetryAfter(response, now()) : null;
      pace.end(performance.now(), { milliseconds: response.headersAfter, isFailure, retryAfter });
      return response;
    } catch (error) {
      const isFailure = error instanceof RequestError && !isOwnRefusal(error.code);
      pace.end(performance.now(), { milliseconds: performance.now() - start, isFailure, retryAfter: null });
      if (error instanceof RequestError) throw new RefusedError(error.code, { cause: error });
      if (isLocalFailure(error)) throw new RefusedError('local', { cause: error });
      throw error;
    }
  }

  #getPace(url: string): RequestPace {
    const host = getHost(url);
    const pace = this.#paces.get(host) ?? new RequestPace(this.#parts);
    this.#paces.set(host, pace);
    return pace;
  }
}
