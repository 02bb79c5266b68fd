/**
 * `@maycrawl/client/crawlee`: robots.txt for the HTTP crawlers of Crawlee 3 (HttpCrawler, CheerioCrawler, ...). It has its own types for
 * the parts of Crawlee that it uses, and does not load Crawlee.
 *
 * @module
 */
import { type Decider, ForbiddenUrlError, requireAllowed } from './forbidden.ts';

export { type Decider, ForbiddenUrlError } from './forbidden.ts';

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
 * The hook rejects with {@link ForbiddenUrlError}, and with the errors of `client.decide`, after which Crawlee retries.
 *
 * @example
 * const client = new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0' });
 * const crawler = new CheerioCrawler({ preNavigationHooks: [createRobotsHook(client)], requestHandler });
 */
export function createRobotsHook(
  client: Decider,
): (context: NavigationContext, gotOptions: GotOptions) => Promise<void> {
  return async ({ request }, gotOptions) => {
    const check = async (url: string): Promise<void> => {
      try {
        await requireAllowed(client, url);
      } catch (error) {
        if (error instanceof ForbiddenUrlError) request.noRetry = true;
        throw error;
      }
    };
    await check(request.url);
    const checkNext = ({ url }: { readonly url: string | URL }): Promise<void> => check(String(url));
    const { beforeRequest = [], beforeRedirect = [], beforeError = [], ...others } = gotOptions.hooks ?? {};
    gotOptions.hooks = {
      ...others,
      // Other options can change the URL of the first request: `url`, `searchParams`.
      beforeRequest: [...beforeRequest, checkNext],
      // Earlier than `beforeRequest`, because got-scraping has connected to an https site by then.
      beforeRedirect: [...beforeRedirect, checkNext],
      beforeError: [...beforeError, unwrap],
    };
  };
}

/** Unwraps the error of a hook, which got wraps in its own error. */
function unwrap(error: Error): Error {
  return error.cause instanceof ForbiddenUrlError ? error.cause : error;
}
