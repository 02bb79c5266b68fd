/**
 * What is odd about patterns, one by one and beside each other.
 *
 * @module
 */
import { percentEncode } from '../bytes/ascii.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import { RequestPaths } from '../proofs/automata/request-paths.ts';
import type { Rule } from '../syntax/record.ts';
import { type Finding, findingAt } from './finding.ts';

/** Finds it. */
export function lintPatterns(robots: RobotsTxt): Finding[] {
  const inRequests = new Set(new RequestPaths('').characters());
  const forGooglebot = new Set(robots.ruleset('Googlebot').rules.map(({ line }) => line));
  const findings: Finding[] = [];
  for (const { rules } of robots.groups()) {
    const seen = new Map<string, Rule>();
    for (const rule of rules) {
      findings.push(...lintPattern(rule, inRequests));
      const before = seen.get(rule.value);
      if (before !== undefined && before.kind !== rule.kind && rule.value !== '')
        findings.push(findingAt('allow-and-disallow-alike', rule, { line: before.line }));
      seen.set(rule.value, before ?? rule);
      if (rule.kind === 'disallow' && /\.(?:css|js)\b/i.test(rule.text) && forGooglebot.has(rule.line))
        findings.push(findingAt('style-or-script-blocked', rule));
    }
  }
  return findings.concat(lintRoot(robots));
}

function lintPattern(rule: Rule, inRequests: ReadonlySet<number>): Finding[] {
  const { text } = rule;
  const findings: Finding[] = [];
  const odd = findOddCharacter(text, inRequests);
  if (odd >= 0) {
    const data = { char: text.charAt(odd), escaped: percentEncode(text.charCodeAt(odd)) };
    findings.push(findingAt('character-never-in-url', rule, data, odd, 1));
  }
  const twice = /%25[0-9a-f]{2}/i.exec(text);
  if (twice !== null)
    findings.push(findingAt('escaped-twice', rule, { text: twice[0] }, twice.index, twice[0].length));
  const dollar = text.indexOf('$');
  if (dollar >= 0 && dollar < text.length - 1) findings.push(findingAt('dollar-inside', rule, {}, dollar, 1));
  const starStart = findStarsAtEnd(text);
  if (text.startsWith('/') && starStart < text.length)
    findings.push(findingAt('star-at-end', rule, {}, starStart));
  return findings;
}

/** Where the first ASCII character stands that no request has as it is; -1 if there is none. */
function findOddCharacter(text: string, inRequests: ReadonlySet<number>): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x7f && !inRequests.has(code)) return at;
  }
  return -1;
}

/** Where the stars at the end of a pattern begin; its length if there are none. */
function findStarsAtEnd(text: string): number {
  let start = text.length;
  while (start > 0 && text[start - 1] === '*') start--;
  return start;
}

/** Whether whoever is not named may fetch nothing at all. */
function lintRoot(robots: RobotsTxt): Finding[] {
  const rules = robots
    .groups()
    .flatMap(({ userAgents, rules: own }) => (userAgents.some(({ token }) => token === '*') ? own : []));
  const all = rules.find(({ kind, value }) => kind === 'disallow' && /^(?:\/|\/?\*)$/.test(value));
  if (all === undefined || rules.some(({ kind, value }) => kind === 'allow' && value !== '')) return [];
  return [findingAt('everything-blocked', all)];
}
