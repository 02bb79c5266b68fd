// The phrases of the report, apart from titles.
import type { Identity, ReadState, RequestClass, Violation, WorstRule } from 'maycrawl/api';
import { formatNumber } from '../shared/text.ts';
import { visible } from '../shared/visible.ts';

/** The classes, in the order of charts. */
export const CLASS_LABELS: Readonly<Record<RequestClass, string>> = {
  allowed: 'allowed',
  'robots-txt': 'robots.txt',
  grace: 'grace',
  violation: 'violation',
  outage: 'outage',
  'unknown-version': 'unknown version',
  exempt: 'exempt',
};

export const CLASS_DESCRIPTIONS: Readonly<Record<RequestClass, string>> = {
  allowed:
    'A version of robots.txt that the crawler may have read allows the URL, and so does the newest one. Also all requests after a fetch of robots.txt with a 4xx status other than 429: then there are no restrictions.',
  'robots-txt': 'The request is for /robots.txt itself.',
  grace:
    'The newest version forbids the URL, but the crawler may still have used an earlier one that allows it.',
  violation: 'Every version that the crawler may have read forbids the URL.',
  outage: 'The last fetch of robots.txt failed, with a 5xx status, 429, or no response.',
  'unknown-version':
    'It is not known which version was served at that time. Such a request is never called a violation.',
  exempt:
    'The operator documents that this crawler ignores robots.txt, for example because a user started it.',
};

export const IDENTITY_LABELS: Readonly<Record<Identity, string>> = {
  verified: 'verified',
  spoofed: 'spoofed',
  unverifiable: 'unverifiable',
  unchecked: 'unchecked',
};

export const IDENTITY_DESCRIPTIONS: Readonly<Record<Identity, string>> = {
  verified:
    'The address is in a range that the operator publishes, or DNS confirms it, or the request has a valid signature of the operator.',
  spoofed:
    'The operator publishes a method, it was applied, and it does not confirm the request: the name of the crawler is false. These requests never count against the crawler.',
  unverifiable: 'The operator publishes no method, or the log has no usable address.',
  unchecked:
    'A method exists but was not applied: no ranges were stored, or DNS was not used (maycrawl logs ranges update, --resolve).',
};

/** What the crawler had read before a violation. */
export const READ_LABELS: Readonly<Record<ReadState, string>> = {
  yes: 'it had fetched this version',
  never: 'it had fetched no robots.txt',
  unknown: 'not in the log',
};

/** "2026-11-28 10:00:03", of a time in RFC 3339 and UTC. */
export function formatTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

/** "Disallow: /cart" */
export function formatRule({
  kind,
  rule,
}: {
  readonly kind: 'allow' | 'disallow';
  readonly rule: string;
}): string {
  return `${kind === 'allow' ? 'Allow' : 'Disallow'}: ${visible(rule, 200)}`;
}

/** "line 14, Disallow: /cart" of a rule that forbids. */
export function describeRule({ line, rule }: Pick<Violation | WorstRule, 'line' | 'rule'>): string {
  if (line === 0 || rule === null) return 'no rule: the whole site was closed';
  return `line ${formatNumber(line)}, ${formatRule({ kind: 'disallow', rule })}`;
}

/** "200: 1,234, 404: 12"; the largest counts first. */
export function formatCounts(counts: Readonly<Record<string, number>>, total?: number): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const more = (total ?? entries.length) - entries.length;
  const parts = entries.map(
    ([status, count]) => `${status === 'none' ? 'no response' : visible(status, 20)}: ${formatNumber(count)}`,
  );
  return `${parts.join(', ')}${more > 0 ? `, and ${formatNumber(more)} others` : ''}`;
}

/** "shop.example" */
export function formatSite(origin: string): string {
  return visible(origin.replace(/^https?:\/\//, ''), 100);
}

/** The part of a URL after an origin; the whole URL if it has another one. */
export function omitOrigin(url: string, origin: string | null): string {
  return origin !== null && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}
