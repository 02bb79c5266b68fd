/// <reference types="node" preserve="true" />
/**
 * `@maycrawl/client/browsers`: robots.txt and the pace of requests for pages of Playwright (Chromium) and Puppeteer. It has its own types for
 * the parts of them that it uses, and loads neither.
 *
 * @module
 */
import { checkOptions } from '@maycrawl/core/internal';
import { parseUrl } from '@maycrawl/core/url';
import { LRUCache } from 'lru-cache';
import { requireMethods } from '../http/caller-objects.ts';
import { decodeLocation, isRedirectStatus } from '../http/redirects.ts';
import { type Decider, OUTSIDE, requireDecider } from './forbidden.ts';
import { type FailedRequest, type PageOptions, PageRequests, type PageResponse } from './page-requests.ts';

export { ForbiddenUrlError, type Refusal, type RefusalCode } from '../origins/refusal.ts';
export type { Decider } from './forbidden.ts';
export type { FailedRequest, PageOptions, PageResponse } from './page-requests.ts';

/**
 * A guarded page.
 *
 * @typeParam Goto - the type of `page.goto`.
 */
export interface PageGuard<Goto extends (url: string, ...rest: never[]) => Promise<unknown>> {
  /**
   * Navigates as `page.goto` does, after it has waited for the turn of the URL: the time-out of the navigation begins after that.
   *
   * @throws {ForbiddenUrlError} {PaceError} if the URL, or the target of a redirect, may not be requested now.
   * @throws as `page.goto` does.
   */
  goto(...args: Parameters<Goto>): ReturnType<Goto>;
}

/** The part of a page of Playwright that the guard uses. */
export interface PlaywrightPage {
  /** Navigates. */
  goto(url: string, ...rest: never[]): Promise<unknown>;
  /** Passes requests to a handler. */
  route(url: string, handler: (route: PlaywrightRoute) => Promise<void>): Promise<unknown>;
  /** Adds a listener for `response`, `requestfailed` or `close`. */
  // biome-ignore lint/suspicious/noExplicitAny: `on` has an overload for each event, and only `any` is assignable to all of them
  on(event: any, listener: (value: any) => void): unknown;
  /** The frame of the page itself. */
  mainFrame(): object;
  /** The context, which creates sessions of the Chrome DevTools Protocol. */
  context(): PlaywrightContext;
}

/** The part of a context of Playwright that the guard uses. */
export interface PlaywrightContext {
  /** Creates a session of the Chrome DevTools Protocol for a page. */
  newCDPSession(page: never): Promise<unknown>;
}

/** The part of a route of Playwright that the guard uses. */
export interface PlaywrightRoute {
  /** The request. */
  request(): PlaywrightRequest;
  /** Passes the request to the next handler, or sends it. */
  fallback(): Promise<void>;
  /** Sends the request outside of the page. */
  fetch(options: { readonly maxRedirects: number }): Promise<PageResponse>;
  /** Gives the page a response. */
  fulfill(options: object): Promise<void>;
  /** Fails the request. */
  abort(code: string): Promise<void>;
}

/** The part of a request of Playwright that the guard uses. */
export interface PlaywrightRequest extends FailedRequest {
  /** Whether a page or a frame navigates. */
  isNavigationRequest(): boolean;
  /** The frame that navigates, or whose page loads something. */
  frame(): object;
}

interface CdpSession {
  on(event: string, listener: (event: PausedRequest) => void): unknown;
  send(method: string, parameters?: object): Promise<unknown>;
}

interface FrameTree {
  readonly frameTree: { readonly frame: { readonly id: string } };
}

interface PausedRequest {
  readonly requestId: string;
  readonly frameId: string;
  readonly request: { readonly url: string };
  readonly resourceType: string;
  readonly redirectedRequestId?: string;
}

/** Requests whose URLs are stored, because one that redirects is named by its identifier. */
const MAX_REQUESTS = 1_000;

