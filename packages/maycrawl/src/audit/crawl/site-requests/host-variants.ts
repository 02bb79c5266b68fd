// Requests the home pages of the hosts for which people and links may take that of a start: with the other scheme, with and without www,
// without the port.
import { isIP } from 'node:net';
import { getOrigin } from '@maycrawl/core/url';
import { HOST_VARIANTS, type HostVariant } from '../../run/records/site-facts.ts';
import type { CrawlOptions } from '../crawl-options.ts';
import { findRefusal } from '../external/find-refusal.ts';
import { requestCheck } from '../external/request-check.ts';
import { type RequestParts, requestFromSites } from './request-from-sites.ts';

/** Milliseconds for a host: one that does not respond must not keep the audit. */
const TIME = 10_000;

/** Requests the same path from the host of each start and its variants: the root, or the folder of the start if the root is out of scope. */
export function requestHostVariants(options: CrawlOptions, parts: RequestParts): Promise<void> {
  const starts = new Set(options.settings.starts.map(getOrigin));
  return requestFromSites(options, parts, {
    facts: HOST_VARIANTS,
    createUrls: (origin, folders) =>
      starts.has(origin) && listHostVariants(origin).length > 0 ? folders : [],
    request: (url) => {
      const origin = getOrigin(url);
      // They are different hosts or ports.
      return Promise.all(
        [origin, ...listHostVariants(origin)].map((each) =>
          requestVariant(each + url.slice(origin.length), options, parts),
        ),
      );
    },
  });
}

/**
 * Lists the variants of an origin: the other scheme on the default port, with www or without it, and both; without the port if it has one.
 * An address, and a name without a dot, has no www, and an own port of this machine no variant without it.
 */
export function listHostVariants(origin: string): readonly string[] {
  const { protocol, hostname, port } = new URL(origin);
  const isName = hostname.includes('.') && isIP(hostname) === 0;
  const other = hostname.startsWith('www.') ? hostname.slice('www.'.length) : `www.${hostname}`;
  const hostnames = isName && other.includes('.') ? [hostname, other] : [hostname];
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost') || !isName;
  const origins = hostnames.flatMap((name) => [
    ...(port === '' ? [] : [`${protocol}//${name}:${port}`]),
    ...(port !== '' && isLocal ? [] : [`https://${name}`, `http://${name}`]),
  ]);
  return origins.filter((each) => each !== origin);
}

async function requestVariant(
  url: string,
  { run, signal, now }: CrawlOptions,
  { guard, client }: RequestParts,
): Promise<HostVariant> {
  const time = AbortSignal.timeout(TIME);
  const own = AbortSignal.any([signal, time]);
  try {
    const { status, code, detail, end } = await requestCheck(url, {
      now,
      findRefusal: (target) => findRefusal(run, guard, target, own),
      request: (target, method) => client.check(target, method, own),
    });
    return { url, status, end, code, detail };
  } catch (error) {
    if (signal.aborted || !time.aborted) throw error;
    return { url, status: null, end: url, code: 'timeout', detail: `no response within ${TIME / 1_000} s` };
  }
}
