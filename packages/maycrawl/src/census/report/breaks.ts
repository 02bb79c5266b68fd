// Breaks between crawls: what changed in the method from one crawl to the next, so that a difference between them need not be one of
// the sites.
//
// Sources for Common Crawl: its archives, and github.com/commoncrawl/nutch/issues/19: 5 % of the robots.txt responses of June 2021 were
// detected as HTML.
import { CensusError } from '../census-summary.ts';
import type { ReportCrawl, SeriesBreak } from './report-data.ts';

const ONLY_TEXT =
  'Since about August 2021, the archives of Common Crawl contain no robots.txt responses with a detected type other than text.';
const FIVE_REDIRECTS =
  'Since CC-MAIN-2023-50, Common Crawl follows up to five redirects of a robots.txt instead of one.';

/** The first crawl after each change. */
const COMMON_CRAWL_CHANGES: readonly (readonly [collection: string, text: string])[] = [
  ['CC-MAIN-2021-31', ONLY_TEXT],
  ['CC-MAIN-2023-50', FIVE_REDIRECTS],
];

type BreakSource = Pick<ReportCrawl, 'collection' | 'maycrawl' | 'profile'>;

/** A break that the user knows of: what changed in the source of the captures. */
export interface StatedBreak {
  /** The name of the first crawl after the change. */
  readonly crawl: string;
  /** A sentence. */
  readonly text: string;
}

/**
 * Returns stated breaks as those of a series.
 *
 * @throws {CensusError} if there is no such crawl, or no crawl before it.
 */
export function placeBreaks(
  stated: readonly StatedBreak[],
  crawls: readonly Pick<ReportCrawl, 'name'>[],
): SeriesBreak[] {
  return stated.map(({ crawl, text }) => {
    const before = crawls.findIndex(({ name }) => name === crawl);
    if (before > 0) return { before, text };
    const names = crawls.slice(1).map(({ name }) => name);
    throw new CensusError(
      names.length === 0
        ? `a break needs several crawls: ${crawl}`
        : `a break must precede ${names.join(' or ')}, not ${crawl}`,
    );
  });
}

/** Returns the breaks between crawls in the order of time. There can be several between two crawls. */
export function findBreaks(crawls: readonly BreakSource[]): SeriesBreak[] {
  return crawls.flatMap((crawl, index) => {
    const last = crawls[index - 1];
    return last === undefined
      ? []
      : Array.from(describeBreaks(last, crawl), (text) => ({ before: index, text }));
  });
}

function* describeBreaks(last: BreakSource, next: BreakSource): Generator<string> {
  if ((last.collection === null) !== (next.collection === null))
    yield 'One of the crawls is of Common Crawl, the other one is not: they do not visit the same sites in the same way.';
  else if (last.collection !== null && next.collection !== null)
    for (const [first, text] of COMMON_CRAWL_CHANGES)
      if (last.collection < first && next.collection >= first) yield text;
  if (last.maycrawl !== next.maycrawl)
    yield `The crawls were judged by different releases of maycrawl: ${last.maycrawl} and ${next.maycrawl}.`;
  if (last.profile !== next.profile)
    yield `The crawls were judged under different profiles: ${last.profile} and ${next.profile}.`;
}