/**
 * Makes a page of Playwright obey robots.txt and keep the pace of the client: its navigations, those of its frames, and, if the caller requires
 * it, everything that it loads. What may not be requested fails as if an extension had blocked it (`net::ERR_BLOCKED_BY_CLIENT`).
 *
 * `page.route` sees the first request of a navigation, and Playwright does not pass on the targets of its redirects. The guard checks them by
 * the Chrome DevTools Protocol, so it works with Chromium only.
 *
 * - Navigate with the `goto` of the guard: it opens the site for frames and links, which must not be on private addresses of other sites
 *   (docs/fetching.md) unless the client has `allowPrivateAddresses: true`.
 * - Call it before the first navigation, and for each page: a popup is a page of its own.
 * - Handlers of later `page.route` calls come first. They must call `route.fallback()`, not `route.continue()`.
 * - Block service workers (`serviceWorkers: 'block'` of the context): their requests are not seen. Nor are WebSockets, and prefetches and
 *   prerendered pages of speculation rules.
 * - A turn ends with the headers of the response. A page that opens frames of its own site waits for the turn of each.
 *
 * @returns a guard whose `goto` rejects with the refusal.
 * @throws {TypeError} for a client without `decide`, a page without `route`, and for an unknown option.
 * @throws the error of Playwright if the browser is not Chromium.
 *
 * @example
 * const page = await context.newPage();
 * const { goto } = await guardPlaywrightPage(page, client);
 * await goto('https://example.com/');
 */
export async function guardPlaywrightPage<Page extends PlaywrightPage>(
  page: Page,
  client: Decider,
  options: PageOptions = {},
): Promise<PageGuard<Page['goto']>> {
  const requests = createRequests(page, ['goto', 'route', 'on', 'context', 'mainFrame'], client, options);
  const urls = new LRUCache<string, string>({ max: MAX_REQUESTS });
  const session = (await page.context().newCDPSession(page as never)) as CdpSession;
  const { frameTree } = (await session.send('Page.getFrameTree')) as FrameTree;
  const pass = async (paused: PausedRequest): Promise<void> => {
    const { requestId, frameId, request, resourceType, redirectedRequestId } = paused;
    const { url } = request;
    urls.set(requestId, url);
    const isHop = redirectedRequestId !== undefined;
    const isAdmitted =
      // The route handler decides about others.
      !isHop ||
      (await requests.admit({
        ...{ request: {}, url, isNavigation: resourceType === 'Document' },
        isMainFrame: frameId === frameTree.frame.id,
        redirectedFrom: urls.get(redirectedRequestId) ?? OUTSIDE,
      }));
    const answer = isAdmitted
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // Its frame was removed, or its page closed, meanwhile.
    await answer.catch(() => isHop && requests.cancel(url));
  };
  session.on('Fetch.requestPaused', (paused) => void pass(paused));
  const resourceType = options.subresources ? {} : { resourceType: 'Document' };
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', ...resourceType }] });
  await page.route('**/*', async (route: PlaywrightRoute) => {
    const request = route.request();
    const [url, isNavigation] = [request.url(), request.isNavigationRequest()];
    const isMainFrame = isNavigation && request.frame() === page.mainFrame();
    const isAdmitted = await requests.admit({
      ...{ request, url, isNavigation, isMainFrame },
      redirectedFrom: undefined,
    });
    const answer = !isAdmitted
      ? route.abort('blockedbyclient')
      : isNavigation && (await hasOwnSession(page, request.frame()))
        ? loadFrame(route, requests)
        : route.fallback();
    // The page was closed meanwhile.
    await answer.catch(() => {});
  });
  return listen(page, requests);
}

/** Frames that have loaded a document of another site than their page. They may return to it, and count nevertheless. */
const FRAMES_WITH_SESSION: WeakSet<object> = new WeakSet();

/** Returns whether the session of a page does not see the redirects of a frame, because it has loaded a document of another site. */
async function hasOwnSession(page: PlaywrightPage, frame: object): Promise<boolean> {
  if (frame === page.mainFrame()) return false;
  if (FRAMES_WITH_SESSION.has(frame)) return true;
  try {
    await page.context().newCDPSession(frame as never);
    FRAMES_WITH_SESSION.add(frame);
    return true;
  } catch {
    // It is a part of its parent's session.
    return false;
  }
}

