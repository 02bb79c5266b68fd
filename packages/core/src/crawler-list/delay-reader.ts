// Reads the crawl delays of each crawler of a list, for many files. A file is read once.
import type { CrawlerInput } from '../crawler/crawler.ts';
import { AgentNames } from '../model/agent-names.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { readDelayGroups } from '../syntax/crawl-delay.ts';
import { CrawlerList } from './crawler-list.ts';

/** The crawl delays of a file. */
export interface FileDelays {
  /** The number of Crawl-delay lines, also of those without a valid value. */
  readonly lines: number;
  /** For each crawler, its delay in seconds; `null` if it has no delay. */
  readonly seconds: readonly (number | null)[];
}

/** Reads the crawl delays of the same crawlers from files. */
export class DelayReader {
  readonly #crawlers: CrawlerList;

  /** @throws {TypeError} {RangeError} as `RobotsTxt.ruleset` does. */
  constructor(crawlers: readonly CrawlerInput[]) {
    this.#crawlers = new CrawlerList(crawlers);
  }

  /** Reads a file. The delay of each crawler equals `robots.ruleset(crawler).crawlDelay`. */
  read(robots: RobotsTxt): FileDelays {
    const agents = new AgentNames();
    /** The largest delay of each group that has one. */
    const delays: number[] = [];
    let lines = 0;
    const scanner = getSource(robots).scan();
    readDelayGroups(scanner, {
      onAgent(group) {
        agents.add(scanner.bytes, scanner.valueStart, scanner.valueEnd, group);
      },
      onDelay(each, group) {
        lines++;
        if (each !== null && group >= 0) delays[group] = Math.max(delays[group] ?? 0, each);
      },
    });
    const seconds: (number | null)[] = [];
    this.#crawlers.selectGroups(agents, (_preference, _chosen, groups) => {
      seconds.push(findLargest(delays, groups));
    });
    return { lines, seconds };
  }
}

function findLargest(delays: readonly number[], groups: readonly number[]): number | null {
  let largest: number | null = null;
  for (const group of groups) {
    const delay = delays[group];
    if (delay !== undefined && (largest === null || delay > largest)) largest = delay;
  }
  return largest;
}
