/**
 * Compiled rules: the table and the matcher of the groups that a crawler obeys in a file.
 *
 * @module
 */
import type { Preference } from '../crawler/crawler.ts';
import type { Matcher } from '../matching/engine.ts';
import { rankPatterns } from '../matching/ranked-patterns.ts';
import type { RuleTable } from '../matching/rule-table.ts';
import { collectRules } from '../syntax/collect.ts';
import type { Source } from './source.ts';

/** Compiled rules. Crawlers that obey the same groups can share them. */
export interface CompiledRules {
  /** The bit of the selected groups (collect.ts); 0 if no group applies. It depends on the crawler. */
  readonly chosen: number;
  readonly table: RuleTable;
  readonly matcher: Matcher;
}

/** Collects the rules of the groups that apply to a crawler, and compiles them. */
export function compileRules(source: Source, preference: Preference): CompiledRules {
  const { content, context } = source;
  const { engine, profile } = context;
  const lines = source.readRuleLines();
  const { chosen, rules } = collectRules(lines, preference);
  const text = typeof content === 'string' ? content : '';
  const table = engine.createTable(text, rankPatterns(text, lines.bytes, rules, profile));
  return { chosen, table, matcher: engine.createMatcher(table) };
}
