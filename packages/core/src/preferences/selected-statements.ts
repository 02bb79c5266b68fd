// The statements for one crawler and one URL: all claims that apply under one reading or another.

import { freezeDeep } from '../bytes/freeze.ts';
import { GOOGLE } from '../crawler/profile.ts';
import { parseLinkHeader } from '../indexability/link-header.ts';
import { getHeaderValues } from '../indexability/page-facts.ts';
import { findOrigin, findTarget } from '../matching/target.ts';
import { type ComparedPath, toComparedPath } from './compared-path.ts';
import { createClaims, type StatementPlace } from './declaration.ts';
import type { RslContent } from './documents/parse-rsl.ts';
import { selectContents, selectRslClaims } from './documents/rsl-claims.ts';
import { findTdmRule, type TdmRule } from './documents/tdmrep.ts';
import { INLINE_NAME, readInlineRsl } from './page/inline-rsl.ts';
import { type PageStatements, readPageStatements } from './page/page-statements.ts';
import { readTokenClaims } from './policy-tokens.ts';
import { type Reading, selectClaims, selectClosest, selectLicenses } from './readings.ts';
import type { LicenseLine, MatchingDeclarations } from './robots-txt/robots-declarations.ts';
import type { SiteStatements } from './site-statements.ts';
import { OMITTED_STATEMENTS, type SourceProblem } from './source-problem.ts';
import type { PageSources } from './sources.ts';
import { type Claim, limitText } from './statement.ts';

/** Link elements that refer to RSL documents. */
const MAX_LICENSES = 1_000;

/** A licence that the sources refer to. */
export interface LicenseReference {
  /** As written. */
  readonly url: string;
  readonly source: 'robots.txt' | 'header' | 'html';
  /** Line in the robots.txt; `null` for a header or a link element. */
  readonly line: number | null;
}

interface Document {
  readonly place: StatementPlace;
  /** The content elements that match the URL, the longest pattern first. */
  readonly contents: readonly RslContent[];
}

const UNREAD_LICENSES: SourceProblem = /* @__PURE__ */ freezeDeep({
  ...{ source: 'html', name: null, line: null },
  reason: `more than ${MAX_LICENSES} link elements refer to licences: the others are not read`,
});

const NO_DECLARATIONS: MatchingDeclarations = { byPattern: [], byPrefix: [] };

export class SelectedStatements {
  readonly #robots: MatchingDeclarations;
  readonly #licenseLines: readonly LicenseLine[];
  readonly #pageLicenses: readonly LicenseReference[];
  readonly #page: PageStatements;
  readonly #documents: readonly Document[];
  readonly #others: readonly Claim[];
  /** Whether the page has statements that are not read: one of them can refuse what another source allows. */
  readonly hasUnreadStatements: boolean;
  /** Why sources were not read, or not wholly. */
  readonly problems: readonly SourceProblem[];
  /** The claims of licences. Each reading selects them again, and reports have each of them once. */
  readonly #licensed = new Map<string, Claim>();

