/**
 * One of two files under comparison: its rules and declarations by group, read once for all crawlers.
 *
 * @module
 */

import { type AgentTokens, createCrawler } from '../../crawler/crawler.ts';
import type { PolicyToken } from '../../crawler/policy-token.ts';
import { getAgentTokens } from '../../crawler/resolve-agent.ts';
import type { RobotsTxt } from '../../model/robots-txt.ts';
import type { Budget } from '../../proofs/automata/budget.ts';
import type { Rules } from '../../proofs/automata/rule-automaton.ts';
import { GroupIndex } from '../../proofs/group-index.ts';
import type { Declaration } from '../declaration.ts';
import { readTokenClaims } from '../policy-tokens.ts';
import type { LicenseReference } from '../selected-statements.ts';
import { limitText } from '../statement.ts';
import { DeclarationIndex, type DeclaringLine, NO_GROUP } from './declaration-index.ts';
import { createDeclaredRules, createTokenRules, type DeclaredRules, NO_RULES } from './declared-rules.ts';

/** Units of work per byte of a file, and per declaration. */
const WORK_PER_BYTE = 1 / 10;
const WORK_PER_DECLARATION = 4;

/** The groups of a file that apply to a crawler. */
export interface CrawlerGroups {
  /** By the grouping of robots.txt. */
  readonly rules: readonly number[];
  /** By the grouping of declarations. */
  readonly declarations: readonly number[];
}

/** A file under comparison. */
export class FileSide {
  readonly index: GroupIndex;
  readonly declarations: DeclarationIndex;
  readonly #robots: RobotsTxt;
  readonly #budget: Budget;
  readonly #tokens: Map<string, DeclaredRules> = new Map();

  /** @throws {BudgetExceededError} if reading the file exceeds the budget. */
  constructor(robots: RobotsTxt, budget: Budget) {
    budget.spend(robots.bytes.length * WORK_PER_BYTE);
    this.#robots = robots;
    this.#budget = budget;
    this.index = new GroupIndex(robots, budget);
    this.declarations = new DeclarationIndex(robots);
  }

  /** Returns the groups that apply to a crawler. */
  findGroups(agentTokens: AgentTokens): CrawlerGroups {
    const rules = agentTokens.isExempt ? [] : this.index.agents.select(agentTokens).groups;
    return { rules, declarations: this.declarations.selectGroups(agentTokens) };
  }

  /** Returns the rules about crawling of some groups. */
  getRules({ rules }: CrawlerGroups): Rules {
    return this.index.getTable(rules, this.#budget);
  }

  /** Returns the declarations and License lines of some groups, in file order. */
  getLines({ declarations }: CrawlerGroups): readonly DeclaringLine[] {
    const lines = declarations.flatMap((group) => this.declarations.getLines(group));
    this.#budget.spend(declarations.length + lines.length);
    return lines;
  }

  /** Returns the rules of one format about a purpose. */
  getDeclared(groups: CrawlerGroups, format: Declaration['format'], purpose: string): DeclaredRules {
    const own = this.getLines(groups).filter((line) => 'claims' in line && line.format === format);
    if (own.length === 0) return NO_RULES;
    this.#budget.spend(own.length * WORK_PER_DECLARATION);
    return createDeclaredRules(own as readonly Declaration[], purpose, this.#robots.profile);
  }

  /** Returns the rules of a policy token, which are the same for all purposes of the token. */
  getToken(token: PolicyToken): DeclaredRules {
    const cached = this.#tokens.get(token.token);
    if (cached !== undefined) return cached;
    const { chosen, groups } = this.index.agents.select(getAgentTokens([token.token]));
    const ruleset = this.#robots.ruleset(createCrawler(token.token));
    const rules = createTokenRules(
      this.index.getTable(groups, this.#budget),
      // The bit of the token itself (agent-names.ts).
      chosen === 1,
      (path) => readTokenClaims(ruleset, token, `${getOrigin(this.#robots)}${path}`)[0]?.statement ?? null,
    );
    this.#tokens.set(token.token, rules);
    return rules;
  }

  /** Returns the licences that apply to a crawler: those of its groups, otherwise those that no group contains. */
  getLicenses(groups: CrawlerGroups): readonly LicenseReference[] {
    const own = this.getLines(groups).flatMap(toLicenses);
    return own.length > 0 ? own : this.declarations.getLines(NO_GROUP).flatMap(toLicenses);
  }
}

function toLicenses(line: DeclaringLine): LicenseReference[] {
  return 'url' in line ? [{ url: limitText(line.url), source: 'robots.txt', line: line.place.line }] : [];
}

/** Returns an origin in the scope of a file. */
function getOrigin({ scope }: RobotsTxt): string {
  return scope !== undefined && 'origin' in scope ? scope.origin : 'http://localhost';
}
