/**
 * The crawl delays of a file. Each agent reads the whole file for its delay, so the lines on which no delay depends are omitted before.
 *
 * @module
 */
import { parse, type RobotsRecord, type RobotsTxt } from '@maycrawl/core';
import type { AgentSet } from './judged-agents.ts';

/** The crawl delay of an agent. */
export interface AgentDelay {
  readonly agent: string;
  readonly seconds: number;
}

/** What a file says about crawl delays. */
export interface CrawlDelays {
  /** The number of Crawl-delay lines. */
  readonly crawlDelayLines: number;
  /** For `*` and each judged agent that has a delay. */
  readonly crawlDelays: readonly AgentDelay[];
}

/** A file without delays. */
export const NO_DELAYS: CrawlDelays = { crawlDelayLines: 0, crawlDelays: [] };

const FIELD = 'crawl-delay';

/** Reads the delays of a file. @param getAgents - returns the agents; it is called if there is a delay. */
export function readCrawlDelays(robots: RobotsTxt, getAgents: () => readonly AgentSet[]): CrawlDelays {
  const records = robots.records();
  const crawlDelayLines = records.filter(isDelay).length;
  if (crawlDelayLines === 0) return NO_DELAYS;
  const relevant = parse(selectLines(records).join('\n'), { profile: robots.profile });
  const crawlDelays = getAgents().flatMap(({ names, crawler }) => {
    const seconds = relevant.ruleset(crawler).crawlDelay;
    return seconds === null ? [] : names.map((agent) => ({ agent, seconds }));
  });
  return { crawlDelayLines, crawlDelays };
}

function isDelay({ kind, field }: RobotsRecord): boolean {
  return kind === 'other' && field.length === FIELD.length && field.toLowerCase() === FIELD;
}

/** Selects the user-agent lines and delays, and of adjacent rules one, which ends the list of user-agent lines. */
function selectLines(records: readonly RobotsRecord[]): string[] {
  const lines: string[] = [];
  let isRule = false;
  for (const record of records) {
    const wasRule: boolean = isRule;
    isRule = false;
    if (record.kind === 'user-agent') lines.push(`User-agent: ${record.text}`);
    else if (isDelay(record)) lines.push(`${FIELD}: ${record.text}`);
    else if (record.kind === 'allow' || record.kind === 'disallow') {
      if (!wasRule) lines.push('Disallow:');
      isRule = true;
    } else isRule = wasRule;
  }
  return lines;
}
