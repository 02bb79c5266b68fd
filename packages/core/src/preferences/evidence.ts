/**
 * The evidence for one crawler and one URL: all claims that apply under one reading or another.
 *
 * @module
 */

import type { CrawlerInput } from '../crawler/crawler.ts';
import { GOOGLE } from '../crawler/profile.ts';
import { getPreference } from '../crawler/resolve-agent.ts';
import { parseLinkHeader } from '../indexability/link-header.ts';
import { getHeaderValues } from '../indexability/page-facts.ts';
import { findOrigin, findTarget } from '../matching/target.ts';
import type { RobotsPolicy } from '../model/robots-policy.ts';
import type { RobotsTxt } from '../model/robots-txt.ts';
import { toComparedPath } from './compared-path.ts';
import { createClaims, type StatementPlace } from './declaration.ts';
import { getDeclaredLines } from './declared-lines.ts';
import { type NamedValue, type PageStatements, readPageStatements } from './page-statements.ts';
import { isGoverned, type PolicyToken } from './policy-tokens.ts';
import { type Reading, selectClaims, selectClosest, selectLicenses } from './readings.ts';
import { type RobotsDeclarations, readRobotsDeclarations } from './robots-declarations.ts';
import { parseRsl, type RslContent, selectContents, selectRslClaims } from './rsl.ts';
import { type Claim, limitText, type PreferenceStatement } from './statement.ts';
import { findTdmRule, parseTdmRep, type TdmRule } from './tdmrep.ts';

/** A document of Really Simple Licensing. */
export interface RslDocument {
  /** The URL by which License lines and Link headers refer to it; `null` if it applies without a reference. */
  readonly url: string | null;
  readonly text: string;
}

/** The sources of preferences. Sources that are missing declare nothing. */
export interface PreferenceSources {
  /** The policy of the origin, which can contain a robots.txt. @defaultValue the site has no robots.txt */
  readonly policy?: RobotsPolicy;
  /** The headers of the response, one pair per header line. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** The meta elements of the page that have a `name`, in order. */
  readonly metas?: readonly { readonly name: string; readonly content: string }[];
  /** The text of `/.well-known/tdmrep.json`. */
  readonly tdmrep?: string;
  readonly rsl?: readonly RslDocument[];
}

/** A licence that the sources refer to. */
export interface LicenseReference {
  /** As written. */
  readonly url: string;
  readonly source: 'robots.txt' | 'header';
  /** Line in the robots.txt; `null` for a header. */
  readonly line: number | null;
}

interface Document {
  readonly url: string | null;
  /** The content elements that match the URL, the longest pattern first. */
  readonly contents: readonly RslContent[];
}

const NO_DECLARATIONS: RobotsDeclarations = { byPattern: [], byPrefix: [], licenses: [] };

/** The evidence for one crawler and one URL. */
export class Evidence {
  readonly #robots: RobotsDeclarations;
  readonly #headerLicenses: readonly string[];
  readonly #page: PageStatements;
  readonly #documents: readonly Document[];
  readonly #others: readonly Claim[];

