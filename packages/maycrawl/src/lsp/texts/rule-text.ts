// What a rule matches, and what it decides for an example (sections 3.3 and 3.4 of docs/matching.md).
import { explainVerdict, type Group, type RobotsRecord, type RobotsTxt } from '@maycrawl/core';
import { formatCount } from '../../text/counts.ts';
import type { TextFormat } from './text-format.ts';

/** Describes a rule in paragraphs: what it matches, and the verdict about a URL that it matches. */
export function describeRule(
  robots: RobotsTxt,
  rule: RobotsRecord,
  group: Group | undefined,
  format: TextFormat,
): string[] {
  const { value, line } = rule;
  if (value === '') return ['The rule is empty: it matches no URL, and disallows nothing.'];
  if (!/^[/*]/.test(value)) return [`No URL matches: a pattern begins with ${format.code('/')}.`];
  const isWhole = value.endsWith('$');
  const pattern = isWhole ? value.slice(0, -1) : value;
  const stars = pattern.includes('*') ? `, where ${format.code('*')} stands for any characters` : '';
  const length = Buffer.byteLength(value);
  const matched = `Matches URLs whose path and query ${isWhole ? 'are' : 'begin with'} ${format.code(pattern)}${stars}.`;
  const priority = `Its priority is its length, ${formatCount(length, 'byte')}: the longest matching rule decides.`;
  return [`${matched} ${priority}`, ...describeExample(robots, pattern, line, group, format)];
}

/** Describes the verdict about the shortest URL that a pattern obviously matches, for the first crawler of its group. */
function describeExample(
  robots: RobotsTxt,
  pattern: string,
  line: number,
  group: Group | undefined,
  format: TextFormat,
): string[] {
  const token = group?.userAgents.map(({ productToken }) => productToken).find((each) => each !== '');
  if (token === undefined) return [];
  const path = pattern.replaceAll('*', '').replace(/^\/?/, '/');
  const ruleset = robots.ruleset(token === '*' ? '*' : { tokens: [token] });
  const verdict = ruleset.decide(`https://example.com${path}`);
  if (verdict.kind === 'out-of-scope') return [];
  const agent = token === '*' ? 'a crawler without a group of its own' : format.code(token);
  const decider = verdict.line === line ? 'This line decides' : 'Another line decides';
  return [
    `${decider}, for example, about ${format.code(verdict.path)} for ${agent}. ${format.text(explainVerdict(verdict))}`,
  ];
}
