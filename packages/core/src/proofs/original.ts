/**
 * A file that others are held against: do they decide alike?
 *
 * @module
 */
import type { CrawlerLike } from '../crawler.ts';
import type { RobotsTxt } from '../document.ts';
import { textOf } from '../sorted-patterns.ts';
import type { Budget } from './budget.ts';
import { crawlersOf } from './compare.ts';
import { eachDifference } from './difference.ts';
import type { Rules } from './rule-walk.ts';

/** A crawler's rules, and what they say, without where they stand. */
interface Content {
  readonly table: Rules;
  readonly text: string;
}

/** The file. */
export class Original {
  readonly #robots: RobotsTxt;
  readonly #budget: Budget;
  /** What it says to each crawler. */
  readonly #contents: Map<CrawlerLike, Content> = new Map();

  constructor(robots: RobotsTxt, budget: Budget) {
    this.#robots = robots;
    this.#budget = budget;
  }

  /**
   * Whether every URL has the same verdict in another file, for every crawler.
   *
   * @throws {BoundReached} if it takes more than it may.
   */
  isEquivalent(other: RobotsTxt): boolean {
    const known = new Set<string>();
    for (const { crawler } of crawlersOf([this.#robots, other])) {
      const before = this.#contents.get(crawler) ?? contentOf(this.#robots, crawler);
      this.#contents.set(crawler, before);
      const after = contentOf(other, crawler);
      const key = `${before.text}\n${after.text}`;
      this.#budget.spend(1 + before.table.count + after.table.count);
      if (before.text === after.text || known.has(key)) continue;
      known.add(key);
      let isSame = true;
      eachDifference(before.table, after.table, this.#robots.profile, this.#budget, () => {
        isSame = false;
        return 'stop';
      });
      if (!isSame) return false;
    }
    return true;
  }
}

function contentOf(robots: RobotsTxt, crawler: CrawlerLike): Content {
  const { table } = robots.ruleset(crawler);
  const entries = Array.from({ length: table.count }, (_, entry) => entry);
  const text = entries
    .map((entry) => `${table.forbids(entry) ? '-' : '+'}${textOf(table.read(entry))}`)
    .join(' ');
  return { table, text };
}
