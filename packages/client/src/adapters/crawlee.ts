/**
 * `maycrawl/crawlee`: robots.txt for Crawlee's HTTP crawlers (HttpCrawler, CheerioCrawler and their like). It describes what it
 * needs of Crawlee (version 3) in types of its own, and does not load it.
 *
 * @module
 */
import { type Decider, ForbiddenUrlError, requireAllowed } from './forbidden.ts';

export { type Decider, ForbiddenUrlError } from './forbidden.ts';

/** What the hook needs of a crawling context. */
export interface NavigationContext {
  readonly request: { readonly url: string; noRetry: boolean };
}

/** What the hook needs of the options for got, which belong to one request. */
export interface GotOptions {
  hooks?: {
    beforeRequest?: unknown[];
    beforeRedirect?: unknown[];
    beforeError?: unknown[];
  };
}

/**
 * Makes a hook for `preNavigationHooks` by which no page is requested that is forbidden to the crawler of `client`, nor one to
 * which a redirect leads. A forbidden page fails with a {@link ForbiddenUrlError}, which `failedRequestHandler` gets, and it is
 * not tried again.
 *
 * - Put it last, so that it sees the options as they will be used.
 * - Leave `respectRobotsTxtFile` off: Crawlee would ask for each robots.txt, too.
 * - Redirects are checked by hooks of got, which Crawlee's own HTTP client calls; another one (`httpClient`) may not.
 * - What a request handler requests itself (`sendRequest`) is not checked.
 * - Crawlee takes a forbidden page for a failure of its session, too.
 *
 * The hook throws (rejects with) {@link ForbiddenUrlError}, and what `client.decide` throws: then Crawlee tries again.
 *
 * @example
 * const client = new RobotsClient({ crawler: 'MyBot', userAgent: 'MyBot/1.0' });
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
      // Earlier than `beforeRequest`, where got-scraping has already connected to an https site.
      beforeRedirect: [...beforeRedirect, checkNext],
      beforeError: [...beforeError, unwrap],
    };
  };
}

/** got wraps what a hook throws in an error of its own. */
function unwrap(error: Error): Error {
  return error.cause instanceof ForbiddenUrlError ? error.cause : error;
}
