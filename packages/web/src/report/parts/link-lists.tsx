// The links to a URL and of its page, with their texts, and whether the crawler follows them.
import { FOLLOWED, LINK_TYPES, type LinkRow, WALKED } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Fact } from '../../shared/fact.tsx';
import { formatCount } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import type { ReportData } from '../data/report-data.ts';
import { useReport } from '../report-context.ts';
import { describeLinkCount, formatLinkTypes } from '../text.ts';
import { UrlButton } from './url-list.tsx';

/** Links that a finding shows. */
const MAX_SAMPLE = 3;

interface LinksProps {
  /** Index of the URL. */
  readonly index: number;
}

/** How the URL was found: starts, sitemaps, and the pages that link to it. */
export function LinksTo({ index }: LinksProps): JSX.Element {
  const { data, agent } = useReport();
  const count = data.links[index] as number;
  const links = sortLinks(data, agent, data.getLinksTo(index), ({ from }) => from);
  return (
    <Fact name="Found by">
      {data.get(index, 'isStart') && <div>start of the run</div>}
      {data.isInSitemap(index) && <div>a sitemap</div>}
      {count > 0 && <div>{describeLinkCount(count, links.length)}</div>}
      <LinkItems links={links} getRow={({ from }) => from} />
      {count > links.length && <AllLinks direction="to" />}
    </Fact>
  );
}

export function LinksFrom({ index }: LinksProps): JSX.Element | null {
  const { data } = useReport();
  const count = data.targets[index] as number;
  const links = data.getLinksFrom(index);
  if (count === 0 && links.length === 0) return null;
  return (
    <Fact name="Links to">
      <div>{formatCount(count, 'URL')}</div>
      <LinkItems links={links} getRow={({ to }) => to} />
      {count > links.length && <AllLinks direction="from" />}
    </Fact>
  );
}

/** Links that lead visitors to a URL, with their pages: those that are followed first. */
export function LinkSample({ index }: LinksProps): JSX.Element {
  const { data, agent } = useReport();
  const links = sortLinks(data, agent, listWalked(data, index), ({ from }) => from).slice(0, MAX_SAMPLE);
  return (
    <div class="step">
      <LinkItems links={links} getRow={({ from }) => from} />
    </div>
  );
}

/** Describes how many pages link to a URL: "linked from 12 pages, such as". */
export function describeLinks(data: ReportData, index: number): string {
  const shown = Math.min(listWalked(data, index).length, MAX_SAMPLE);
  return describeLinkCount(data.links[index] as number, shown === 0 ? Number.POSITIVE_INFINITY : shown);
}

function listWalked(data: ReportData, index: number): LinkRow[] {
  return data.getLinksTo(index).filter(({ types }) => (types & WALKED) !== 0);
}

function AllLinks({ direction }: { readonly direction: 'to' | 'from' }): JSX.Element {
  return (
    <div class="aside">
      <code>maycrawl audit links RUN --{direction} URL</code> lists all of them.
    </div>
  );
}

interface ItemsProps {
  readonly links: readonly LinkRow[];
  readonly getRow: (link: LinkRow) => number;
}

function LinkItems({ links, getRow }: ItemsProps): JSX.Element {
  const { data, agent } = useReport();
  const { shown, more } = useMore(links.length);
  return (
    <>
      {links.slice(0, shown).map((link) => (
        <div key={`${getRow(link)} ${link.types}`} class="link-item">
          {link.types !== LINK_TYPES.link && <span class="aside">{formatLinkTypes(link.types)}: </span>}
          {(data.getValue(link.text) ?? []).map((text) => (
            <span key={text}>{text === '' ? <span class="aside">no text</span> : `“${visible(text)}”`} </span>
          ))}
          <UrlButton target={getRow(link)} />
          {!isFollowed(data, agent, link) && <span class="aside"> (not followed)</span>}
        </div>
      ))}
      {more}
    </>
  );
}

/** Whether the crawler can follow a link: it may fetch the page, and the link is not only `nofollow`. */
function isFollowed(data: ReportData, agent: number, { from, types }: LinkRow): boolean {
  return data.getVerdict(from, agent) !== null && !data.isBlocked(from, agent) && (types & FOLLOWED) !== 0;
}

/** Orders links: first those that the crawler follows, and of these the nearest to a start. */
function sortLinks(
  data: ReportData,
  agent: number,
  links: readonly LinkRow[],
  getRow: (link: LinkRow) => number,
): LinkRow[] {
  const rank = (link: LinkRow): number => {
    const depth = data.depths[getRow(link)] as number;
    return (isFollowed(data, agent, link) ? 0 : 1e9) + (depth < 0 ? 1e8 : depth);
  };
  return links
    .map((link) => [rank(link), link] as const)
    .sort(([a], [b]) => a - b)
    .map(([, link]) => link);
}
