// The groups of a file as the writer of preferences needs them: with the declarations of each list of agents, and by token.
import { addToList } from '../../bytes/add-to-list.ts';
import { hasEffectiveAllow, isTotalPattern } from '../../matching/total-patterns.ts';
import type { RobotsTxt } from '../../model/robots-txt.ts';
import { GroupCursor } from '../../syntax/group-cursor.ts';
import type { Rule, UserAgentRecord } from '../../syntax/record.ts';
import { type PreferenceLine, readPreferenceLines } from '../robots-txt/preference-lines.ts';
import { SourceLines } from './source-lines.ts';

/** A group by the grouping of robots.txt: only allow and disallow rules end a list of user-agent lines. */
export interface RuleGroup {
  readonly userAgents: readonly UserAgentRecord[];
  readonly rules: readonly Rule[];
  /** Whether a rule disallows every URL. Rules that allow URLs can be stronger. */
  readonly hasTotalDisallow: boolean;
  readonly hasAllow: boolean;
  /** Its lists of agents, if Content-Usage lines end lists, too. */
  readonly parts: readonly GroupPart[];
}

/** A list of user-agent lines that no Content-Usage line interrupts, and the declarations up to the next list. */
export interface GroupPart {
  readonly group: RuleGroup;
  readonly userAgents: readonly UserAgentRecord[];
  readonly lines: readonly PreferenceLine[];
  /** Line of its last user-agent line, after which lines can be added without a change of any group. */
  readonly end: number;
  readonly isManaged: boolean;
}

export class FileGroups {
  readonly source: SourceLines;
  readonly groups: readonly RuleGroup[];
  /** All declarations by line, also those before the first group. */
  readonly lines: ReadonlyMap<number, PreferenceLine>;
  /** The lists of agents that name a token, in file order. Tokens are in lower case; `*` stands for all other crawlers. */
  readonly parts: ReadonlyMap<string, readonly GroupPart[]>;

  constructor(robots: RobotsTxt) {
    this.source = new SourceLines(robots);
    this.lines = readPreferenceLines(robots);
    this.groups = robots.groups().map(({ userAgents, rules, others }) => {
      const parts: GroupPart[] = [];
      const hasAllow = hasEffectiveAllow(rules, robots.profile);
      const hasTotalDisallow = rules.some(({ kind, value }) => kind === 'disallow' && isTotalPattern(value));
      const group: RuleGroup = { userAgents, rules, hasTotalDisallow, hasAllow, parts };
      const declared = others.flatMap(({ line }) => this.lines.get(line) ?? []);
      for (const part of this.#split(group, declared)) parts.push(part);
      return group;
    });
    const parts = new Map<string, GroupPart[]>();
    for (const part of this.groups.flatMap((group) => group.parts))
      for (const token of getTokens(part.userAgents)) addToList(parts, token, part);
    this.parts = parts;
  }

  getGroups(token: string): readonly RuleGroup[] {
    return [...new Set(this.parts.get(token)?.map(({ group }) => group))];
  }

  /** Whether the crawlers that obey the groups for a token may fetch no URL, except robots.txt. */
  isDisallowed(token: string): boolean {
    const groups = this.getGroups(token);
    return (
      groups.some(({ hasTotalDisallow }) => hasTotalDisallow) && !groups.some(({ hasAllow }) => hasAllow)
    );
  }

  #split(group: RuleGroup, declared: readonly PreferenceLine[]): GroupPart[] {
    const parts: { userAgents: UserAgentRecord[]; lines: PreferenceLine[] }[] = [];
    const cursor = new GroupCursor();
    let next = 0;
    const addLines = (before: number): void => {
      for (; (declared[next]?.record.line ?? before) < before; next++) {
        const line = declared[next] as PreferenceLine;
        parts.at(-1)?.lines.push(line);
        if (line.format === 'content-usage') cursor.endList();
      }
    };
    for (const userAgent of group.userAgents) {
      addLines(userAgent.line);
      if (cursor.readAgent()) parts.push({ userAgents: [], lines: [] });
      parts.at(-1)?.userAgents.push(userAgent);
    }
    addLines(Number.POSITIVE_INFINITY);
    return parts.map(({ userAgents, lines }) => {
      const end = userAgents.at(-1)?.line as number;
      return { group, userAgents, lines, end, isManaged: this.source.getVendor(end) !== null };
    });
  }
}

/** Returns the tokens that user-agent lines name: the product token and the extended token of each. */
export function getTokens(userAgents: readonly UserAgentRecord[]): Set<string> {
  return new Set(
    userAgents
      .flatMap(({ productToken, extendedToken }) => [productToken, extendedToken])
      .filter((token) => token !== ''),
  );
}
