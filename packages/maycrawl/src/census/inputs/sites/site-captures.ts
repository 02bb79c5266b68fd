// The captures of one fetch of a robots.txt: one for each request.
import type { UnconditionalResult } from '@maycrawl/client';
import { parseUrl, removeFragment } from '@maycrawl/core/url';
import type { Capture } from '../../capture.ts';

/**
 * Returns the captures of a fetch, in the order of the requests.
 *
 * @param site - the origin, which is the input of the captures.
 * @param time - when the fetch ended, in milliseconds.
 */
export function createSiteCaptures(site: string, result: UnconditionalResult, time: number): Capture[] {
  const create = (url: string, hops: number): Capture => ({
    ...{ url, time, status: null, location: null, body: null, isTruncated: false },
    ...{ kind: 'invalid', hops, input: site, offset: 0 },
  });
  const captures = result.hops.map(
    ({ url, status, location = null }, index): Capture => ({
      ...create(url, index),
      ...{ status, location, kind: 'response' },
    }),
  );
  const last = captures.pop();
  if (last === undefined) return [create(`${site}/robots.txt`, 0)];
  // The copy has no more memory than its bytes, because it is sent to a thread.
  if (result.kind === 'successful') return [...captures, { ...last, body: Uint8Array.from(result.bytes) }];
  if (result.kind === 'unavailable' || result.code === 'http-status') return [...captures, last];
  if (last.location === null) return [...captures, { ...last, kind: 'invalid' }];
  // There is no response of the target.
  const target = parseUrl(last.location, last.url);
  return [...captures, last, create(target === undefined ? '' : removeFragment(target.href), last.hops + 1)];
}
