// The figures of a simulation, as text and as data.
import { join } from 'node:path';
import { type Fault, findFault, HANDED_OVER } from './faults.ts';
import { readDecisions, readSiteLog, readStoreFailures } from './fleet-log.ts';
import { getTakeovers, isJustified, judgeRefetches, type Refetches } from './judge-fleet.ts';
import { GROUPS, getGroup } from './parts.ts';
import type { SimulationRecord } from './simulation.ts';

/** The time is divided into this many intervals. */
const INTERVALS = 12;

type Counts = Record<string, number>;

interface Latency {
  readonly count: number;
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

interface FaultReport extends Fault {
  /** Milliseconds until another process fetched each site of the victim, sorted. */
  readonly takeovers?: readonly number[];
}

interface FleetReport {
  /** Seconds. */
  readonly duration: number;
  /** Decisions by group and verdict. */
  readonly decisions: Readonly<Record<string, Counts>>;
  /** The number of sites of each group that were decided. */
  readonly decidedSites: Counts;
  /** Decisions that no response of the site justifies. */
  readonly unjustified: readonly string[];
  readonly pages: number;
  /** Requests for pages that the rules of the site disallow, or that no response allows. */
  readonly disallowedPages: readonly string[];
  readonly refetches: Refetches;
  /** Failures of the store that each process reported. */
  readonly storeFailures: Counts;
  /** Failed decisions by fault and cause. */
  readonly failures: Counts;
  readonly faults: readonly FaultReport[];
  /** Milliseconds by group, in intervals of the same length. */
  readonly latency: Readonly<Record<string, readonly (Latency | undefined)[]>>;
  /** Megabytes of each part at regular times, the longest memory of each interval. */
  readonly memory: Readonly<Record<string, readonly number[]>>;
  /** Share of one core that each part used. */
  readonly cores: Counts;
  readonly counts: SimulationRecord['counts'];
}

const increment = (counts: Counts, key: string): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

function summarize(times: readonly number[]): Latency | undefined {
  if (times.length === 0) return undefined;
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] as number;
  return { count: sorted.length, median: at(0.5), p99: at(0.99), longest: at(1) };
}

/** The largest value of each interval. */
function getLargest(values: readonly number[]): number[] {
  const length = Math.max(values.length / INTERVALS, 1);
  return Array.from({ length: Math.min(INTERVALS, values.length) }, (_, index) =>
    Math.round(
      Math.max(...values.slice(Math.floor(index * length), Math.ceil((index + 1) * length))) / 2 ** 20,
    ),
  );
}