  constructor(
    sources: PreferenceSources,
    crawler: CrawlerInput,
    url: string,
    policyTokens: readonly PolicyToken[],
  ) {
    const preference = getPreference(crawler);
    const robots = sources.policy?.kind === 'rules' ? sources.policy.robots : undefined;
    const target = findTarget(url, robots?.scope, true);
    const path = 'path' in target ? toComparedPath(target.path, robots?.profile ?? GOOGLE) : null;
    this.#robots =
      path === null || robots === undefined
        ? NO_DECLARATIONS
        : readRobotsDeclarations(getDeclaredLines(robots), preference, path);
    this.#headerLicenses = readHeaderLicenses(sources);
    this.#page = readPageStatements(getNamedValues(sources), preference);
    this.#documents = (sources.rsl ?? []).flatMap(({ url: documentUrl, text }) => {
      const contents = path === null ? null : parseRsl(text);
      if (contents === null || path === null) return [];
      return [{ url: documentUrl, contents: selectContents(contents, findOrigin(url), path) }];
    });
    this.#others = [
      ...readTdmClaims(sources.tdmrep, 'path' in target ? target.path : null, this.#page),
      ...policyTokens
        .filter((token) => isGoverned(token, preference.tokenSets.flat()))
        .flatMap((token) => (robots === undefined ? [] : readTokenClaims(robots, token, url))),
      ...this.#page.claims,
    ];
  }

  /** Whether no source declares anything. */
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

  /** Returns the licences that apply under a reading. */
  selectLicenses(reading: Reading): LicenseReference[] {
    return [
      ...selectLicenses(this.#robots.licenses, reading).map(
        ({ url, line }): LicenseReference => ({ url: limitText(url), source: 'robots.txt', line }),
      ),
      ...this.#headerLicenses.map(
        (url): LicenseReference => ({ url: limitText(url), source: 'header', line: null }),
      ),
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
      .filter(({ url }) => url === null || urls.has(limitText(url)))
      .flatMap(({ url, contents }) => {
        const place = { source: 'rsl', name: url, text: '', line: null, column: null, agents: null } as const;
        return selectRslClaims(contents, purpose, reading.isExclusive, place);
      });
  }
}

function getNamedValues({ headers = [], metas = [] }: PreferenceSources): NamedValue[] {
  return [
    ...headers.map(([name, value]): NamedValue => ({ source: 'header', name, value })),
    ...metas.map(({ name, content }): NamedValue => ({ source: 'meta', name, value: content })),
  ];
}

/** A link with the type `license` can also be an ordinary licence. Without its media type, all of them are candidates. */
function readHeaderLicenses({ headers = [] }: PreferenceSources): string[] {
  return getHeaderValues({ headers }, 'link')
    .flatMap(parseLinkHeader)
    .flatMap(({ rel, target }) => (rel.includes('license') ? [target] : []));
}

/** The file counts until a header or a meta element sets the reservation. */
function readTdmClaims(text: string | undefined, path: string | null, { tdm }: PageStatements): Claim[] {
  const rules: readonly TdmRule[] = (text === undefined ? null : parseTdmRep(text)) ?? [];
  const rule = path === null ? undefined : findTdmRule(rules, path);
  const isReserved = tdm?.reservation.isReserved ?? rule?.isReserved ?? null;
  if (isReserved === null) return [];
  const place: StatementPlace = tdm?.place ?? {
    ...{ source: 'tdmrep.json', name: null, line: null, column: null, agents: null },
    text: `tdm-reservation: ${isReserved ? 1 : 0}`,
  };
  const location = tdm === null ? limitText(rule?.location ?? '') : null;
  return createClaims('tdmrep', 'tdm-reservation', isReserved ? 'disallowed' : 'allowed', place, location);
}

/** A rule for a policy token is a statement if it disallows, or if a group names the token. Allowing everybody says nothing of the token. */
function readTokenClaims(robots: RobotsTxt, token: PolicyToken, url: string): Claim[] {
  const verdict = robots.ruleset([token.token]).decide(url);
  if (verdict.kind === 'out-of-scope' || verdict.reason === 'robots-txt') return [];
  const isDisallowed = verdict.kind === 'disallowed';
  if (!isDisallowed && verdict.groupKind !== 'own') return [];
  const { rule } = verdict;
  return token.purposes.map((purpose): Claim => {
    const statement: PreferenceStatement = {
      format: 'policy-token',
      dialect: null,
      source: 'robots.txt',
      name: rule?.field ?? null,
      label: token.token,
      purpose,
      value: isDisallowed ? 'disallowed' : 'allowed',
      text: limitText(rule?.text ?? ''),
      line: rule?.line ?? null,
      column: rule?.valueColumn ?? null,
      agents: [verdict.groupKind === 'own' ? token.token : '*'],
      path: rule === null ? null : limitText(rule.text),
    };
    return { statement, distance: 0, isCurrent: true };
  });
}
