// Requests a sitemap, and follows its redirects as far as robots.txt allows it.
import type { Readable } from 'node:stream';
import { checkOptions } from '@maycrawl/core/internal';
import { toUrlText, type UrlInput } from '@maycrawl/core/url';
import { decodeBody, getCodings } from '../http/content-decoding.ts';
import type { StreamedResponse } from '../http/pool/streamed-request.ts';
import { followRedirects, type RedirectProblem } from '../http/redirects.ts';
import { SitemapError } from './read-sitemap.ts';

/** How many redirects are followed. */
const MAX_REDIRECTS = 5;

/** How sitemaps are requested. */
export interface SitemapRequests {
  /** Sends one request; redirects are not followed. */
  readonly request: (url: string) => Promise<StreamedResponse>;
  /** Returns why a URL may not be requested, the first one and those of redirects, as a part of a sentence; `null` if it may. */
  readonly findRefusal: (url: string) => string | null | Promise<string | null>;
}

/**
 * Requests a sitemap.
 *
 * @param target - an http or https URL; another one is an error.
 * @returns its body without content codings. The caller destroys it.
 * @throws {TypeError} for an unknown or missing option, or one of a wrong type.
 * @throws {SitemapError} if it may not be requested, its redirects lead nowhere, or its status is not 200.
 * @throws what `request` throws.
 */
export async function openSitemap(target: UrlInput, requests: SitemapRequests): Promise<Readable> {
  checkOptions<SitemapRequests>('openSitemap', requests, { request: 'function', findRefusal: 'function' }, [
    'request',
    'findRefusal',
  ]);
  const { request, findRefusal } = requests;
  const url = toUrlText(target);
  if (!/^https?:\/\//i.test(url)) throw new SitemapError('not an http or https URL');
  let refusal = await findRefusal(url);
  if (refusal !== null) throw new SitemapError(refusal);
  const { response, problem } = await followRedirects(url, {
    maxRedirects: MAX_REDIRECTS,
    request,
    release,
    mayFollow: async (target) => {
      refusal = await findRefusal(target);
      return refusal === null;
    },
  });
  try {
    if (problem !== undefined) throw new SitemapError(refusal ?? describeProblem(problem));
    const { status, headers, body } = response;
    if (status !== 200) throw new SitemapError(`status ${status}`);
    return await decodeBody(body, getCodings(headers));
  } catch (error) {
    await release(response);
    throw error;
  }
}

async function release({ body }: StreamedResponse): Promise<void> {
  body.on('error', () => {}).destroy();
}

function describeProblem({ kind }: RedirectProblem): string {
  switch (kind) {
    case 'missing-location':
    case 'invalid-location':
      return 'a redirect to no http or https URL';
    case 'loop':
      return 'a redirect in a circle';
    case 'too-many':
      return `more than ${MAX_REDIRECTS} redirects`;
    case 'refused':
      return 'a redirect that may not be followed';
  }
}
