/**
 * What is set through the web leads into no private network: it is refused when it is set. The monitor checks each connection again,
 * since DNS may change.
 *
 * @module
 */
import { createAddressPolicy, getSharedResolver } from '@maycrawl/client/http';

/** Names are looked up for this long, in milliseconds: a name that is not found by then is checked when it is connected to. */
const LOOKUP_TIME = 2_000;

/**
 * Finds a URL whose host is on a private address, or has such an address among others.
 *
 * @param signal - ends the search.
 * @returns the first one; `undefined` if there is none, or the names cannot be looked up.
 * @throws the signal's reason if it is aborted.
 */
export async function findPrivateUrl(
  urls: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const policy = createAddressPolicy({ allowPrivate: false });
  const lookup = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_TIME)]);
  const isPrivate = await Promise.all(
    urls.map(async (url) => {
      const addresses = await getAddresses(url, lookup);
      return addresses.some((address) => !policy.permits(url, address));
    }),
  );
  signal.throwIfAborted();
  return urls.find((_, index) => isPrivate[index]);
}

/** The addresses of the host of a URL; none if they are not found. */
async function getAddresses(url: string, signal: AbortSignal): Promise<readonly string[]> {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return getSharedResolver()
    .resolve(hostname, { signal })
    .catch(() => []);
}
