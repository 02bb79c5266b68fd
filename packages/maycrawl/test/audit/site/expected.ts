/**
 * From the cases to the evidence that is expected, in the words of the cases; and the evidence that was given, in the same words.
 *
 * @module
 */
import type { Discovery, Observation, PageEvidence } from '@maycrawl/core/indexability';
import { AGENTS, type Case, forAgent, OPEN } from './case.ts';
import { CASES, SITEMAPS } from './site.ts';

/** What is known of one URL for one crawler. */
export interface Line {
  readonly crawl: string;
  readonly status: string;
  readonly redirects: string;
  readonly noindex: string;
  readonly canonical: string;
  readonly reasons: string;
  readonly hidden: string;
}

const HIDDEN = { status: 'unseen', redirects: 'unseen', noindex: 'unseen', canonical: 'unseen' };

/** What is expected for the crawler of that place. */
export function expectedLine(each: Case, agent: number): Line {
  const crawl = forAgent(each.crawl ?? OPEN, agent);
  const reasons = forAgent(each.reasons ?? '', agent);
  // "A page that may not be crawled cannot be read."
  if (crawl.startsWith('-')) return { crawl, ...HIDDEN, reasons, hidden: forAgent(each.hidden ?? '', agent) };
  return {
    crawl,
    status: String(each.served?.status ?? 200),
    redirects: forAgent(each.redirects ?? '', agent),
    noindex: sorted(forAgent(each.noindex ?? '', agent)),
    canonical: each.canonical ?? 'absent',
    reasons,
    hidden: '',
  };
}

function sorted(list: string): string {
  return list.split('; ').sort().join('; ');
}

/** What was found out, with paths instead of URLs of the site. */
export function lineOf(evidence: PageEvidence, origin: string): Line {
  const { crawl, status, redirects, noindex, canonical, verdict, hidden } = evidence;
  const path = (url: string | null): string => (url === null ? 'nowhere' : pathOf(url, origin));
  const seen = <T>(sight: Observation<T>, say: (value: T) => string): string =>
    sight.kind === 'unseen' ? 'unseen' : say(sight.value);
  return {
    crawl: `${crawl.kind === 'allowed' ? '+' : '-'}${crawl.line}`,
    status: seen(status, String),
    redirects: seen(redirects, (hops) => hops.map((hop) => `${hop.status} ${path(hop.to)}`).join(', ')),
    noindex: seen(noindex, (applied) =>
      sorted(
        applied
          .map(({ statement: { from, agent }, directive: { text } }) => `${from} ${agent ?? '*'}: ${text}`)
          .join('; '),
      ),
    ),
    canonical: seen(canonical, (value) => {
      if (value.kind === 'other') return `other ${path(value.url)}`;
      return value.kind === 'conflict' ? `conflict ${value.urls.map(path).join(' ')}` : value.kind;
    }),
    reasons: verdict.indexable ? '' : verdict.reasons.join(' '),
    hidden: hidden.join(' '),
  };
}

/** What names a canonical on a page, in the words of the cases. */
export function statementsOf({ canonical }: Pick<PageEvidence, 'canonical'>, origin: string): string[] {
  if (canonical.kind === 'unseen') return [];
  return canonical.value.statements.map(
    ({ from, url, ignored }) => `${from} ${ignored ?? pathOf(url ?? '', origin)}`,
  );
}

/** A URL of the site without its origin, any other as it is. */
export function pathOf(url: string, origin: string): string {
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

/** Which sitemaps name a URL. */
export function sitemapsFor({ url }: Pick<Case, 'url'>): string[] {
  return SITEMAPS.filter(({ entries }) => entries.includes(url)).map((sitemap) => sitemap.url);
}

/** What each URL is named by: `link /list/meta`, `redirect /a`, ... */
export function expectedNaming(): ReadonlyMap<string, readonly string[]> {
  const naming = new Map<string, string[]>();
  for (const { url: from, leads = [], state } of CASES) {
    if (state !== undefined) continue;
    for (const lead of leads) {
      const space = lead.indexOf(' ');
      const to = lead.slice(space + 1);
      naming.set(to, [...(naming.get(to) ?? []), `${lead.slice(0, space)} ${from}`]);
    }
  }
  return naming;
}

/** How a URL was found, in the words of the cases. */
export function toDiscovery(found: Discovery, origin: string): string {
  return found.by === 'start' ? 'start' : `${found.by} ${pathOf(found.url, origin)}`;
}

/** Every URL for every crawler. */
export const EVERY: readonly (readonly [each: Case, agent: number])[] = CASES.flatMap((each) =>
  AGENTS.map((_, agent) => [each, agent] as const),
);
