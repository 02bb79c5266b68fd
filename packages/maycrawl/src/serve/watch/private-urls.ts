// Refuses sites and targets on private addresses when they are set through the API. The monitor checks each connection again, because
// DNS may change.
import { createAddressPolicy, getSharedResolver } from '@maycrawl/client/internal';
import { removeBrackets } from '@maycrawl/core/url';

/** Milliseconds for DNS. A name that is not resolved by then is checked at each connection. */
const LOOKUP_TIME = 2_000;

/**
 * Finds a URL whose host is on a private address, or has such an address among others.
 *
 * @param signal - aborts the lookup.
 * @returns the first one; `undefined` if there is none, or DNS fails.
 * @throws the signal's reason if it is aborted.
 */
export async function findPrivateUrl(
  urls: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const policy = createAddressPolicy({ allowPrivateAddresses: false });
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

/** Resolves the host of a URL; an empty list if DNS fails. */
async function getAddresses(url: string, signal: AbortSignal): Promise<readonly string[]> {
  const hostname = removeBrackets(new URL(url).hostname);
  return getSharedResolver()
    .resolve(hostname, { signal })
    .catch(() => []);
}
