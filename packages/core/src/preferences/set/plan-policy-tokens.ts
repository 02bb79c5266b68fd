// Plans the groups for policy tokens: they disallow every URL to refuse the purposes of the token, and no URL to allow them.
import { toByteString } from '../../bytes/byte-string.ts';
import type { PolicyToken } from '../../crawler/policy-token.ts';
import { getAgentTokens } from '../../crawler/resolve-agent.ts';
import { isTotalPattern } from '../../matching/total-patterns.ts';
import type { Rule } from '../../syntax/record.ts';
import type { RawEdit } from './edit.ts';
import { type FileGroups, getTokens, type RuleGroup } from './file-groups.ts';
import type { PreferenceSetting, SettingValue } from './setting.ts';

/** A token, and what its rules are to say. */
interface Target {
  readonly token: PolicyToken;
  /** `null` if the settings for its purposes differ, so that its rules cannot state them. */
  readonly value: SettingValue | null;
  /** Whether there is a setting for each of its purposes. */
  readonly isComplete: boolean;
}

export interface TokenPlan {
  readonly edits: readonly RawEdit[];
  /** The tokens that need a group, by what it is to say. */
  readonly missing: Readonly<Record<SettingValue, readonly string[]>>;
  /** The tokens whose rules change, as the table spells them. */
  readonly changed: readonly string[];
  /** A token with a group, whose rules state the same about purposes with different settings. */
  readonly inseparable: { readonly token: PolicyToken; readonly line: number } | null;
}

/** Returns the tokens about whose purposes there are settings, and what their rules are to say. */
export function findTargets(
  tokens: readonly PolicyToken[],
  settings: readonly PreferenceSetting[],
): Target[] {
  return tokens.flatMap((token): Target[] => {
    const own = settings.filter(({ purpose }) => token.purposes.includes(purpose));
    const [first, second] = new Set(own.map(({ value }) => value));
    const isComplete = own.length === token.purposes.length;
    return first === undefined ? [] : [{ token, value: second === undefined ? first : null, isComplete }];
  });
}

/**
 * Plans the groups for policy tokens.
 *
 * @param formats - the formats that are written. A token of one of them without a group gets one, unless it would allow a purpose without a
 *   setting. Of the other tokens, only rules change that state the opposite.
 */
export function planPolicyTokens(
  file: FileGroups,
  targets: readonly Target[],
  formats: ReadonlySet<string>,
): TokenPlan {
  const edits: RawEdit[] = [];
  const missing: Record<SettingValue, string[]> = { allowed: [], disallowed: [] };
  const changed: string[] = [];
  let inseparable: TokenPlan['inseparable'] = null;
  for (const { token, value, isComplete } of targets) {
    const groups = file.getGroups(token.token.toLowerCase());
    if (value === null) {
      const [line] = groups.flatMap(({ rules, userAgents }) => rules[0]?.line ?? userAgents[0]?.line ?? []);
      if (line !== undefined) inseparable ??= { token, line };
      continue;
    }
    const needsGroup = formats.has(getTokenFormat(token)) && (isComplete || value === 'disallowed');
    if (isSatisfied(file, token, value, groups, needsGroup)) continue;
    changed.push(token.token);
    const alike = new Set(
      targets.filter((each) => each.value === value).map((each) => each.token.token.toLowerCase()),
    );
    const planner = new GroupPlanner(file, token, value, alike);
    for (const group of groups) planner.add(group);
    if (planner.finish()) missing[value].push(token.token);
    for (const edit of planner.edits) edits.push(edit);
  }
  return { edits: removeRepeated(edits), missing, changed, inseparable };
}

/** Returns the format that the groups for a token belong to. */
export function getTokenFormat({ announced }: PolicyToken): 'policy-token' | 'usage-token' {
  return announced === undefined ? 'policy-token' : 'usage-token';
}

/** Whether the rules already say what they are to say. */
function isSatisfied(
  file: FileGroups,
  { token, governs, obeysGlobal }: PolicyToken,
  value: SettingValue,
  groups: readonly RuleGroup[],
  needsGroup: boolean,
): boolean {
  if (groups.length > 0)
    return value === 'disallowed'
      ? file.isDisallowed(token.toLowerCase())
      : !groups.some(({ rules }) => rules.some((rule) => isOpposite(rule, value)));
  if (obeysGlobal === false) return !needsGroup;
  // Without a group of its own, a token is only restricted by the rules for `*`.
  if (value === 'disallowed') return !needsGroup || file.isDisallowed('*');
  const isRestricted = file.getGroups('*').some(({ rules }) => rules.some((rule) => isOpposite(rule, value)));
  const isNamed = governs === null || governs.some((each) => hasOwnGroup(file, each));
  return !needsGroup && !(isRestricted && isNamed);
}

