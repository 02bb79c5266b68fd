// Counts of each segment of a judged run: URLs, statuses, response times, and verdicts and findings for each crawler.

import type { Severity } from '@maycrawl/core';
import { freezeDeep } from '@maycrawl/core/internal';
import { SEVERITIES } from '../../reports/severities.ts';
import { packReasons } from '../run/records/reasons.ts';
import type { RunStore } from '../run/run-store.ts';
import type { JudgedPage } from '../run/tables/report-rows.ts';
import type { Segments } from '../segments/segments.ts';

/** What a crawler gets: a class of statuses; `none`: no response; `blocked`: it may not fetch the URL. */
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none', 'blocked'] as const;
freezeDeep(STATUS_CLASSES);
/** A class of statuses. */
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** The reason in a sum of reasons. */
const BLOCKED = packReasons(['blocked']);

/** The counts of a segment for a crawler. */
interface SegmentAgent {
  readonly agent: string;
  readonly judged: number;
  readonly indexable: number;
  readonly statuses: Readonly<Record<StatusClass, number>>;
  /** URLs with a finding of this severity. */
  readonly findings: Readonly<Record<Severity, number>>;
}

/** The counts of a segment. */
interface SegmentSummary {
  readonly name: string;
  /** URLs that have a verdict. */
  readonly urls: number;
  /** Milliseconds of the responses of this crawl, whatever their status: half of them, and 95 %, took at most as long; `null`: there are no responses. */
  readonly responseTime: { readonly median: number; readonly p95: number } | null;
  readonly agents: readonly SegmentAgent[];
}

/** The segments of a run, and their counts. */
export interface SegmentsSummary {
  readonly kind: Segments['kind'];
  /** Segments that have URLs. */
  readonly list: readonly SegmentSummary[];
}

/** Counts the URLs of each segment. @param agents - names of the crawlers of the run. */
export function summarizeSegments(
  run: RunStore,
  segments: Segments,
  agents: readonly string[],
): SegmentsSummary {
  const counters = segments.names.map((name) => new SegmentCounter(name, agents));
  const find = createLookup(segments, counters);
  let last = -1;
  for (const page of run.rows.judgedPages()) {
    const counter = find(page.url);
    if (page.key !== last) counter.addUrl(page);
    last = page.key;
    counter.addVerdict(page);
  }
  for (const severity of SEVERITIES)
    for (const { url, agent } of run.findings.urlsWith(severity)) find(url).addFinding(agent, severity);
  const list = counters.map((counter) => counter.summarize()).filter(({ urls }) => urls > 0);
  return { kind: segments.kind, list };
}

/** Creates a function that finds the counter of a URL. Rows of the same URL follow each other. */
function createLookup(
  segments: Segments,
  counters: readonly SegmentCounter[],
): (url: string) => SegmentCounter {
  let [lastUrl, last] = ['', -1];
  return (url) => {
    if (url !== lastUrl) [lastUrl, last] = [url, segments.find(url)];
    return counters[last] as SegmentCounter;
  };
}

type AgentCounts = {
  -readonly [K in keyof SegmentAgent]: SegmentAgent[K] extends number ? number : SegmentAgent[K];
} & { statuses: Record<StatusClass, number>; findings: Record<Severity, number> };

class SegmentCounter {
  readonly #name: string;
  readonly #agents: AgentCounts[];
  /** Numbers of responses by milliseconds: far fewer values than responses. */
  readonly #times: Map<number, number> = new Map();
  #urls = 0;

  constructor(name: string, agents: readonly string[]) {
    this.#name = name;
    this.#agents = agents.map((agent) => ({
      ...{ agent, judged: 0, indexable: 0 },
      statuses: { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0, blocked: 0 },
      findings: { error: 0, warning: 0, info: 0 },
    }));
  }

  addUrl({ status, milliseconds }: JudgedPage): void {
    this.#urls++;
    if (status === null || milliseconds === null) return;
    const time = Math.round(milliseconds);
    this.#times.set(time, (this.#times.get(time) ?? 0) + 1);
  }

  addVerdict({ agent, reasons, status }: JudgedPage): void {
    const counts = this.#agents[agent];
    if (counts === undefined) return;
    counts.judged++;
    if (reasons === 0) counts.indexable++;
    counts.statuses[(reasons & BLOCKED) === 0 ? getStatusClass(status) : 'blocked']++;
  }

  addFinding(agent: number, severity: Severity): void {
    const counts = this.#agents[agent];
    if (counts !== undefined) counts.findings[severity]++;
  }

  summarize(): SegmentSummary {
    const times = [...this.#times].sort(([a], [b]) => a - b);
    const responseTime =
      times.length === 0 ? null : { median: getPercentile(times, 0.5), p95: getPercentile(times, 0.95) };
    return { name: this.#name, urls: this.#urls, responseTime, agents: this.#agents };
  }
}

function getStatusClass(status: number | null): StatusClass {
  const digit = status === null ? '' : String(status).slice(0, 1);
  return STATUS_CLASSES.find((name) => name === `${digit}xx`) ?? 'none';
}

/** The smallest value that is at least as large as a share of all values (nearest rank). @param counts - by value, ascending. */
function getPercentile(counts: readonly (readonly [value: number, count: number])[], share: number): number {
  let left = Math.ceil(share * counts.reduce((sum, [, count]) => sum + count, 0));
  for (const [value, count] of counts) {
    left -= count;
    if (left <= 0) return value;
  }
  return 0;
}
