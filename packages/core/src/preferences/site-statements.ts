// The statements for one crawler that are the same for all URLs of a site: the declarations of its robots.txt, its tdmrep.json and its RSL
// documents. They are parsed once, also for many URLs.
import { freezeDeep } from '../bytes/freeze.ts';
import type { AgentTokens, CrawlerInput } from '../crawler/crawler.ts';
import type { PolicyToken } from '../crawler/policy-token.ts';
import { getAgentTokens } from '../crawler/resolve-agent.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import type { Ruleset } from '../model/ruleset.ts';
import { listRslProblems, parseRsl, type RslContent, type RslFile } from './documents/parse-rsl.ts';
import { parseTdmRep, type TdmRule } from './documents/tdmrep.ts';
import { isGoverned, toTokenCrawler } from './policy-tokens.ts';
import { getDeclaredLines } from './robots-txt/declared-lines.ts';
import { CrawlerDeclarations } from './robots-txt/robots-declarations.ts';
import type { SourceProblem } from './source-problem.ts';
import type { RslDocument, SiteSources } from './sources.ts';

export interface ParsedRsl {
  readonly url: string | null;
  readonly contents: readonly RslContent[];
}

/** A policy token that governs the crawler, and its rules. */
export interface GoverningToken {
  readonly token: PolicyToken;
  readonly rules: Ruleset;
}

const NO_ARRAY: SourceProblem = /* @__PURE__ */ freezeDeep({
  ...{ source: 'tdmrep.json', name: null, line: null },
  reason: 'it is not a JSON array, so it declares nothing',
});

/** Parsed documents by their objects, because callers read the same sources for many crawlers. */
const parsed: WeakMap<RslDocument, { readonly text: string; readonly file: RslFile | null }> =
  /* @__PURE__ */ new WeakMap();

function parseDocument(document: RslDocument): RslFile | null {
  const { text } = document;
  const known = parsed.get(document);
  if (known?.text === text) return known.file;
  const file = parseRsl(text);
  parsed.set(document, { text, file });
  return file;
}

export class SiteStatements {
  readonly agentTokens: AgentTokens;
  readonly robots: RobotsTxt | undefined;
  /** `undefined` without a robots.txt. */
  readonly declarations: CrawlerDeclarations | undefined;
  readonly documents: readonly ParsedRsl[];
  readonly tdmRules: readonly TdmRule[];
  readonly tokens: readonly GoverningToken[];
  /** Why sources were not read, or not wholly. */
  readonly problems: readonly SourceProblem[];
  readonly #crawler: CrawlerInput;

  constructor(
    { policy, tdmrep, rsl = [] }: SiteSources,
    crawler: CrawlerInput,
    policyTokens: readonly PolicyToken[],
  ) {
    this.#crawler = crawler;
    this.agentTokens = getAgentTokens(crawler);
    const robots = policy?.kind === 'rules' ? policy.robots : undefined;
    this.robots = robots;
    this.declarations = robots && new CrawlerDeclarations(getDeclaredLines(robots), this.agentTokens);
    const files = rsl.map((document) => ({ url: document.url, file: parseDocument(document) }));
    this.documents = files.flatMap(({ url, file }) =>
      file === null ? [] : [{ url, contents: file.contents }],
    );
    const tdmRules = tdmrep === undefined ? [] : parseTdmRep(tdmrep);
    this.tdmRules = tdmRules ?? [];
    this.problems = [
      ...files.flatMap(({ url, file }) => listRslProblems(file, 'rsl', url)),
      ...(tdmRules === null ? [NO_ARRAY] : []),
    ];
    const tokens = this.agentTokens.tokenSets.flat();
    this.tokens =
      robots === undefined
        ? []
        : policyTokens
            .filter((token) => isGoverned(token, tokens))
            .map((token) => ({ token, rules: robots.ruleset(toTokenCrawler(token)) }));
  }

  /** Whether these sources say nothing about any URL that the crawler may fetch. */
  get isSilent(): boolean {
    const { declarations, documents, tdmRules } = this;
    if (declarations?.isEmpty === false || documents.length > 0 || tdmRules.length > 0) return false;
    return this.#areTokensSilent;
  }

  /** Whether these sources say the same about all URLs that the crawler may fetch. */
  get isUniform(): boolean {
    const { declarations, documents, tdmRules } = this;
    if (declarations?.arePathless === false || documents.length > 0 || tdmRules.length > 0) return false;
    return this.#areTokensSilent;
  }

  /** Whether policy tokens say nothing about any URL that the crawler may fetch. */
  get #areTokensSilent(): boolean {
    // A token to which no group applies says nothing.
    const tokens = this.tokens.filter(({ rules }) => rules.groupKind !== 'none');
    if (this.robots === undefined || tokens.length === 0) return true;
    // If neither has groups of its own, the rules for a token are those for the crawler.
    const { groupKind } = this.robots.ruleset(this.#crawler);
    return groupKind === 'global' && tokens.every(({ rules }) => rules.groupKind === groupKind);
  }
}