/** Whether a group names a crawler, or a token whose group it obeys without one of its own. */
function hasOwnGroup({ parts }: FileGroups, crawler: string): boolean {
  return getAgentTokens(crawler)
    .tokenSets.flat()
    .some((token) => parts.has(token.toLowerCase()));
}

function isOpposite({ kind, value }: Rule, setting: SettingValue): boolean {
  return value !== '' && kind === (setting === 'allowed' ? 'disallow' : 'allow');
}

class GroupPlanner {
  readonly edits: RawEdit[] = [];
  readonly #file: FileGroups;
  readonly #token: PolicyToken;
  readonly #value: SettingValue;
  /** The tokens whose rules are to say the same. */
  readonly #alike: ReadonlySet<string>;
  #hasGroup = false;
  #hasTotalDisallow = false;
  /** A group only for such tokens. */
  #own: RuleGroup | undefined;

  constructor(file: FileGroups, token: PolicyToken, value: SettingValue, alike: ReadonlySet<string>) {
    this.#file = file;
    this.#token = token;
    this.#value = value;
    this.#alike = alike;
  }

  /** Changes opposite rules of a group, or removes the token from it if it has rules for other crawlers. */
  add(group: RuleGroup): void {
    const isOwn = [...getTokens(group.userAgents)].every((token) => this.#alike.has(token));
    const opposite = group.rules.filter((rule) => isOpposite(rule, this.#value));
    if (!isOwn && opposite.length > 0) {
      for (const { line, productToken, extendedToken } of group.userAgents)
        if ([productToken, extendedToken].includes(this.#token.token.toLowerCase())) this.#removeAgent(line);
      return;
    }
    this.#hasGroup = true;
    if (isOwn) this.#own ??= group;
    for (const { line } of opposite) this.#changeRule(line, null);
    this.#hasTotalDisallow ||= group.hasTotalDisallow || opposite.some(({ value }) => isTotalPattern(value));
  }

  /** Adds the rule that disallows every URL to a group of the token alone, after all groups. @returns whether the token needs a new group. */
  finish(): boolean {
    if (this.#value === 'allowed') return !this.#hasGroup;
    if (this.#hasTotalDisallow) return false;
    const own = this.#own;
    if (own === undefined) return true;
    const empty = own.rules.find(({ value }) => value === '');
    if (empty !== undefined) this.#changeRule(empty.line, '/');
    else {
      const line = own.userAgents.at(-1)?.line as number;
      this.#push(line, null, ['Disallow: /']);
    }
    return false;
  }

  /** Writes a rule with the other field. @param value - the new value; `null`: as written. */
  #changeRule(line: number, value: string | null): void {
    const { source } = this.#file;
    const { bytes, fieldStart, fieldEnd, valueStart, valueEnd } = source.scan(line);
    const field = this.#value === 'allowed' ? 'Allow' : 'Disallow';
    const between = toByteString(bytes, fieldEnd, valueStart);
    const hasSpace = /[\t ]$/.test(between);
    const added = source.replace(line, [
      { start: fieldStart, end: fieldEnd, text: field },
      ...(value === null ? [] : [{ start: valueStart, end: valueEnd, text: hasSpace ? value : ` ${value}` }]),
    ]);
    if (added !== null) this.#push(line, source.getText(line), [added]);
  }

  /** Removes a user-agent line. Its comment stays. */
  #removeAgent(line: number): void {
    const { bytes, commentStart, contentEnd } = this.#file.source.scan(line);
    const comment = toByteString(bytes, commentStart, contentEnd);
    this.#push(line, this.#file.source.getText(line), comment === '' ? [] : [comment]);
  }

  #push(line: number, removed: string | null, added: readonly string[]): void {
    const verb = this.#value === 'allowed' ? 'allow' : 'refuse';
    const message = `the rules for ${this.#token.token} ${verb} ${this.#token.purposes.join(' and ')}`;
    this.edits.push({
      line,
      removed,
      added,
      reason: 'policy-token',
      message,
      managedBy: this.#file.source.getVendor(line),
    });
  }
}

/** Removes edits that several tokens of one group need. */
function removeRepeated(edits: readonly RawEdit[]): RawEdit[] {
  const first = new Map<string, RawEdit>();
  for (const edit of edits) {
    const key = `${edit.line} ${edit.removed === null}`;
    if (!first.has(key)) first.set(key, edit);
  }
  return [...first.values()];
}

/** Whether the removal of user-agent lines leaves no agent for declarations, which would then reach the agents above. */
export function emptiesPart(file: FileGroups, edits: readonly RawEdit[]): boolean {
  const removed = new Set(edits.filter((edit) => edit.removed !== null).map(({ line }) => line));
  return file.groups.some(({ parts }) =>
    parts.some(({ userAgents }) => userAgents.every(({ line }) => removed.has(line))),
  );
}
