// The network of one page in Chromium: fulfils each of its requests with what this process has loaded, within limits, or refuses it.
import { removeFragment } from '@maycrawl/core/url';
import type { Frame, Page, Request, Route } from 'playwright-core';
import type { RefusedRequest } from '../run/records/rendering.ts';
import { MAX_STORED } from '../run/records/rendering.ts';
import { type LoadedFile, type QueueObserver, RefusedError, type ResourceLoader } from './resource-loader.ts';

/** Requests of a page that are sent, and the bytes of all its files. */
const [MAX_REQUESTS, MAX_BYTES] = [200, 20_000_000] as const;
/** A page with more requests, sent or not, is stopped: each of them takes time of this process. */
const MAX_ATTEMPTS = 2_000;
/** Characters of a stored URL. */
const MAX_URL = 2_000;

/** Types of requests that no text depends on. They are not sent. */
const SKIPPED: ReadonlySet<string> = new Set(['media', 'font', 'texttrack']);
/** One transparent pixel, which takes the place of every image. */
const PIXEL: Buffer = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
/** Headers that are about the connection, or that would store something. */
const DROPPED_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'content-encoding', 'content-length', 'keep-alive', 'transfer-encoding', 'trailer'],
  ...['alt-svc', 'clear-site-data', 'nel', 'refresh', 'report-to', 'reporting-endpoints', 'set-cookie'],
  'strict-transport-security',
]);

const ALLOW_ORIGIN = 'access-control-allow-origin';
/** Playwright lets every origin read a response without this header. Browsers do not. */
const NOT_SHARED: Readonly<Record<string, string>> = { [ALLOW_ORIGIN]: 'https://not-shared.invalid' };

/** What a page network needs. */
export interface PageNetworkOptions {
  /** The URL of the page, and the response with it. */
  readonly url: string;
  readonly response: LoadedFile;
  readonly loader: ResourceLoader;
  readonly observer: QueueObserver;
  /** Receives an error of which the page is not the cause. */
  readonly onError: (error: unknown) => void;
  /** Is called when the page has made far too many requests. */
  readonly onFlood: () => void;
}

/** The requests of one page. */
export class PageNetwork {
  readonly #options: PageNetworkOptions;
  readonly refused: RefusedRequest[] = [];
  /** Number of requests that were sent, or would have been without a cache. */
  requests = 0;
  /** Where the page leads instead of itself; `null` if it stays. */
  redirect: string | null = null;
  #attempts = 0;
  #bytes = 0;
  #isServed = false;
  #page: Page | undefined;

  constructor(options: PageNetworkOptions) {
    this.#options = options;
  }

  /** Sets the page, before it is opened. Requests of other windows are refused. */
  setPage(page: Page): void {
    this.#page = page;
  }

  /** Fulfils or refuses a request. */
  async handle(route: Route): Promise<void> {
    try {
      await this.#fulfilOrRefuse(route, route.request());
    } catch {
      // Chromium: the page is closed, or its request is no longer of use.
    }
  }

  async #fulfilOrRefuse(route: Route, request: Request): Promise<void> {
    if (++this.#attempts > MAX_ATTEMPTS) {
      if (this.#attempts === MAX_ATTEMPTS + 1) this.#options.onFlood();
      return route.abort('blockedbyclient');
    }
    const url = request.url();
    if (/^(?:data|blob):/.test(url)) return route.continue();
    if (!/^https?:/.test(url)) return this.#refuse(route, url, 'scheme');
    const frame = getFrame(request);
    if (frame === null || frame.page() !== this.#page) return this.#refuse(route, url, 'window');
    if (request.isNavigationRequest() && frame.parentFrame() === null) return this.#navigate(route, request);
    if (request.method() !== 'GET') return this.#refuse(route, url, 'method');
    return this.#load(route, request);
  }

  /** The first navigation is that to the page. Every other one would leave it. */
  async #navigate(route: Route, request: Request): Promise<void> {
    const { url: own, response } = this.#options;
    const url = removeFragment(request.url());
    if (!this.#isServed) {
      this.#isServed = true;
      return fulfil(route, response);
    }
    if (request.method() === 'GET' && url !== own) this.redirect ??= url;
    // A response without content leaves the document where it is.
    return route.fulfill({ status: 204 });
  }

  async #load(route: Route, request: Request): Promise<void> {
    const [url, type] = [request.url(), request.resourceType()];
    if (SKIPPED.has(type)) return route.abort('blockedbyclient');
    if (type === 'image') return route.fulfill({ status: 200, contentType: 'image/gif', body: PIXEL });
    if (this.requests >= MAX_REQUESTS || this.#bytes >= MAX_BYTES) return this.#refuse(route, url, 'limit');
    this.requests++;
    const { accept = '*/*', origin } = request.headers();
    let file: LoadedFile;
    try {
      file = await this.#options.loader.load(
        url,
        { accept, ...(origin && { origin }) },
        this.#options.observer,
      );
    } catch (error) {
      if (error instanceof RefusedError) return this.#refuse(route, error.url ?? url, error.reason);
      this.#options.onError(error);
      return route.abort('failed');
    }
    this.#bytes += file.body.length;
    if (file.status >= 400) this.#note(url, `status-${file.status}`);
    return fulfil(route, file);
  }

  #refuse(route: Route, url: string, reason: string): Promise<void> {
    this.#note(url, reason);
    return route.abort('blockedbyclient');
  }

  #note(url: string, reason: string): void {
    const stored = url.slice(0, MAX_URL);
    const isKnown = this.refused.some((each) => each.url === stored);
    if (this.refused.length < MAX_STORED && !isKnown) this.refused.push({ url: stored, reason });
  }
}

/** The frame of a request; `null` for a request of a window that does not exist yet, or of a worker. */
function getFrame(request: Request): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

async function fulfil(route: Route, { status, headers, body }: LoadedFile): Promise<void> {
  const kept: Record<string, string> = { ...NOT_SHARED };
  for (const [name, value] of headers)
    if (name === ALLOW_ORIGIN) kept[name] = value;
    else if (!DROPPED_HEADERS.has(name))
      kept[name] = kept[name] === undefined ? value : `${kept[name]}, ${value}`;
  await route.fulfill({
    status,
    headers: kept,
    body: Buffer.from(body.buffer, body.byteOffset, body.length),
  });
}
