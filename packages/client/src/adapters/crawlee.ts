/**
 * `@maycrawl/client/crawlee`: robots.txt for the HTTP crawlers of Crawlee 3 (HttpCrawler, CheerioCrawler, ...). It has its own types for
 * the parts of Crawlee that it uses, and does not load Crawlee.
 *
 * @module
 */
import { PrivateAddressError } from '../http/address-policy.ts';
import { requireMethods } from '../http/caller-objects.ts';
import { ForbiddenUrlError } from '../origins/refusal.ts';
import { type Decider, requireAllowed } from './forbidden.ts';

export { ForbiddenUrlError, type Refusal, type RefusalCode } from '../origins/refusal.ts';
export type { Decider } from './forbidden.ts';

/** The part of a crawling context that the hook uses. */
export interface NavigationContext {
  readonly request: { readonly url: string; noRetry: boolean };
}

/** The part of the options for got that the hook uses. They belong to one request. */
export interface GotOptions {
  hooks?: {
    beforeRequest?: unknown[];
    beforeRedirect?: unknown[];
    beforeError?: unknown[];
  };
}

/**
 * Creates a hook for `preNavigationHooks` that prevents requests of pages that the crawler of `client` may not fetch, including the
 * targets of redirects. A disallowed page fails with a {@link ForbiddenUrlError}, which `failedRequestHandler` receives, and is not
 * retried.
 *
 * - Put it last, so that it sees the final options.
 * - Leave `respectRobotsTxtFile` off: otherwise Crawlee fetches each robots.txt, too.
 * - Redirects are checked by hooks of got, which Crawlee's own HTTP client calls; another one (`httpClient`) may not.
 * - Requests that a request handler sends itself (`sendRequest`) are not checked.
 * - Crawlee counts a disallowed page as a failure of its session.
 *
 * A redirect to a private address (docs/fetching.md) fails with a PrivateAddressError, and is not retried, unless the client has
 * `allowPrivateAddresses`. Crawlee resolves the name again: only a firewall prevents that the name has another address then. The URLs that Crawlee
 * takes from pages count as passed by the caller: to refuse private addresses there, too, set `allowPrivateAddresses` to `false`.
 *
 * The hook rejects with {@link ForbiddenUrlError}, and with the errors of `client.decide`, after which Crawlee retries.
 *
 * @throws {TypeError} for a client without `decide`.
 *
 * @example
 * const client = new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0' });
 * const crawler = new CheerioCrawler({ preNavigationHooks: [createRobotsHook(client)], requestHandler });
 */
export function createRobotsHook(
  client: Decider,
): (context: NavigationContext, gotOptions: GotOptions) => Promise<void> {
  requireMethods('a client', client, ['decide']);
  return async ({ request }, gotOptions) => {
    let passed = request.url;
    let isRedirected = false;
    const check = async (url: string): Promise<void> => {
      try {
        await requireAllowed(client, url, isRedirected ? { redirectedFrom: passed } : {});
      } catch (error) {
        if (isFinal(error)) request.noRetry = true;
        throw error;
      }
    };
    await check(passed);
    const checkRequest = async ({ url }: { readonly url: string | URL }): Promise<void> => {
      const next = String(url);
      if (!isRedirected) passed = next;
      await check(next);
    };
    const checkRedirect = async ({ url }: { readonly url: string | URL }): Promise<void> => {
      isRedirected = true;
      await check(String(url));
    };
    const { beforeRequest = [], beforeRedirect = [], beforeError = [], ...others } = gotOptions.hooks ?? {};
    gotOptions.hooks = {
      ...others,
      // Other options can change the URL of the first request: `url`, `searchParams`.
      beforeRequest: [...beforeRequest, checkRequest],
      // Earlier than `beforeRequest`, because got-scraping has connected to an https site by then.
      beforeRedirect: [...beforeRedirect, checkRedirect],
      beforeError: [...beforeError, unwrap],
    };
  };
}

/** Unwraps the error of a hook, which got wraps in its own error. */
function unwrap(error: Error): Error {
  return isFinal(error.cause) ? error.cause : error;
}

/** Returns whether a retry would fail, too. */
function isFinal(error: unknown): error is ForbiddenUrlError | PrivateAddressError {
  return error instanceof ForbiddenUrlError || error instanceof PrivateAddressError;
}
