// Fetches the robots.txt of sites, several at the same time, and returns the results in the order of the sites.
import { fetchRobotsTxt } from '@maycrawl/client';
import {
  getSharedResolver,
  isLocalFailure,
  type Resolver,
  reportFetch,
  visitByHost,
} from '@maycrawl/client/internal';
import { resolveProfile } from '@maycrawl/core';
import { checkOptions } from '@maycrawl/core/internal';
import type { Capture } from '../../capture.ts';
import { createSiteCaptures } from './site-captures.ts';
import { createSpacedResolver } from './spaced-resolver.ts';

/** How sites are fetched. */
export interface SiteOptions {
  /** The User-Agent header. */
  readonly userAgent: string;
  /** Milliseconds for one robots.txt, redirects included. @defaultValue 30,000 */
  readonly timeout?: number | undefined;
  /** Whether sites may be on private addresses. @defaultValue false */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** The number of sites that are fetched at the same time. @defaultValue 64 */
  readonly concurrency?: number | undefined;
  /** Milliseconds between two requests to one address. @defaultValue 100 */
  readonly spacing?: number | undefined;
  /** @defaultValue the one of this process */
  readonly resolver?: Resolver;
}

/** Checks names and types of options. @throws {TypeError} if one is unknown or missing, or has a wrong type. */
export function checkSiteOptions(options: SiteOptions): void {
  checkOptions<SiteOptions>(
    'sites',
    options,
    {
      ...{ userAgent: 'string', timeout: 'number', allowPrivateAddresses: 'boolean', concurrency: 'number' },
      ...{ spacing: 'number', resolver: 'object' },
    },
    ['userAgent'],
  );
}

/** What was fetched of a site. */
export interface FetchedSite {
  readonly site: string;
  /** A capture for each request. None after a failure. */
  readonly captures: readonly Capture[];
  /** `successful`, or why there is no file: a code of the client. */
  readonly result: string;
  /** A failure of this machine: it says nothing about the site. */
  readonly failure?: string;
}

const CONCURRENCY = 64;
const SPACING = 100;
/** Sites, and bytes of bodies, that wait for the results of earlier sites. */
const MAX_WAITING = 5_000;
const MAX_WAITING_BYTES = 128 * 1024 * 1024;

/**
 * Fetches sites.
 *
 * @param sites - origins.
 * @param profile - the name of the profile, which decides what status 429 means.
 * @throws the signal's reason if it is aborted.
 */
export async function* fetchSites(
  sites: readonly string[],
  profile: string,
  options: SiteOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<FetchedSite> {
  const { concurrency = CONCURRENCY, spacing = SPACING, resolver = getSharedResolver(), ...rest } = options;
  const fetching = {
    ...{
      userAgent: rest.userAgent,
      timeout: rest.timeout ?? 30_000,
      allowPrivateAddresses: rest.allowPrivateAddresses === true,
    },
    ...{ profile: resolveProfile(profile), resolver: createSpacedResolver(resolver, spacing) },
    ...(signal && { signal }),
  };
  const queue = new OrderedResults(sites);
  const visits = visitByHost<FetchedSite>(
    queue.readSites(),
    async (site, own) => {
      const fetched = await fetchSite(site, fetching);
      return own.map(() => fetched);
    },
    (site, error) => ({ site, captures: [], result: 'failed', failure: String(error) }),
    // The resolver spaces the requests.
    { concurrency, spacing: 0, signal },
  );
  for await (const fetched of visits) yield* queue.add(fetched);
}

async function fetchSite(
  site: string,
  options: NonNullable<Parameters<typeof fetchRobotsTxt>[1]> & { readonly userAgent: string },
): Promise<FetchedSite> {
  try {
    const fetching = { origin: site, url: `${site}/robots.txt`, userAgent: options.userAgent };
    const result = await reportFetch(fetching, () => fetchRobotsTxt(fetching.url, options));
    const captures = createSiteCaptures(site, result, Date.now());
    return { site, captures, result: result.kind === 'successful' ? result.kind : result.code };
  } catch (error) {
    if (options.signal?.aborted || !isLocalFailure(error)) throw error;
    return { site, captures: [], result: 'failed', failure: (error as Error).message };
  }
}

/** Puts results into the order of the sites. Sites are read only as far as results can wait. */
class OrderedResults {
  readonly #sites: readonly string[];
  /** The places of sites without results. A list can have a site several times. */
  readonly #places: Map<string, number[]> = new Map();
  /** Results that wait for earlier ones. */
  readonly #waiting: Map<number, FetchedSite> = new Map();
  #bytes = 0;
  /** The place of the next result. */
  #next = 0;
  #wake: () => void = () => {};

  constructor(sites: readonly string[]) {
    this.#sites = sites;
  }

  async *readSites(): AsyncGenerator<string> {
    for (const [place, site] of this.#sites.entries()) {
      while (place > this.#next && (place - this.#next >= MAX_WAITING || this.#bytes > MAX_WAITING_BYTES))
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      const places = this.#places.get(site);
      if (places === undefined) this.#places.set(site, [place]);
      else places.push(place);
      yield site;
    }
  }

  /** Adds a result. Yields those whose turn it is. */
  *add(fetched: FetchedSite): Generator<FetchedSite> {
    const places = this.#places.get(fetched.site) ?? [];
    const place = places.shift();
    if (place === undefined) throw new TypeError(`${fetched.site} is not expected`);
    if (places.length === 0) this.#places.delete(fetched.site);
    this.#waiting.set(place, fetched);
    this.#bytes += countBytes(fetched);
    for (
      let ready = this.#waiting.get(this.#next);
      ready !== undefined;
      ready = this.#waiting.get(this.#next)
    ) {
      this.#waiting.delete(this.#next++);
      this.#bytes -= countBytes(ready);
      this.#wake();
      yield ready;
    }
  }
}

function countBytes({ captures }: FetchedSite): number {
  return captures.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
}
