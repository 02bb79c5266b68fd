// Formats the expected evidence of the cases, and the actual evidence in the same notation.
import type { Observation, PageEvidence } from '@maycrawl/core/indexability';
import { AGENTS, type Case, getForAgent, OPEN } from './case.ts';
import { CASES } from './site.ts';
import { SITEMAPS } from './sitemap-cases.ts';

/** The evidence about one URL for one crawler. */
export interface Line {
  readonly crawl: string;
  readonly status: string;
  readonly redirects: string;
  readonly noindex: string;
  readonly canonical: string;
  readonly reasons: string;
  readonly maskedReasons: string;
}

const HIDDEN = { status: 'unseen', redirects: 'unseen', noindex: 'unseen', canonical: 'unseen' };

/** Returns the expected evidence for the crawler at an index of `AGENTS`. */
export function getExpectedLine(each: Case, agent: number): Line {
  const crawl = getForAgent(each.crawl ?? OPEN, agent);
  const reasons = getForAgent(each.reasons ?? '', agent);
  // "A page that may not be crawled cannot be read."
  if (crawl.startsWith('-'))
    return { crawl, ...HIDDEN, reasons, maskedReasons: getForAgent(each.maskedReasons ?? '', agent) };
  return {
    crawl,
    status: String(each.served?.status ?? 200),
    redirects: getForAgent(each.redirects ?? '', agent),
    noindex: sortList(getForAgent(each.noindex ?? '', agent)),
    canonical: each.canonical ?? 'absent',
    reasons,
    maskedReasons: '',
  };
}

function sortList(list: string): string {
  return list.split('; ').sort().join('; ');
}

/** Formats the evidence, with paths instead of URLs of the site. */
export function toLine(evidence: PageEvidence, origin: string): Line {
  const { crawl, status, redirects, noindex, canonical, verdict, maskedReasons } = evidence;
  const path = (url: string | null): string => (url === null ? 'nowhere' : toPath(url, origin));
  const seen = <T>(observation: Observation<T>, format: (value: T) => string): string =>
    observation.kind === 'unseen' ? 'unseen' : format(observation.value);
  return {
    crawl: `${crawl.kind === 'allowed' ? '+' : '-'}${crawl.line}`,
    status: seen(status, String),
    redirects: seen(redirects, (hops) => hops.map((hop) => `${hop.status} ${path(hop.to)}`).join(', ')),
    noindex: seen(noindex, (applied) =>
      sortList(
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
    maskedReasons: maskedReasons.join(' '),
  };
}

/** Removes the origin of the site from a URL. */
export function toPath(url: string, origin: string): string {
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

/** Returns the sitemaps that name a URL. */
export function getSitemaps({ url }: Pick<Case, 'url'>): string[] {
  return SITEMAPS.filter(({ entries }) => entries.includes(url)).map((sitemap) => sitemap.url);
}

/** Returns for each URL the pages that name it: `link /list/meta`, `redirect /a`. */
export function getExpectedLinks(): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>();
  for (const { url: from, links = [], state } of CASES) {
    if (state !== undefined) continue;
    for (const link of links) {
      const space = link.indexOf(' ');
      const to = link.slice(space + 1);
      sources.set(to, [...(sources.get(to) ?? []), `${link.slice(0, space)} ${from}`]);
    }
  }
  return sources;
}

/** Every URL for every crawler. */
export const EVERY: readonly (readonly [each: Case, agent: number])[] = CASES.flatMap((each) =>
  AGENTS.map((_, agent) => [each, agent] as const),
);
