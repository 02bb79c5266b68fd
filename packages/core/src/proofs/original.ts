/**
 * A file that others are held against: do they decide alike?
 *
 * @module
 */

import { toSortKey } from '../matching/sorted-patterns.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import type { Budget } from './automata/budget.ts';
import { eachDifference } from './automata/difference.ts';
import type { Rules } from './automata/rule-walk.ts';
import { getCrawlers } from './compare.ts';
import { GroupIndex } from './group-index.ts';

/** The rules of some groups, and what they say, without where they stand. */
interface Content {
  readonly table: Rules;
  /** A number for each content. */
  readonly number: number;
}

/** Work to write a rule as text, and to choose the groups of a crawler. */
const WORK_PER_RULE = 3;
const WORK_PER_CRAWLER = 4;

/** The file. */
export class Original {
  readonly #robots: RobotsTxt;
  readonly #budget: Budget;
  readonly #groups: GroupIndex;
  /** Numbers of contents, by their text. */
  readonly #numbers: Map<string, number> = new Map();
  readonly #contents: Map<string, Content> = new Map();

  /** @throws {BoundReached} if reading the file takes more than is left. */
  constructor(robots: RobotsTxt, budget: Budget) {
    this.#robots = robots;
    this.#budget = budget;
    this.#groups = new GroupIndex(robots, budget);
  }

  /**
   * Whether every URL has the same verdict in another file, for every crawler.
   *
   * @throws {BoundReached} if it takes more than it may.
   */
  isEquivalent(other: RobotsTxt): boolean {
    const known = new Set<string>();
    const [was, is] = [this.#groups, new GroupIndex(other, this.#budget)];
    const contents = new Map<string, Content>();
    for (const { crawler } of getCrawlers([was, is])) {
      this.#budget.spend(WORK_PER_CRAWLER);
      const before = this.#content(was, was.groupsFor(crawler), this.#contents);
      const after = this.#content(is, is.groupsFor(crawler), contents);
      const key = `${before.number} ${after.number}`;
      if (before.number === after.number || known.has(key)) continue;
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

  #content(index: GroupIndex, groups: readonly number[], known: Map<string, Content>): Content {
    const key = groups.join(' ');
    const content = known.get(key);
    if (content !== undefined) return content;
    const table = index.table(groups, this.#budget);
    this.#budget.spend(table.count * WORK_PER_RULE);
    const text = textOfRules(table);
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    const made = { table, number };
    known.set(key, made);
    return made;
  }
}

/** The patterns of some rules with their verdicts, of equal patterns the first, in the order in which they win. */
function textOfRules(table: Rules): string {
  const patterns = new Set<string>();
  const lines: string[] = [];
  for (let entry = 0; entry < table.count; entry++) {
    const text = toSortKey(table.read(entry));
    if (patterns.has(text)) continue;
    patterns.add(text);
    lines.push(`${table.forbids(entry) ? '-' : '+'}${text}`);
  }
  return lines.join(' ');
}
