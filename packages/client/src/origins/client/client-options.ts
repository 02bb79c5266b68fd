// The options of {@link import('./client.ts').RobotsClient}.
import type { CrawlerInput } from '@maycrawl/core';
import { checkOptions, type OptionTypes } from '@maycrawl/core/internal';
import type { PreferenceOptions, PreferenceSources } from '@maycrawl/core/preferences';
import type { UrlInput } from '@maycrawl/core/url';
import { requireSignal } from '../../http/caller-objects.ts';
import type { PaceOptions } from '../../pace/pace-options.ts';
import { WAIT_OPTIONS, type WaitOptions } from '../origins.ts';
import { ORIGINS_OPTIONS, type OriginsOptions } from '../origins-options.ts';

/** The options of a client. */
export interface ClientOptions extends OriginsOptions {
  /** The agent that sends the requests: a product token, several, or a crawler with fallbacks. */
  readonly agent: CrawlerInput;
  /** The pace of requests for pages, which `pace`, `takeTurn` and the adapters keep. */
  readonly pace?: ClientPaceOptions;
}

/** The pace of requests for pages. All times are milliseconds. */
export interface ClientPaceOptions extends PaceOptions {
  /**
   * Whether all processes whose clients share the store send one request to an origin at a time, together. `concurrency` must be 1.
   *
   * @defaultValue `false`
   */
  readonly shared?: boolean;
}

/** How a request waits for its turn. */
export interface TurnWaitOptions extends ClientDecideOptions {
  /** Milliseconds that it may wait: with 0 it does not wait. @defaultValue `maxWait` of the pace */
  readonly maxWait?: number;
}

/** The options of a decision about one URL. */
export interface ClientDecideOptions extends WaitOptions {
  /**
   * The URL that the caller requested, if the URL to decide about is a target of its redirects. That target must be on a public address
   * unless it has the same origin, or `allowPrivateAddresses` or `addressPolicy` decides.
   */
  readonly redirectedFrom?: UrlInput;
}

/** The options of decisions about many URLs. */
export interface DecideAllOptions extends WaitOptions {
  /** The number of hosts that are requested at the same time. @defaultValue 64 */
  readonly concurrency?: number;
  /**
   * Milliseconds between the response of one site and the request to the next on the same host (http, https, ftp and other
   * ports are different sites), at most 24 days.
   *
   * @defaultValue 0
   */
  readonly spacing?: number;
}

/** What the crawler already has of a page and its site: `preferences` sends no request for it. */
export interface ClientPreferencesOptions
  extends WaitOptions,
    Omit<PreferenceSources, 'policy'>,
    PreferenceOptions {}

export const CLIENT_OPTIONS: OptionTypes<ClientOptions> = {
  ...ORIGINS_OPTIONS,
  agent: ['string', 'object', 'array'],
  pace: 'object',
};

export const DECIDE_OPTIONS: OptionTypes<ClientDecideOptions> = {
  ...WAIT_OPTIONS,
  redirectedFrom: ['string', 'object'],
};

export const TURN_OPTIONS: OptionTypes<TurnWaitOptions> = { ...DECIDE_OPTIONS, maxWait: 'number' };

const DECIDE_ALL_OPTIONS: OptionTypes<DecideAllOptions> = {
  ...WAIT_OPTIONS,
  concurrency: 'number',
  spacing: 'number',
};

/** `readPreferences` checks the types of sources. */
export const PREFERENCES_OPTIONS: OptionTypes<ClientPreferencesOptions> = {
  ...WAIT_OPTIONS,
  tdmrep: 'any',
  rsl: 'any',
  headers: 'any',
  metas: 'any',
  licenses: 'any',
  inlineRsl: 'any',
  isTruncated: 'any',
  policyTokens: 'any',
};

/** The longest delay of a timer, about 24 days: a longer one fires immediately. Milliseconds. */
const MAX_SPACING = 2 ** 31 - 1;

/** Checks the options of a method, and returns the signal. */
export function readSignal(method: string, options: WaitOptions | undefined): AbortSignal | undefined {
  if (options === undefined) return undefined;
  checkOptions<WaitOptions>(`RobotsClient.${method}`, options, WAIT_OPTIONS);
  const { signal } = options;
  requireSignal(signal);
  return signal;
}

/** Checks the options of `decideAll`, and returns them with their defaults. */
export function readDecideAllOptions(
  options: DecideAllOptions,
): Required<Omit<DecideAllOptions, 'signal'>> & { readonly signal: AbortSignal | undefined } {
  checkOptions<DecideAllOptions>('RobotsClient.decideAll', options, DECIDE_ALL_OPTIONS);
  const { concurrency = 64, spacing = 0, signal } = options;
  requireSignal(signal);
  if (!(concurrency >= 1)) throw new RangeError(`not a number of hosts at a time: ${concurrency}`);
  if (!(spacing >= 0 && spacing <= MAX_SPACING))
    throw new RangeError(`not a pause in milliseconds: ${spacing}`);
  return { concurrency, spacing, signal };
}
