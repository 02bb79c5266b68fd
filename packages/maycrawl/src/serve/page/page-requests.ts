// Requests for pages and sitemaps for clients of the service: with the address policy of the service, bounded for each client
// and each host.
import { createAddressPolicy, isLocalFailure } from '@maycrawl/client/internal';
import { PageClient } from '../../audit/crawl/page-client.ts';
import { getHost } from '../../audit/run/records/url.ts';
import { PAGE_LIMITS } from '../../html/read-page.ts';
import { toProblem } from '../http/problems.ts';
import { HostSpacing } from '../limits/host-spacing.ts';
import type { Limits } from '../limits/limits.ts';
import type { Work } from '../limits/work.ts';

export interface PageRequestsOptions {
  readonly userAgent: string;
  readonly allowPrivateAddresses: boolean;
  /** Milliseconds for one request. */
  readonly timeout: number;
  readonly limits: Limits;
}

export class PageRequests {
  readonly #client: PageClient;
  readonly #spacing: HostSpacing;

  constructor({ userAgent, allowPrivateAddresses, timeout, limits }: PageRequestsOptions) {
    this.#client = new PageClient({
      ...{ userAgent, timeout, connections: 1, headers: [], headerOrigins: new Set<string>() },
      addressPolicy: createAddressPolicy({ allowPrivateAddresses }),
      maxBytes: PAGE_LIMITS.bytes,
    });
    this.#spacing = new HostSpacing({ limits });
  }

  /**
   * Runs a request when client and host have a place for it. Each counts as one request of the client.
   *
   * @param url - the http or https URL that decides which host it is.
   * @throws {Problem} if the client has caused as many requests as it may, or this machine cannot send any.
   * @throws what the request throws, and the reason of the work's signal when it aborts.
   */
  async run<T>(
    url: string,
    { client, signal }: Work,
    request: (client: PageClient) => Promise<T>,
  ): Promise<T> {
    client.countRequests();
    try {
      return await client.fetches.run(
        () => this.#spacing.run(getHost(url), client, signal, () => request(this.#client)),
        signal,
      );
    } catch (error) {
      throw isLocalFailure(error) ? toProblem(error) : error;
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