  constructor(site: SiteStatements, sources: PageSources, url: string) {
    const { robots, declarations } = site;
    const target = findTarget(url, robots?.scope, true);
    const path = 'path' in target ? toComparedPath(target.path, robots?.profile ?? GOOGLE) : null;
    const isInScope = path !== null && declarations !== undefined;
    this.#robots = isInScope ? declarations.match(path) : NO_DECLARATIONS;
    this.#licenseLines = isInScope ? declarations.licenses : [];
    this.#pageLicenses = readPageLicenses(sources);
    this.#page = readPageStatements(sources, site.agentTokens);
    const inline = readInlineRsl(sources);
    this.#documents = path === null ? [] : selectDocuments(site, inline.contents, url, path);
    this.hasUnreadStatements = this.#page.problem !== null || sources.isTruncated === true;
    this.problems = [
      ...site.problems,
      ...inline.problems,
      ...(this.#page.problem === null ? [] : [this.#page.problem]),
      ...(sources.isTruncated === true ? [OMITTED_STATEMENTS] : []),
      ...((sources.licenses ?? []).length > MAX_LICENSES ? [UNREAD_LICENSES] : []),
    ];
    this.#others = [
      ...readTdmClaims(site.tdmRules, 'path' in target ? target.path : null, this.#page),
      ...site.tokens.flatMap(({ token, rules }) => readTokenClaims(rules, token, url)),
      ...this.#page.claims,
    ];
  }

  get isEmpty(): boolean {
    const { byPattern, byPrefix } = this.#robots;
    const found = [byPattern, byPrefix, this.#page.declarations, this.#documents, this.#others];
    return found.every(({ length }) => length === 0);
  }

  /** The purposes that labels are about. Those that only wider categories include are omitted. */
  get purposes(): ReadonlySet<string> {
    const claims = [
      ...[...this.#robots.byPattern, ...this.#robots.byPrefix].flatMap((each) => each.claims),
      ...this.#page.declarations.flatMap((each) => each.claims),
      ...this.#others,
    ];
    return new Set(claims.flatMap(({ statement, distance }) => (distance === 0 ? [statement.purpose] : [])));
  }

  /** Returns the claims about a purpose that count under a reading, in the order of the formats. */
  select(purpose: string, reading: Reading): Claim[] {
    return [
      ...this.#selectDeclared('content-usage', purpose, reading),
      ...this.#selectDeclared('content-signal', purpose, reading),
      ...this.#selectLicensed(purpose, reading),
      ...this.#others.filter(({ statement }) => statement.purpose === purpose),
    ];
  }

  selectLicenses(reading: Reading): LicenseReference[] {
    return [
      ...selectLicenses(this.#licenseLines, reading).map(
        ({ url, line }): LicenseReference => ({ url: limitText(url), source: 'robots.txt', line }),
      ),
      ...this.#pageLicenses,
    ];
  }

  #selectDeclared(format: 'content-usage' | 'content-signal', purpose: string, reading: Reading): Claim[] {
    const matching = reading.isPrefix ? this.#robots.byPrefix : this.#robots.byPattern;
    return [
      ...selectClaims(
        matching.filter((each) => each.format === format),
        purpose,
        reading,
      ),
      ...this.#page.declarations
        .filter((each) => each.format === format)
        .flatMap((each) => selectClosest(each, purpose, reading)),
    ];
  }

  #selectLicensed(purpose: string, reading: Reading): Claim[] {
    if (this.#documents.length === 0) return [];
    const urls = new Set(this.selectLicenses(reading).map(({ url }) => url));
    return this.#documents
      .filter(
        ({ place: { name, source } }) => name === null || source === 'html' || urls.has(limitText(name)),
      )
      .flatMap(({ place, contents }) => selectRslClaims(contents, purpose, reading.isExclusive, place))
      .map((claim) => this.#toSingle(claim));
  }

  #toSingle(claim: Claim): Claim {
    const key = JSON.stringify(claim);
    const single = this.#licensed.get(key) ?? claim;
    this.#licensed.set(key, single);
    return single;
  }
}

/** Selects the documents of the site, and those in the page, which need no reference. */
function selectDocuments(
  { documents }: SiteStatements,
  inline: readonly RslContent[],
  url: string,
  path: ComparedPath,
): Document[] {
  const place = { text: '', line: null, column: null, agents: null } as const;
  const origin = findOrigin(url);
  return [
    ...documents.map(
      (each): Document => ({
        place: { ...place, source: 'rsl', name: each.url },
        contents: selectContents(each.contents, origin, path),
      }),
    ),
    ...(inline.length === 0
      ? []
      : [
          {
            place: { ...place, source: 'html', name: INLINE_NAME } as const,
            contents: selectContents(inline, origin, path),
          },
        ]),
  ];
}

/** A link header with the type `license` can also be an ordinary licence. Without its media type, all of them are candidates. */
function readPageLicenses({ headers = [], licenses = [] }: PageSources): LicenseReference[] {
  const targets = getHeaderValues({ headers }, 'link')
    .flatMap(parseLinkHeader)
    .flatMap(({ rel, target }) => (rel.includes('license') ? [target] : []));
  const refer =
    (source: 'header' | 'html') =>
    (url: string): LicenseReference => ({ url: limitText(url), source, line: null });
  return [...targets.map(refer('header')), ...licenses.slice(0, MAX_LICENSES).map(refer('html'))];
}

/** The file counts until a header or a meta element sets the reservation. */
function readTdmClaims(rules: readonly TdmRule[], path: string | null, { tdm }: PageStatements): Claim[] {
  const rule = path === null ? undefined : findTdmRule(rules, path);
  const isReserved = tdm?.isReserved ?? rule?.isReserved ?? null;
  if (isReserved === null) return [];
  const place: StatementPlace = tdm?.place ?? {
    ...{ source: 'tdmrep.json', name: null, line: null, column: null, agents: null },
    text: `tdm-reservation: ${isReserved ? 1 : 0}`,
  };
  const location = tdm === null ? limitText(rule?.location ?? '') : null;
  return createClaims('tdmrep', 'tdm-reservation', isReserved ? 'disallowed' : 'allowed', place, location);
}
