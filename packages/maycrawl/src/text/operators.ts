// What is documented about operators of crawlers, in sentences: for the command, the monitor, the tester and the documentation.
import type {
  CrawlDelayBehavior,
  CrawlerOperator,
  CrawlerRecord,
  OperatorOutagePhase,
  RobotsTxtBehavior,
  VerificationMethod,
} from '@maycrawl/core/crawlers';
import { formatDuration } from './durations.ts';

const EFFECTS: Readonly<Record<OperatorOutagePhase['effect'], string>> = {
  disallow: 'all URLs are disallowed',
  'last-response': 'the last successful response applies, or without one all URLs are allowed',
  'allow-if-reachable': 'all URLs are allowed if the site is otherwise reachable',
  allow: 'all URLs are allowed',
};

/** Describes the phases of an outage in a clause: `all URLs are disallowed, after 30 days all URLs are allowed`. */
export function describePhases(phases: readonly OperatorOutagePhase[]): string {
  return phases
    .map(({ from, effect }) =>
      from === 0 ? EFFECTS[effect] : `after ${formatPeriod(from)} ${EFFECTS[effect]}`,
    )
    .join(', ');
}

/** Formats a period in hours up to two days: operators write `24 hours`, not `1 day`. */
export function formatPeriod(milliseconds: number): string {
  const hours = milliseconds / 3_600_000;
  return Number.isInteger(hours) && hours > 1 && hours < 48 ? `${hours} hours` : formatDuration(milliseconds);
}

const BEHAVIORS: Readonly<Record<RobotsTxtBehavior, string>> = {
  obeys: 'its group, else *',
  'own-group-only': 'only its group',
  'may-ignore': 'may ignore it',
  ignores: 'ignores it',
  undocumented: 'not documented',
};

/** Describes which groups of a robots.txt a crawler obeys: `its group, else Googlebot, else *`. */
export function describeBehavior({ robotsTxt, fallbacks = [] }: CrawlerRecord): string {
  return robotsTxt === 'obeys' && fallbacks.length > 0
    ? `its group, else ${fallbacks.join(', ')}, else *`
    : BEHAVIORS[robotsTxt];
}

const CRAWL_DELAYS: Readonly<Record<CrawlDelayBehavior, readonly string[]>> = {
  obeys: ['It obeys Crawl-delay.'],
  ignores: ['It ignores Crawl-delay.'],
  'inherits-default': ['It obeys Crawl-delay, also that of the group for * if its own group has none.'],
  unknown: [],
};

/** Describes what is documented about the operator of a crawler, in sentences about the crawler. URLs and names are not escaped. */
export function describeOperator(operator: CrawlerOperator): string[] {
  const { cachePeriod, whenUnavailable, whenUnreachable, crawlDelay, verification } = operator;
  return [
    `It uses a fetched robots.txt for up to ${formatPeriod(cachePeriod)}.`,
    ...(whenUnavailable === null
      ? []
      : [`After a 4xx response to /robots.txt, except 429: ${describePhases(whenUnavailable)}.`]),
    ...(whenUnreachable === null
      ? []
      : [`After a 5xx response to /robots.txt, 429 or no response: ${describePhases(whenUnreachable)}.`]),
    ...CRAWL_DELAYS[crawlDelay],
    verification.length === 0
      ? 'No method to verify its requests is documented.'
      : `Its requests can be verified by ${verification.map(describeMethod).join(', or by ')}.`,
  ];
}

function describeMethod(method: VerificationMethod): string {
  if ('ranges' in method)
    return `the addresses in ${method.ranges}${method.partial ? ' (not all addresses)' : ''}`;
  if ('dns' in method) return `reverse DNS (${method.dns.join(', ')})`;
  return `signatures of ${method.signature}`;
}