/** Reads what the sites and the crawlers have written, and judges it. */
export async function createFleetReport(folder: string, record: SimulationRecord): Promise<FleetReport> {
  const { startedAt, endedAt, faults, usage } = record;
  const seconds = (endedAt - startedAt) / 1000;
  const log = await readSiteLog(join(folder, 'sites.log'), getGroup);
  const decisions: Record<string, Counts> = {};
  const decidedSites: Counts = {};
  const failures: Counts = {};
  const unjustified: string[] = [];
  const latency: Record<string, (Latency | undefined)[]> = {};
  for (const { name: group, members } of GROUPS) {
    const verdicts: Counts = {};
    const sites = new Set<number>();
    const times: number[][] = Array.from({ length: INTERVALS }, () => []);
    for (const member of members) {
      for await (const decision of readDecisions(join(folder, `client-${member}.log`), group)) {
        const { time, site, verdict, reason, milliseconds } = decision;
        if (verdict === 'failed') {
          increment(failures, `${findFault(faults, time)}: ${reason}`);
          continue;
        }
        increment(verdicts, `${verdict} (${reason})`);
        if (reason === 'unreachable') log.getVisits(group, site).unreachable.push(time);
        sites.add(site);
        const interval = Math.floor(((time - startedAt) / (endedAt - startedAt)) * INTERVALS);
        times[Math.min(interval, INTERVALS - 1)]?.push(milliseconds);
        const needsResponse = verdict === 'allowed' || reason === 'rule';
        if (needsResponse && !isJustified(log, decision, verdict === 'allowed'))
          unjustified.push(`${group}: ${JSON.stringify(decision)}`);
      }
    }
    decisions[group] = verdicts;
    decidedSites[group] = sites.size;
    latency[group] = times.map(summarize);
  }
  const storeFailures = new Map<string, number[]>();
  for (const name of usage.keys())
    storeFailures.set(name, await readStoreFailures(join(folder, `${name}.store.log`)));
  const disallowedPages = log.pages.filter((page) => !isJustified(log, page, true));
  return {
    ...{ duration: seconds, decisions, decidedSites, unjustified, failures, latency },
    pages: log.pages.length,
    disallowedPages: disallowedPages.map((page) => JSON.stringify(page)),
    refetches: judgeRefetches(log, faults, storeFailures),
    storeFailures: Object.fromEntries([...storeFailures].map(([name, times]) => [name, times.length])),
    faults: faults.map((fault) => ({
      ...fault,
      ...(fault.handedOver !== undefined && {
        takeovers: getTakeovers(log, getGroup(fault.victim), fault, HANDED_OVER),
      }),
    })),
    memory: Object.fromEntries([...usage].map(([name, { bytes }]) => [name, getLargest(bytes)])),
    cores: Object.fromEntries([...usage].map(([name, part]) => [name, part.seconds / seconds])),
    counts: record.counts,
  };
}

const formatCounts = (counts: Counts): string =>
  Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]) => `  ${key}: ${count}`)
    .join('\n');

/** @returns lines for a terminal. */
export function formatFleetReport(report: FleetReport): string {
  const { refetches, latency, memory, cores } = report;
  const sections = [
    `${report.duration.toFixed(0)} s, ${report.pages} requests for pages, ${report.disallowedPages.length} of them disallowed`,
    ...Object.entries(report.decisions).map(
      ([group, counts]) => `${group}: ${report.decidedSites[group]} sites\n${formatCounts(counts)}`,
    ),
    `${report.unjustified.length} decisions without a response that justifies them`,
    `${refetches.requests} requests for robots.txt of ${refetches.origins} origins, ${refetches.due} of them when due; early:`,
    formatCounts({ ...refetches.early, unexplained: refetches.unexplained.length }),
    `failures of the store by process:\n${formatCounts(report.storeFailures)}`,
    `failed decisions:\n${formatCounts(report.failures)}`,
    ...report.faults.map(({ name, at, recoveredAt, takeovers }) => {
      const taken =
        takeovers === undefined
          ? ''
          : `, ${takeovers.length} sites taken over after ${takeovers[0]} to ${takeovers.at(-1)} ms, median ${takeovers[takeovers.length >> 1]} ms`;
      return `${name}: ${recoveredAt - at} ms${taken}`;
    }),
    ...Object.entries(latency).map(([group, times]) => {
      const lines = times.map((each) =>
        each === undefined
          ? '  none'
          : `  ${each.count}: ${each.median.toFixed(1)}, ${each.p99.toFixed(1)}, ${each.longest.toFixed(0)}`,
      );
      return `latency of ${group} over time (decisions: median, 99 %, longest in ms)\n${lines.join('\n')}`;
    }),
    `memory over time in MiB:\n${Object.entries(memory)
      .map(([name, values]) => `  ${name}: ${values.join(' ')} (${(cores[name] ?? 0).toFixed(3)} cores)`)
      .join('\n')}`,
    `all parts: ${Object.values(cores)
      .reduce((sum, each) => sum + each, 0)
      .toFixed(2)} cores`,
    ...Object.entries(report.counts).map(([name, counts]) => `${name}: ${JSON.stringify(counts)}`),
  ];
  return `${sections.join('\n')}\n`;
}
