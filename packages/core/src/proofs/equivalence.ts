// Proves that files give the same verdicts as a reference file.

import type { RobotsTxt } from '../model/robots-txt.ts';
import type { Budget } from './automata/budget.ts';
import { indexByPattern, visitDifferences } from './automata/difference.ts';
import type { Rules } from './automata/rule-automaton.ts';
import { listIndexedCrawlers, type NamedCrawler } from './crawler-classes.ts';
import { GroupIndex } from './group-index.ts';

/** The rules of some groups. Equal rules have equal numbers, wherever they occur. */
interface Content {
  readonly table: Rules;
  /** Identifies the rules, regardless of their lines. */
  readonly number: number;
}

/** Units of work per rule that is serialized, and per crawler. */
const WORK_PER_RULE = 3;
const WORK_PER_CRAWLER = 4;

export class EquivalenceProver {
  readonly #robots: RobotsTxt;
  readonly #budget: Budget;
  readonly #groups: GroupIndex;
  /** Numbers of contents by their serialized rules. */
  readonly #numbers: Map<string, number> = new Map();
  readonly #contents: Map<string, Content> = new Map();

  /**
   * @param robots - the reference file.
   * @throws {BudgetExceededError} if reading the file exceeds the budget.
   */
  constructor(robots: RobotsTxt, budget: Budget) {
    this.#robots = robots;
    this.#budget = budget;
    this.#groups = new GroupIndex(robots, budget);
  }

  /**
   * Returns whether every URL has the same verdict in `other` as in the reference file, for every crawler.
   *
   * @param isExempt - excludes crawlers from the proof.
   * @throws {BudgetExceededError} if the proof exceeds the budget.
   */
  isEquivalent(other: RobotsTxt, isExempt: (crawler: NamedCrawler) => boolean = () => false): boolean {
    const proved = new Set<string>();
    const [reference, candidate] = [this.#groups, new GroupIndex(other, this.#budget)];
    const contents = new Map<string, Content>();
    for (const named of listIndexedCrawlers([reference, candidate])) {
      if (isExempt(named)) continue;
      const { crawler } = named;
      this.#budget.spend(WORK_PER_CRAWLER);
      const before = this.#getContent(reference, reference.findGroups(crawler), this.#contents);
      const after = this.#getContent(candidate, candidate.findGroups(crawler), contents);
      const key = `${before.number} ${after.number}`;
      if (before.number === after.number || proved.has(key)) continue;
      proved.add(key);
      let isSame = true;
      visitDifferences(before.table, after.table, this.#robots.profile, this.#budget, () => {
        isSame = false;
        return 'stop';
      });
      if (!isSame) return false;
    }
    return true;
  }

  #getContent(index: GroupIndex, groups: readonly number[], cache: Map<string, Content>): Content {
    const key = groups.join(' ');
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const table = index.getTable(groups, this.#budget);
    this.#budget.spend(table.count * WORK_PER_RULE);
    // In match order, without lines. A pattern can contain spaces, but no line feed.
    const text = [...indexByPattern(table).keys()].join('\n');
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    const content = { table, number };
    cache.set(key, content);
    return content;
  }
}
