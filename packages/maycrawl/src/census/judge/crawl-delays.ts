// The crawl delays of a file, as the tables have them.
import { type RobotsTxt, resolveAgent } from '@maycrawl/core';
import { DelayReader } from '@maycrawl/core/proofs';

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

/** Reads the delays of `*` and the same agents from files. */
export class AgentDelays {
  readonly #names: readonly string[];
  readonly #reader: DelayReader;

  /** @throws {RangeError} if no user-agent line can name an agent. */
  constructor(agents: readonly string[]) {
    // `*` can be a judged agent, too.
    this.#names = [...new Set(['*', ...agents])];
    this.#reader = new DelayReader(this.#names.map((name) => resolveAgent(name).crawler));
  }

  read(robots: RobotsTxt): CrawlDelays {
    const { lines, seconds } = this.#reader.read(robots);
    if (lines === 0) return NO_DELAYS;
    return {
      crawlDelayLines: lines,
      crawlDelays: this.#names.flatMap((agent, place) => {
        const delay = seconds[place] ?? null;
        return delay === null ? [] : [{ agent, seconds: delay }];
      }),
    };
  }
}
