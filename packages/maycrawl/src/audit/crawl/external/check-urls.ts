// Checks whether the URLs exist that pages name and the crawl does not fetch: links to other sites, and scripts, stylesheets and images.
// Each URL is requested once, with HEAD, if the robots.txt of its site allows it.
import { getOrigin } from '@maycrawl/core/url';
import { getHost } from '../../run/records/url.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { Check } from '../../run/tables/check-table.ts';
import type { CrawlOptions } from '../crawl-options.ts';
import type { PageClient } from '../page-client.ts';
import type { RobotsGuard } from '../robots-guard.ts';
import { getRetryAfter } from '../visit.ts';
import { findRefusal } from './find-refusal.ts';
import { HostTurns } from './host-turns.ts';
import { requestCheck } from './request-check.ts';

/** Maximum number of hosts that get requests at the same time. */
const MAX_HOSTS = 16;
/** After this number of URLs in a row without a response, the other ones of a host are not requested. */
const MAX_UNANSWERED = 3;

/** The parts of a crawl that send the requests. */
export interface CheckParts {
  readonly guard: RobotsGuard;
  readonly client: PageClient;
}

/**
 * Checks the URLs, and stores the results in the run. Ends early if the signal is aborted.
 *
 * @param limit - maximum number of URLs of the run; `null`: unlimited.
 */
export async function checkUrls(
  options: CrawlOptions,
  parts: CheckParts,
  limit: number | null,
): Promise<void> {
  const { run, signal, spacing } = options;
  const turns = new HostTurns(spacing, signal);
  const left = Math.max(0, (limit ?? Number.POSITIVE_INFINITY) - run.checks.count());
  const hosts = groupByHost(listUnchecked(run, left)).values();
  const checkNext = async (): Promise<void> => {
    for (const urls of hosts) await checkHost(urls, options, { ...parts, turns });
  };
  try {
    await Promise.all(Array.from({ length: MAX_HOSTS }, checkNext));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Lists URLs to be checked: links and resources in turn, so that a limit omits neither. */
function listUnchecked(run: RunStore, limit: number): string[] {
  const sources = [run.checks.uncheckedUrls(), run.checks.uncheckedResources()];
  const urls = new Set<string>();
  while (sources.length > 0 && urls.size < limit) {
    const source = sources.shift() as (typeof sources)[number];
    const next = source.next();
    if (next.done === true) continue;
    sources.push(source);
    const { url } = next.value;
    if (!isFetched(run, url)) urls.add(url);
  }
  for (const source of sources) source.return(undefined);
  return [...urls];
}

/** Whether the crawl has requested the URL: some resources are linked, too. */
function isFetched(run: RunStore, url: string): boolean {
  const key = run.findKey(url);
  return key !== undefined && run.rows.response(key) !== undefined;
}

function groupByHost(urls: readonly string[]): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const url of urls) {
    const host = hosts.get(getHost(url));
    if (host === undefined) hosts.set(getHost(url), [url]);
    else host.push(url);
  }
  return hosts;
}

const OVERLOADED = {
  code: 'overloaded',
  detail: 'not requested, because the host requested too many pauses (Retry-After)',
} as const;
/** Refusals, which say nothing about whether a host responds. */
const REFUSALS: readonly (string | null)[] = ['robots', OVERLOADED.code];

/** Checks the URLs of a host, one after another. */
async function checkHost(
  urls: readonly string[],
  { run, signal, now, obeysCrawlDelay }: CrawlOptions,
  { guard, client, turns }: CheckParts & { readonly turns: HostTurns },
): Promise<void> {
  let unanswered: Check[] = [];
  for (const url of urls) {
    signal.throwIfAborted();
    const [last] = unanswered;
    if (last !== undefined && unanswered.length >= MAX_UNANSWERED) {
      const detail = `not requested, after ${MAX_UNANSWERED} URLs in a row of this host without a response`;
      run.checks.add({ url, at: now(), status: null, code: last.code, detail });
      continue;
    }
    const check = await requestCheck(url, {
      now,
      findRefusal: async (target) =>
        turns.isOverloaded(getHost(target)) ? OVERLOADED : findRefusal(run, guard, target, signal),
      request: async (target, method) => {
        const { crawlDelay } = await guard.getSite(getOrigin(target), signal);
        return turns.take(
          getHost(target),
          obeysCrawlDelay ? crawlDelay : 0,
          () => client.check(target, method, signal),
          (response) => getRetryAfter(response, now()) ?? 0,
        );
      },
    });
    run.checks.add(check);
    unanswered = check.status === null && !REFUSALS.includes(check.code) ? [...unanswered, check] : [];
  }
}
