// An index of the groups of a file with their rules, for proofs about many crawlers: it reads the file once.

import { toByteString } from '../bytes/byte-string.ts';
import type { CrawlerInput } from '../crawler/crawler.ts';
import { getAgentTokens } from '../crawler/resolve-agent.ts';
import { createRuleTable } from '../matching/create-rule-table.ts';
import type { RuleTable } from '../matching/rule-table.ts';
import { AgentIndex } from '../model/agent-index.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import type { CollectedRule } from '../syntax/collect.ts';
import { ALLOW } from '../syntax/fields.ts';
import type { Budget } from './automata/budget.ts';

/** Units of work per byte of a file, and per rule of a table. */
const WORK_PER_BYTE = 1 / 20;
const WORK_PER_RULE = 8;

/** The groups of a file, numbered from 0, with their rules and agents. */
export class GroupIndex {
  readonly robots: RobotsTxt;
  readonly agents: AgentIndex;
  readonly #bytes: Uint8Array;
  readonly #content: string;
  readonly #rules: CollectedRule[][] = [];
  readonly #tables: Map<string, RuleTable> = new Map();

  /**
   * @param budget - charged for reading the file. @defaultValue no charge
   * @throws {BudgetExceededError} if reading the file exceeds the budget.
   */
  constructor(robots: RobotsTxt, budget?: Budget) {
    const { bytes } = robots;
    budget?.spend(bytes.length * WORK_PER_BYTE);
    this.robots = robots;
    this.#bytes = bytes;
    this.#content = toByteString(bytes, 0, bytes.length);
    this.agents = new AgentIndex(robots, ({ kind, line, valueStart, valueEnd }, group) => {
      const rules = this.#rules[group] ?? [];
      this.#rules[group] = rules;
      rules.push({ isAllow: kind === ALLOW, line, valueStart, valueEnd });
    });
  }

  /** Returns the numbers of the groups that apply to a crawler, in file order. */
  findGroups(crawler: CrawlerInput): readonly number[] {
    const agentTokens = getAgentTokens(crawler);
    return agentTokens.isExempt ? [] : this.agents.select(agentTokens).groups;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /**
   * Returns the rule table of some groups.
   *
   * @throws {BudgetExceededError} if creating the table exceeds the budget.
   */
  getTable(groups: readonly number[], budget: Budget): RuleTable {
    const key = groups.join(' ');
    const cached = this.#tables.get(key);
    if (cached !== undefined) return cached;
    const { profile } = this.robots;
    budget.spend(groups.length);
    const rules = groups.flatMap((group) => this.#rules[group] ?? []);
    const length = rules.reduce((sum, { valueStart, valueEnd }) => sum + valueEnd - valueStart, 0);
    budget.spend(rules.length * WORK_PER_RULE + length * WORK_PER_BYTE);
    const table = createRuleTable(this.#content, this.#bytes, rules, profile);
    this.#tables.set(key, table);
    return table;
  }
}
