// The summary of a run: settings and end, the robots.txt of each site, and the number of URLs by reason.

import { describePolicy } from '@maycrawl/core';
import type { CrawlerPurpose } from '@maycrawl/core/crawlers';
import { REASONS, type Reason } from '@maycrawl/core/indexability';
import { formatCount } from '../../text/counts.ts';
import { describeDetail, describeFindings } from '../findings/finding-kinds.ts';
import { getPurposes, isIndexingCrawler } from '../run/indexing-crawlers.ts';
import { type Counts, getHost } from '../run/records/url.ts';
import type { RunStore } from '../run/run-store.ts';
import {
  getEnd,
  getSettings,
  judgedAt,
  type RunEnd,
  type RunSettings,
  type SegmentPattern,
} from '../run/settings.ts';
import type { FindingCount } from '../run/tables/finding-table.ts';
import type { StoredRobots } from '../run/tables/robots-table.ts';
import type { StoredSitemap } from '../run/tables/sitemap-table.ts';
import { getSegments } from '../segments/segments.ts';
import { type FindingPart, orderFindings } from './finding-order.ts';
import { type SegmentsSummary, summarizeSegments } from './segments-summary.ts';
import { summarizeUse, type UseSummary } from './use-summary.ts';

/** The verdicts for one crawler. */
export interface AgentSummary {
  readonly agent: string;
  /** What the crawler uses pages for, the main purpose first; empty if that is not documented. */
  readonly purposes: readonly CrawlerPurpose[];
  /** Whether it indexes pages for a search engine. Other crawlers have no findings about indexing. */
  readonly isIndexing: boolean;
  /** URLs that have a verdict. */
  readonly judged: number;
  readonly indexable: number;
  /** URLs by their primary reason, and by every one that applies. */
  readonly primary: Readonly<Record<Reason, number>>;
  readonly all: Readonly<Record<Reason, number>>;
  /** The findings by kind and severity, in their order (finding-order.ts). */
  readonly findings: readonly FindingSummary[];
}

/** The findings of one kind and severity. */
export interface FindingSummary extends FindingPart {
  /** "2 redirects lead into a loop" */
  readonly title: string;
  /** The detail of the largest group of them, and its number; `null` without details. */
  readonly largest: { readonly detail: string; readonly count: number } | null;
}

/** The robots.txt of a site, and what it means for the run. */
interface RobotsSummary extends Omit<StoredRobots, 'body'> {
  readonly bytes: number | null;
  readonly meaning: string;
  /** Whether URLs of the site are in the scope. Of other sites the audit reads only targets of redirects and canonicals, and resources. */
  readonly isAudited: boolean;
}

export interface RunSummary {
  readonly settings: RunSettings;
  readonly end: RunEnd | null;
  /** Milliseconds since 1970. */
  readonly judgedAt: number | null;
  readonly counts: Counts;
  readonly total: number;
  readonly agents: readonly AgentSummary[];
  readonly robots: readonly RobotsSummary[];
  readonly sitemaps: readonly StoredSitemap[];
  /** URLs that sitemaps list. */
  readonly inSitemaps: number;
  readonly segments: SegmentsSummary;
  /** What was rendered, in a sentence; `null` if nothing was. */
  readonly rendered: string | null;
  /** How the content may be used; `null` if nothing is declared. */
  readonly preferences: UseSummary | null;
}

/** Summarises a run. @param segments - instead of those in its settings. */
export function summarizeRun(run: RunStore, segments?: readonly SegmentPattern[]): RunSummary {
  const settings = getSettings(run);
  const counts = run.counts();
  const findings = run.findings.count();
  return {
    settings,
    end: getEnd(run),
    judgedAt: judgedAt(run),
    counts,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    agents: settings.agents.map((agent, place) => {
      const reasons = countReasons(run, place);
      return {
        ...{ agent, purposes: getPurposes(agent), isIndexing: isIndexingCrawler(agent) },
        ...reasons,
        findings: summarizeFindings(run, place, findings),
      };
    }),
    robots: summarizeRobots(run),
    sitemaps: run.sitemaps.list(),
    inSitemaps: run.rows.countUrlsInSitemaps(),
    segments: summarizeSegments(run, getSegments(run, segments), settings.agents),
    rendered: settings.render ? describeRendered(run) : null,
    preferences: summarizeUse(run, settings.agents),
  };
}

