// Findings about the patterns of rules.
import { percentEncode } from '../bytes/ascii.ts';
import type { Profile } from '../crawler/profile.ts';
import { findTotalDisallow } from '../matching/total-patterns.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import { RequestPathAutomaton } from '../proofs/automata/request-path-automaton.ts';
import type { Group, Rule } from '../syntax/record.ts';
import { createFinding, type Finding } from './finding.ts';

export function lintPatterns(robots: RobotsTxt, groups: readonly Group[]): Finding[] {
  // Profiles that compare the decoded form encode these characters in patterns, too.
  const isEncoded = robots.profile.comparison === 'decoded';
  const requestCharacters = isEncoded ? undefined : new Set(new RequestPathAutomaton('').characters());
  const googlebotLines = new Set(robots.ruleset('Googlebot').rules.map(({ line }) => line));
  const findings: Finding[] = [];
  for (const { rules } of groups) {
    const seen = new Map<string, Rule>();
    for (const rule of rules) {
      findings.push(...lintPattern(rule, requestCharacters));
      const earlier = seen.get(rule.value);
      if (earlier !== undefined && earlier.kind !== rule.kind && rule.value !== '')
        findings.push(createFinding('conflicting-rules', rule, { line: earlier.line }));
      seen.set(rule.value, earlier ?? rule);
      if (rule.kind === 'disallow' && /\.(?:css|js)\b/i.test(rule.text) && googlebotLines.has(rule.line))
        findings.push(createFinding('style-or-script-blocked', rule));
    }
  }
  return findings.concat(lintGlobalGroups(groups, robots.profile));
}

/** @param requestCharacters - the characters that requests contain; `undefined` if patterns may contain others. */
function lintPattern(rule: Rule, requestCharacters: ReadonlySet<number> | undefined): Finding[] {
  const { text } = rule;
  const findings: Finding[] = [];
  const invalidIndex = requestCharacters === undefined ? -1 : findEncodedCharacter(text, requestCharacters);
  if (invalidIndex >= 0) {
    const data = { char: text.charAt(invalidIndex), escaped: percentEncode(text.charCodeAt(invalidIndex)) };
    findings.push(createFinding('unencoded-character', rule, data, invalidIndex, 1));
  }
  const doubleEncoding = /%25[0-9a-f]{2}/i.exec(text);
  if (doubleEncoding !== null)
    findings.push(
      createFinding(
        'double-encoding',
        rule,
        { text: doubleEncoding[0] },
        doubleEncoding.index,
        doubleEncoding[0].length,
      ),
    );
  const dollarIndex = text.indexOf('$');
  if (dollarIndex >= 0 && dollarIndex < text.length - 1)
    findings.push(createFinding('dollar-not-at-end', rule, {}, dollarIndex, 1));
  const starsStart = findTrailingStars(text);
  if (text.startsWith('/') && starsStart < text.length)
    findings.push(createFinding('trailing-star', rule, {}, starsStart));
  return findings;
}

/** Returns the index of the first ASCII character that is always percent-encoded in requests; -1 without such a place. */
function findEncodedCharacter(text: string, requestCharacters: ReadonlySet<number>): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x7f && !requestCharacters.has(code)) return at;
  }
  return -1;
}

/** Returns the index of the stars at the end of a pattern; its length if there are none. */
function findTrailingStars(text: string): number {
  let start = text.length;
  while (start > 0 && text[start - 1] === '*') start--;
  return start;
}

/** Reports a file that disallows every URL for crawlers without a group of their own. */
function lintGlobalGroups(groups: readonly Group[], profile: Profile): Finding[] {
  const rules = groups.flatMap(({ userAgents, rules: own }) =>
    userAgents.some(({ productToken: token }) => token === '*') ? own : [],
  );
  const all = findTotalDisallow(rules, profile);
  return all === undefined ? [] : [createFinding('everything-blocked', all)];
}