/** Loads the document of a frame without its redirect. A script navigates to the target, so that the route handler decides about it. */
async function loadFrame(route: PlaywrightRoute, requests: PageRequests): Promise<void> {
  let response: PageResponse;
  try {
    response = await route.fetch({ maxRedirects: 0 });
  } catch (error) {
    // No event of the page says so, because the browser did not send the request.
    requests.failWith(route.request().url(), error);
    return route.abort('failed');
  }
  requests.endWith(response);
  const location = decodeLocation(response.headers()['location']);
  if (!isRedirectStatus(response.status()) || location === undefined) return route.fulfill({ response });
  const target = parseUrl(location, response.url())?.href ?? 'about:blank';
  const literal = JSON.stringify(target).replaceAll('<', '\\u003c');
  return route.fulfill({ contentType: 'text/html', body: `<script>location.replace(${literal})</script>` });
}

/** The part of a page of Puppeteer that the guard uses. */
export interface PuppeteerPage {
  /** The frame of the page itself. */
  mainFrame(): object;
  /** Navigates. */
  goto(url: string, ...rest: never[]): Promise<unknown>;
  /** Passes requests to the listeners of `request`. */
  setRequestInterception(value: boolean): Promise<void>;
  /** Adds a listener for `request`, `response`, `requestfailed` or `close`. */
  // biome-ignore lint/suspicious/noExplicitAny: the type of a listener depends on its event, and only `any` is assignable to all of them
  on(event: any, listener: (value: any) => void): unknown;
}

interface PuppeteerRequest extends FailedRequest {
  frame(): object | null;
  isNavigationRequest(): boolean;
  redirectChain(): readonly { url(): string }[];
  continue(overrides: object, priority: number): Promise<void>;
  abort(code: string, priority: number): Promise<void>;
}

/** The priority of decisions, so that other handlers can decide, too (cooperative intercept mode). A refusal comes before a permission. */
const PRIORITY = 0;

/**
 * Makes a page of Puppeteer obey robots.txt and keep the pace of the client, as {@link guardPlaywrightPage} does. Puppeteer passes on the
 * targets of redirects, so it works with every browser that it supports.
 *
 * Other handlers of `request` events must decide with a priority (cooperative intercept mode).
 *
 * @returns a guard whose `goto` rejects with the refusal.
 * @throws {TypeError} for a client without `decide`, a page without `setRequestInterception`, and for an unknown option.
 *
 * @example
 * const page = await browser.newPage();
 * const { goto } = await guardPuppeteerPage(page, client);
 * await goto('https://example.com/');
 */
export async function guardPuppeteerPage<Page extends PuppeteerPage>(
  page: Page,
  client: Decider,
  options: PageOptions = {},
): Promise<PageGuard<Page['goto']>> {
  const requests = createRequests(
    page,
    ['goto', 'setRequestInterception', 'on', 'mainFrame'],
    client,
    options,
  );
  page.on('request', async (request: PuppeteerRequest) => {
    const isAdmitted = await requests.admit({
      request,
      url: request.url(),
      isMainFrame: request.frame() === page.mainFrame(),
      isNavigation: request.isNavigationRequest(),
      redirectedFrom: request.redirectChain().at(-1)?.url(),
    });
    // The page was closed meanwhile.
    await (isAdmitted ? request.continue({}, PRIORITY) : request.abort('blockedbyclient', PRIORITY)).catch(
      () => {},
    );
  });
  await page.setRequestInterception(true);
  return listen(page, requests);
}

function createRequests(
  page: object,
  methods: readonly string[],
  client: Decider,
  options: PageOptions,
): PageRequests {
  requireMethods('a page', page, methods);
  requireDecider(client);
  checkOptions<PageOptions>('a guarded page', options, { subresources: 'boolean', onRefused: 'function' });
  return new PageRequests(client, { ...options });
}

/** Ends turns by the events of a page. */
function listen<Page extends Pick<PuppeteerPage, 'goto' | 'on'>>(
  page: Page,
  requests: PageRequests,
): PageGuard<Page['goto']> {
  page.on('response', (response: PageResponse) => requests.endWith(response));
  page.on('requestfailed', (request: FailedRequest) => requests.fail(request));
  page.on('close', () => requests.close());
  return {
    goto: ((url: string, ...rest: never[]) =>
      requests.navigate(url, () => page.goto(url, ...rest))) as unknown as PageGuard<Page['goto']>['goto'],
  };
}
