// Findings about text that a vendor inserts: Cloudflare's managed robots.txt, and similar blocks between comments
// (https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/).
import type { Profile } from '../../crawler/profile.ts';
import { findTotalDisallow, isTotalPattern } from '../../matching/total-patterns.ts';
import {
  type Comment,
  findManagedBlocks,
  type ManagedBlock,
} from '../../preferences/robots-txt/managed-blocks.ts';
import type { Group, Rule } from '../../syntax/record.ts';
import { createFinding, type Finding } from '../finding.ts';

/** Reports groups of the owner that a group of a managed block overrides. */
export function lintManagedBlocks(
  comments: readonly Comment[],
  groups: readonly Group[],
  profile: Profile,
): Finding[] {
  const blocks = findManagedBlocks(comments);
  if (blocks.length === 0) return [];
  const managed = new Map<string, { readonly block: ManagedBlock; readonly group: Group }>();
  const own: Group[] = [];
  let next = 0;
  for (const group of groups) {
    const line = group.userAgents[0]?.line ?? 0;
    while ((blocks[next]?.last ?? Number.POSITIVE_INFINITY) < line) next++;
    const block = blocks[next];
    if (block === undefined || line < block.first) own.push(group);
    else
      for (const { extendedToken } of group.userAgents)
        if (!managed.has(extendedToken)) managed.set(extendedToken, { block, group });
  }
  return own.flatMap(({ userAgents, rules }) => {
    const seen = new Set<Group>();
    const disallow = findTotalDisallow(rules, profile);
    return userAgents.flatMap((agent) => {
      const found = managed.get(agent.extendedToken);
      if (found === undefined || seen.has(found.group)) return [];
      seen.add(found.group);
      const effect = describeEffect(found.group, disallow, profile);
      if (effect === undefined) return [];
      const { vendor, first, last } = found.block;
      const data = { agent: agent.text, vendor, lines: `lines ${first}-${last}`, effect };
      return [createFinding('managed-block-conflict', agent, data)];
    });
  });
}

/** Describes what a group of a block changes for the crawlers of the owner's group; `undefined` if they agree. */
function describeEffect(managed: Group, disallow: Rule | undefined, profile: Profile): string | undefined {
  const total = findTotalDisallow(managed.rules, profile);
  // A rule of one character wins against no allow rule; a longer one does against short ones.
  if (total?.value.length === 1 && disallow === undefined)
    return `line ${total.line} disallows every URL except those that an Allow of your group matches`;
  const allow = managed.rules.find(({ kind, value }) => kind === 'allow' && isTotalPattern(value));
  if (allow !== undefined && disallow !== undefined && allow.value.length >= disallow.value.length)
    return `line ${allow.line} allows every URL, so "${disallow.field}: ${disallow.text}" on line ${disallow.line} has no effect`;
  return undefined;
}

/** Reports Cloudflare's text about content signals in a file without a declaration. */
export function lintLicenceComment(comments: readonly Comment[]): Finding[] {
  const [first] = comments.filter(({ text }) => /content[- ]signal|condition of accessing/i.test(text));
  const whole = comments.map(({ text }) => text.replace(/^#+/, '').trim()).join(' ');
  if (first === undefined || !/condition of accessing this website/i.test(whole)) return [];
  if (!/content[- ]signals?/i.test(whole)) return [];
  const { line, column: valueColumn, text } = first;
  return [createFinding('licence-comment-only', { line, valueColumn, text })];
}