/** Audited sites come first. */
function summarizeRobots(run: RunStore): RobotsSummary[] {
  const hosts = run.rows.getAuditedHosts();
  const robots = run.robots.list().map(({ body, ...each }) => ({
    ...each,
    bytes: body?.length ?? null,
    meaning: describeRobots(each),
    isAudited: hosts.has(getHost(each.origin)),
  }));
  return robots.sort((one, other) => Number(other.isAudited) - Number(one.isAudited));
}

function summarizeFindings(run: RunStore, agent: number, counts: readonly FindingCount[]): FindingSummary[] {
  return orderFindings(counts.filter((each) => each.agent === agent)).map((part) => {
    const { code, severity, count } = part;
    const [group] = run.findings.countDetails(code, agent, severity);
    const largest =
      group === undefined || group.detail === null
        ? null
        : { detail: describeDetail(code, group.detail), count: group.count };
    return { ...part, title: describeFindings(code, count), largest };
  });
}

function countReasons(
  { rows }: RunStore,
  agent: number,
): Pick<AgentSummary, 'judged' | 'indexable' | 'primary' | 'all'> {
  const none = Object.fromEntries(REASONS.map((reason) => [reason, 0])) as Record<Reason, number>;
  const [primary, all] = [{ ...none }, { ...none }];
  let [judged, indexable] = [0, 0];
  for (const { reasons, count } of rows.countReasons(agent)) {
    judged += count;
    if (reasons === 0) indexable += count;
    const apply = REASONS.filter((_, place) => (reasons & (1 << place)) !== 0);
    for (const reason of apply) all[reason] += count;
    const [first] = apply;
    if (first !== undefined) primary[first] += count;
  }
  return { judged, indexable, primary, all };
}

/** Describes what the robots.txt of a site means for the run. */
function describeRobots({ policy, isGiven, message }: Omit<StoredRobots, 'body'>): string {
  if (isGiven) return 'A given file replaces the robots.txt of the site.';
  const details = message === null || policy.kind === 'rules' ? '' : ` (${message})`;
  const effect = policy.kind === 'disallow-all' ? ' No page was fetched.' : '';
  return `${describePolicy(policy).slice(0, -1)}${details}.${effect}`;
}

/** Describes for how many URLs a crawler gets what it wants: `30 of 31 URLs indexable`. */
export function describeVerdicts({ isIndexing, judged, indexable, all }: AgentSummary): string {
  const total = formatCount(judged, 'URL');
  return isIndexing
    ? `${formatCount(indexable)} of ${total} indexable`
    : `may fetch ${formatCount(judged - all.blocked)} of ${total}`;
}

/** Whether a run is complete, in a sentence. */
export function describeEnd(end: RunEnd | null, counts: Counts): string {
  const count = end?.waiting ?? counts.waiting;
  const waiting = `${formatCount(count, 'URL')} ${count === 1 ? 'is' : 'are'} waiting`;
  if (end === null) return `The crawl has not ended, or its process was killed; ${waiting}.`;
  switch (end.reason) {
    case 'complete':
      return 'Complete: no URLs are waiting.';
    case 'max-pages':
      return `Not complete: the crawl reached its limit of pages; ${waiting}.`;
    case 'interrupted':
      return `Not complete: the crawl was interrupted; ${waiting}.`;
    case 'no-responses':
      return `Not complete: ${describeUnresponsive(end)} stopped responding; ${waiting}.`;
    case 'sitemap-time':
      return 'Not complete: the time for all sitemaps was over; some of them were not read.';
  }
}

/** Names the hosts that no longer responded, as the subject of a sentence. */
export function describeUnresponsive({ hosts }: RunEnd): string {
  if (hosts === undefined) return 'a host';
  const { unresponsive, all } = hosts;
  return all === 1 ? 'the host' : `${formatCount(unresponsive)} of ${formatCount(all, 'host')}`;
}

/** Describes which pages were rendered. */
function describeRendered(run: RunStore): string {
  const failed = run.renderings.countFailed();
  const count = run.renderings.count() - failed;
  const [other] = run.renderings.listRenderable(-1, 1);
  const pages = `${formatCount(count, 'page')} ${count === 1 ? 'was' : 'were'} rendered`;
  const others = failed === 0 ? '' : `, and ${failed} could not be`;
  return other === undefined
    ? `${pages}${others}: all HTML pages with status 200.`
    : `${pages}${others}. What the scripts of the other HTML pages change is unknown.`;
}
