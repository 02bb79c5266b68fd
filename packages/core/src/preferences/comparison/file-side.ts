// One of two files under comparison: its rules and declarations by group, read once for all crawlers.

import { addToList } from '../../bytes/add-to-list.ts';
import type { AgentTokens } from '../../crawler/crawler.ts';
import type { PolicyToken } from '../../crawler/policy-token.ts';
import { getAgentTokens } from '../../crawler/resolve-agent.ts';
import { AgentNames } from '../../model/agent-names.ts';
import type { RobotsTxt } from '../../model/robots-txt.ts';
import type { Budget } from '../../proofs/automata/budget.ts';
import type { Rules } from '../../proofs/automata/rule-automaton.ts';
import { getScopeOrigin } from '../../proofs/examples.ts';
import { GroupIndex } from '../../proofs/group-index.ts';
import type { Declaration } from '../declaration.ts';
import { readTokenClaims, toTokenCrawler } from '../policy-tokens.ts';
import { getDeclaredLines } from '../robots-txt/declared-lines.ts';
import { readDeclaration } from '../robots-txt/robots-declarations.ts';
import type { LicenseReference } from '../selected-statements.ts';
import { limitText } from '../statement.ts';
import { createDeclaredRules, createTokenRules, type DeclaredRules, NO_RULES } from './declared-rules.ts';

/** Units of work per byte of a file, and per declaration. */
const WORK_PER_BYTE = 1 / 10;
const WORK_PER_DECLARATION = 4;

/** The number of the lines before the first group. */
const NO_GROUP = -1;

export interface CrawlerGroups {
  /** By the grouping of robots.txt. */
  readonly rules: readonly number[];
  /** By the grouping of declarations. */
  readonly declarations: readonly number[];
}

export class FileSide {
  readonly index: GroupIndex;
  /** All declarations and License lines, in file order. */
  readonly lines: readonly Declaration[];
  /** The licences of the file, which apply to every crawler. */
  readonly licenses: readonly LicenseReference[];
  /** The agents of the groups under the grouping `own`. The number of a group is the index of its first user-agent line. */
  readonly #agents: AgentNames = new AgentNames();
  readonly #byGroup: Map<number, Declaration[]> = new Map();
  readonly #robots: RobotsTxt;
  readonly #budget: Budget;
  readonly #tokens: Map<string, DeclaredRules> = new Map();

  /** @throws {BudgetExceededError} if reading the file exceeds the budget. */
  constructor(robots: RobotsTxt, budget: Budget) {
    budget.spend(robots.bytes.length * WORK_PER_BYTE);
    this.#robots = robots;
    this.#budget = budget;
    this.index = new GroupIndex(robots, budget);
    const declared = getDeclaredLines(robots);
    const groups = new Map<number, number>();
    this.lines = declared.lines.map((line) => {
      const list = line.lists.own;
      for (let agent = list?.first ?? 0; agent < (list?.end ?? 0); agent++)
        groups.set(agent, list?.first ?? 0);
      const declaration = readDeclaration(declared, line);
      addToList(this.#byGroup, list?.first ?? NO_GROUP, declaration);
      return declaration;
    });
    this.licenses = this.lines.flatMap(toLicenses);
    // Groups without declarations count, too: the most specific group applies.
    for (const [agent, [start, end]] of declared.agents.entries())
      this.#agents.add(declared.bytes, start, end, groups.get(agent) ?? agent);
  }

  findGroups(agentTokens: AgentTokens): CrawlerGroups {
    const rules = agentTokens.isExempt ? [] : this.index.agents.select(agentTokens).groups;
    return { rules, declarations: this.#agents.select(agentTokens).groups };
  }

  getRules({ rules }: CrawlerGroups): Rules {
    return this.index.getTable(rules, this.#budget);
  }

  getLines({ declarations }: CrawlerGroups): readonly Declaration[] {
    const lines = declarations.flatMap((group) => this.#byGroup.get(group) ?? []);
    this.#budget.spend(declarations.length + lines.length);
    return lines;
  }

  getDeclared(groups: CrawlerGroups, format: Declaration['format'], purpose: string): DeclaredRules {
    const own = this.getLines(groups).filter((line) => line.format === format);
    if (own.length === 0) return NO_RULES;
    this.#budget.spend(own.length * WORK_PER_DECLARATION);
    return createDeclaredRules(own, purpose, this.#robots.profile);
  }

  /** Returns the rules of a policy token, which are the same for all purposes of the token. */
  getToken(token: PolicyToken): DeclaredRules {
    const cached = this.#tokens.get(token.token);
    if (cached !== undefined) return cached;
    const { chosen, groups } = this.index.agents.select(getAgentTokens(toTokenCrawler(token)));
    const ruleset = this.#robots.ruleset(toTokenCrawler(token));
    const rules = createTokenRules(
      this.index.getTable(groups, this.#budget),
      // The bit of the token itself (agent-names.ts).
      chosen === 1,
      (path) =>
        readTokenClaims(ruleset, token, `${getScopeOrigin(this.#robots.scope)}${path}`)[0]?.statement ?? null,
    );
    this.#tokens.set(token.token, rules);
    return rules;
  }
}

function toLicenses({ format, place }: Declaration): LicenseReference[] {
  return format === 'rsl' ? [{ url: limitText(place.text), source: 'robots.txt', line: place.line }] : [];
}
