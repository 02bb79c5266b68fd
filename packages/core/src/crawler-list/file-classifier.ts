// Classifies what each crawler of a list may fetch, for many files. A file is read once, and crawlers that obey the same groups share a class.
import { freezeDeep } from '../bytes/freeze.ts';
import type { AgentTokens, CrawlerInput } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { compileRules } from '../matching/matcher.ts';
import { AgentIndex } from '../model/agent-index.ts';
import { CrawlerRules, getGroupKind } from '../model/crawler-rules.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { Ruleset } from '../model/ruleset.ts';
import type { Source } from '../model/source.ts';
import type { GroupSelection } from '../model/verdict.ts';
import { type AccessClass, AccessClassifier } from '../proofs/access-class.ts';
import { Budget, type ProofOptions } from '../proofs/automata/budget.ts';
import type { CollectedRule } from '../syntax/collect.ts';
import { ALLOW } from '../syntax/fields.ts';
import { CrawlerList } from './crawler-list.ts';

/** What crawlers may fetch by a file. */
export interface FileAccess {
  /** One class for all crawlers that obey the same groups, in the order of the first of them. */
  readonly classes: readonly AccessClass[];
  /** For each crawler, the position of its class. */
  readonly classOfCrawler: readonly number[];
  /** For each crawler, why groups apply to it. A crawler that ignores robots.txt obeys none. */
  readonly groupKinds: readonly GroupSelection['kind'][];
}

/** The class of crawlers that obey no group. */
const UNRESTRICTED: AccessClass = /* @__PURE__ */ freezeDeep({
  kind: 'all',
  allowed: { path: '/', line: 0 },
  disallowed: null,
});
const NO_GROUPS: readonly number[] = [];

/** Classifies files of one profile for the same crawlers. */
export class FileClassifier {
  readonly #crawlers: CrawlerList;
  readonly #classifier: AccessClassifier;

  /**
   * @param listed - as for {@link AccessClassifier}.
   * @throws {TypeError} {RangeError} as {@link AccessClassifier} and `RobotsTxt.ruleset` do.
   */
  constructor(profile: Profile | string, crawlers: readonly CrawlerInput[], listed?: readonly string[]) {
    this.#crawlers = new CrawlerList(crawlers);
    this.#classifier = new AccessClassifier(profile, listed);
  }

  /**
   * Classifies a file. The class of each crawler equals `AccessClassifier.classify(robots.ruleset(crawler))`.
   *
   * @param options - limits of the proofs for all crawlers together.
   * @throws {RangeError} if the profile of the file differs.
   */
  classify(robots: RobotsTxt, options: ProofOptions = {}): FileAccess {
    const budget = Budget.from('FileClassifier', options, {});
    const file = new FileRules(robots);
    const lists: (readonly number[])[] = [];
    const rulesets: (Ruleset | undefined)[] = [];
    const classOfCrawler: number[] = [];
    const groupKinds: GroupSelection['kind'][] = [];
    this.#crawlers.selectGroups(file.agents, (agentTokens, selected, groups) => {
      const chosen = agentTokens.isExempt ? 0 : selected;
      const obeyed = chosen === 0 ? NO_GROUPS : groups;
      let place = findList(lists, obeyed);
      if (place < 0) {
        place = lists.push(obeyed) - 1;
        rulesets.push(chosen === 0 ? undefined : file.compile(agentTokens, chosen, obeyed));
      }
      classOfCrawler.push(place);
      groupKinds.push(getGroupKind(agentTokens, chosen));
    });
    // Decisions may read other files, so all rules were compiled before.
    const classes = rulesets.map((ruleset) =>
      ruleset === undefined ? UNRESTRICTED : this.#classifier.classify(ruleset, { budget }),
    );
    return { classes, classOfCrawler, groupKinds };
  }
}

class FileRules {
  readonly agents: AgentIndex;
  readonly #source: Source;
  readonly #text: string;
  readonly #rules: CollectedRule[][] = [];
  #bytes: Uint8Array = new Uint8Array();

  constructor(robots: RobotsTxt) {
    this.#source = getSource(robots);
    this.#text = this.#source.text ?? '';
    this.agents = new AgentIndex(robots, (lines, group) => {
      const { kind, line, valueStart, valueEnd } = lines;
      this.#bytes = lines.bytes;
      this.#rules[group] ??= [];
      this.#rules[group].push({ isAllow: kind === ALLOW, line, valueStart, valueEnd });
    });
  }

  /** Compiles the rules of some groups. No other file must have been read. */
  compile(agentTokens: AgentTokens, chosen: number, groups: readonly number[]): Ruleset {
    const [first = -1] = groups;
    const rules =
      groups.length === 1 ? (this.#rules[first] ?? []) : groups.flatMap((group) => this.#rules[group] ?? []);
    const matcher = compileRules(this.#text, this.#bytes, rules, this.#source.context.profile);
    return new Ruleset(new CrawlerRules(this.#source, agentTokens, chosen, matcher));
  }
}

/** Finds an equal list; -1 without one. Most equal lists are the same one. */
function findList(lists: readonly (readonly number[])[], wanted: readonly number[]): number {
  const same = lists.indexOf(wanted);
  if (same >= 0) return same;
  return lists.findIndex(
    (list) => list.length === wanted.length && list.every((group, place) => group === wanted[place]),
  );
}
