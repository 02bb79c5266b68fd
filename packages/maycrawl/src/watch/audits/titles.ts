// The sentences of events about audits. The cause is the title; URLs are counted for each crawler, and never added up.

import { describeFindings } from '../../audit/findings/finding-kinds.ts';
import { shorten } from '../../audit/judge/describe-block.ts';
import type { Cause } from '../../audit/report/compare/causes.ts';
import type { ChangeGroup, CrawlerCount } from '../../audit/report/compare/change-groups.ts';
import type { FindingChange } from '../../audit/report/compare/finding-changes.ts';
import type { TitleChange } from '../../audit/report/compare/title-changes.ts';
import type { TitleGroup } from '../../audit/report/compare/title-groups.ts';
import { formatCount } from '../../text/counts.ts';
import { formatCrawlers, joinGroups, sortByCrawler } from '../../text/crawler-names.ts';

/** Folders that are named. */
const MAX_FOLDERS = 2;

/** Describes URLs with the same change: `12 URLs on /blog/ are not indexable for Googlebot since November 22: noindex from a header`. */
export function describeCauseGroup(
  change:
    | 'are not indexable'
    | 'are indexable now'
    | 'are no longer found by links or sitemaps'
    | 'are found by links or sitemaps again'
    | 'changed their titles',
  group: ChangeGroup,
  since: string,
  cause: Cause | null,
): string {
  const verb = group.urls === 1 ? change.replace(/^are/, 'is') : change;
  const crawlers = sortGroups(group);
  const [first, ...others] = crawlers as [CrawlerCount, ...CrawlerCount[]];
  const reason =
    cause === null ? '' : `: ${change === 'are indexable now' ? 'before, ' : ''}${describeCause(cause)}`;
  const end = `since ${since}${reason}`;
  if (others.length === 0) return `${describeUrls(group)} ${verb} for ${formatCrawlers(first.agents)} ${end}`;
  const counts = crawlers.map(
    ({ agents, urls }, index) =>
      `${formatCount(urls, index === 0 ? 'URL' : undefined)} for ${formatCrawlers(agents)}`,
  );
  return `${joinGroups(counts)} ${describeFolders(group)} ${change} ${end}`;
}

function describeCause({ text, target }: Cause): string {
  if (target === null || target === '') return text;
  const place = / to https?:\/\/\S+/;
  // The whole URL says more than its site.
  return place.test(text)
    ? text.replace(place, ` to ${shorten(target)}`)
    : text.replace(/^(a canonical|.* redirect)/, `$1 to ${shorten(target)}`);
}

/** Describes findings that began or ended. */
export function describeFindingChange({ code, kind, group, totals }: FindingChange, since: string): string {
  const parts = sortGroups(group).map(({ agents, urls }) => {
    const before = (totals[agents[0] as string] ?? urls) - urls;
    const rest = kind === 'new' && before > 0 ? `, besides ${formatCount(before, 'other')}` : '';
    return `${describeFindings(code, urls)} for ${formatCrawlers(agents)}${rest}`;
  });
  return `${kind} since ${since}, ${describeFolders(group)}: ${joinGroups(parts)}`;
}

/** Describes changed titles of many pages: `120 URLs on /shop/ changed their titles for Googlebot since November 22: most are "Shop" now`. */
export function describeTitleChanges({ group, common }: TitleGroup, since: string): string {
  const text = describeCauseGroup('changed their titles', group, since, null);
  if (common.urls < 2 || common.urls * 2 < group.urls) return text;
  // The crawlers may see different pages, so their number says nothing about any of them.
  const share = common.urls === group.urls ? 'all' : 'most';
  return `${text}: ${share} are ${common.title === null ? 'missing' : quoteTitle(common.title)} now`;
}

/** Describes the changed title of one page: `the title of / changed since November 22: "Shoes" is "Test" now`. */
export function describeTitleChange({ url, before, after }: TitleChange, since: string): string {
  const { pathname, search } = new URL(url);
  return `the title of ${shorten(`${pathname}${search}`)} changed since ${since}: ${quoteTitle(before)} is ${quoteTitle(after)} now`;
}

/** Quotes a title; a page without one has "no title". */
export function quoteTitle(title: string | null): string {
  return title === null || title === '' ? 'no title' : `"${shorten(title)}"`;
}

/** Describes how many URLs are indexable: `12 of 14 URLs are indexable for Googlebot; 5 for GPTBot`. */
export function describeIndexable(
  agents: readonly { readonly agent: string; readonly judged: number; readonly indexable: number }[],
): string {
  const groups = new Map<
    string,
    { readonly names: string[]; readonly judged: number; readonly indexable: number }
  >();
  for (const { agent, judged, indexable } of agents) {
    const group = groups.get(`${judged} ${indexable}`) ?? { names: [], judged, indexable };
    group.names.push(agent);
    groups.set(`${judged} ${indexable}`, group);
  }
  return joinGroups(
    sortByCrawler([...groups.values()]).map(({ names, judged, indexable }, index) => {
      const words =
        index === 0
          ? ` of ${formatCount(judged, 'URL')} ${judged === 1 ? 'is' : 'are'} indexable`
          : ` of ${formatCount(judged)}`;
      return `${formatCount(indexable)}${words} for ${formatCrawlers(names)}`;
    }),
  );
}

function sortGroups({ crawlers }: ChangeGroup): CrawlerCount[] {
  return sortByCrawler(crawlers.map((each) => ({ ...each, names: each.agents })));
}

/** `12 URLs on /blog/`; a single URL by its path. */
function describeUrls(group: ChangeGroup): string {
  const [only] = group.examples;
  if (group.urls === 1 && only !== undefined) {
    const { pathname, search } = new URL(only);
    return shorten(`${pathname}${search}`);
  }
  return `${formatCount(group.urls, 'URL')} ${describeFolders(group)}`;
}

/** `on /blog/`, `on /blog/, /shop/ and 3 other folders` */
function describeFolders({ folders }: ChangeGroup): string {
  const names = folders.map(({ folder }) => (folder === '' ? 'other folders' : shorten(folder)));
  const more = names.length - MAX_FOLDERS;
  if (more <= 0) return `on ${names.join(' and ')}`;
  return `on ${names.slice(0, MAX_FOLDERS).join(', ')} and ${formatCount(more, 'other folder')}`;
}
