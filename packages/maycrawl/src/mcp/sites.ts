// The robots.txt of sites, as the client fetches and stores them: its cache, its guard of addresses, its outage policy.
import type { ClientEvent, FullStore, OriginState, RefusalCode } from '@maycrawl/client';
import { addRefusal, Origins } from '@maycrawl/client/internal';
import {
  decideByPolicy,
  GLOBAL_CRAWLER,
  getPolicyCode,
  getPolicySummary,
  type PolicySummary,
} from '@maycrawl/core';
import { formatTime } from '../reports/policy.ts';
import { createPrivatePartition } from '../serve/decide/private-partition.ts';
import { parseOrigin } from '../serve/decide/sites.ts';

/** Why no URL of a site may be fetched. */
interface SiteRefusal {
  readonly code: RefusalCode;
  readonly isTemporary: boolean;
  /** When to try again, in ISO 8601; `null` unless it is temporary. */
  readonly retryAt: string | null;
}

/** A robots.txt of a site, or of a caller, as a thread receives it. */
export interface SiteRobots {
  /** `null` for a text of the caller. */
  readonly origin: string | null;
  readonly policy: PolicySummary;
  /** The file; `null` if there is none. */
  readonly file: string | Uint8Array | null;
  /** Why there is no file; `null` if there is one. */
  readonly failure: {
    readonly code: string;
    readonly status: number | null;
    readonly message: string;
  } | null;
  /** Why no URL may be fetched; `null` if the rules of a file decide, or every URL is allowed. */
  readonly refusal: SiteRefusal | null;
  /** When the response was fetched that the policy follows from, in ISO 8601. */
  readonly fetchedAt: string | null;
  /** URLs of the last fetch: the first, and those of its redirects. */
  readonly hops: readonly string[];
}

export interface SitesOptions {
  /** The caller closes it. */
  readonly store: FullStore;
  readonly userAgent: string;
  readonly profile: string;
  /** Whether connections to addresses outside the public Internet are allowed. */
  readonly allowPrivateAddresses: boolean;
  /** Milliseconds for one fetch, redirects included. */
  readonly timeout: number;
  readonly onEvent?: (event: ClientEvent) => void;
  /** Milliseconds since 1970. @defaultValue `Date.now` */
  readonly now?: () => number;
}

/** Reads the robots.txt of sites. */
export class Sites {
  readonly #origins: Origins;

  constructor({ store, allowPrivateAddresses, ...options }: SitesOptions) {
    this.#origins = new Origins({
      ...options,
      // `false` refuses the address of every site that is named, too: a model can be made to name one.
      allowPrivateAddresses,
      store: allowPrivateAddresses ? createPrivatePartition(store) : store,
    });
  }

  /**
   * Reads the robots.txt of a URL's site. It is fetched if that is due.
   *
   * @throws {Problem} if the URL has no robots.txt.
   * @throws {LocalFailureError} if this machine cannot send requests.
   * @throws the signal's reason if it aborts.
   */
  async read(url: string, signal: AbortSignal): Promise<SiteRobots> {
    return toSiteRobots(await this.#origins.getState(parseOrigin(url), { signal }));
  }

  /** Resolves when no request is in flight. */
  async idle(): Promise<void> {
    await this.#origins.idle();
  }
}

function toSiteRobots(state: OriginState): SiteRobots {
  const { origin, policy, history } = state;
  const { response, outage } = history;
  const code = getPolicyCode(policy);
  const cause = code === 'rules' || outage === null ? response : outage;
  return {
    origin,
    policy: getPolicySummary(code),
    file: policy.kind === 'rules' ? policy.robots.bytes : null,
    failure:
      policy.kind === 'rules' || cause === null || cause.code === null
        ? null
        : { code: cause.code, status: cause.status, message: cause.message ?? cause.code },
    refusal: findRefusal(state),
    fetchedAt: formatTime(cause === response ? response?.fetchedAt : outage?.lastAt),
    hops: cause?.hops.map(({ url }) => url) ?? [],
  };
}

function findRefusal(state: OriginState): SiteRefusal | null {
  const { policy, origin } = state;
  if (policy.kind === 'rules') return null;
  // A policy without a file has one verdict for all URLs.
  const verdict = addRefusal(decideByPolicy(policy, GLOBAL_CRAWLER, `${origin}/`), state);
  if (verdict.kind !== 'disallowed') return null;
  const { code, temporary, retryAt } = verdict;
  return { code, isTemporary: temporary, retryAt: formatTime(retryAt) };
}

/** Creates the robots.txt of a text. */
export function toGivenRobots(text: string): SiteRobots {
  return {
    origin: null,
    policy: { kind: 'rules' },
    file: text,
    failure: null,
    refusal: null,
    fetchedAt: null,
    hops: [],
  };
}
