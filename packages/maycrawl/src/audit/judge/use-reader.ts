// The preferences of the URLs of a run for its crawlers, by everything that the run has of their sites and pages.
import {
  findPageProblems,
  type PageProblem,
  type PageSources,
  PreferenceReader,
  type PreferenceReport,
} from '@maycrawl/core/preferences';
import { getOrigin } from '@maycrawl/core/url';
import { unpackDeclarations } from '../run/records/preferences.ts';
import { TDMREP_FILES } from '../run/records/site-facts.ts';
import type { RunStore } from '../run/run-store.ts';
import type { UseRow } from '../run/tables/preference-tables.ts';
import type { RunPolicies } from './run-policies.ts';

/** Number of cached sites, and of cached declarations of pages. */
const [MAX_SITES, MAX_DECLARATIONS] = [1_000, 1_000] as const;

export interface Declaration {
  readonly sources: PageSources;
  /** Headers and meta elements that cannot be parsed. */
  readonly problems: readonly PageProblem[];
}

/** Reads preferences. */
export class UseReader {
  readonly #run: RunStore;
  readonly #policies: RunPolicies;
  readonly #agents: number;
  /** The readers of each site, by crawler. */
  readonly #sites: Map<string, readonly SiteReader[]> = new Map();
  readonly #declarations: Map<number, Declaration> = new Map();

  /** @param agents - number of crawlers. */
  constructor(run: RunStore, policies: RunPolicies, agents: number) {
    this.#run = run;
    this.#policies = policies;
    this.#agents = agents;
  }

  /** Returns whether a site or a page of the run declares something. */
  hasDeclarations(): boolean {
    if (this.#run.preferences.hasDeclarations) return true;
    for (const origin of this.#run.rows.originsOfRobots())
      if (this.#getSite(origin).some(({ isSilent }) => !isSilent)) return true;
    return false;
  }

  /** Returns what a page declares. @param id - of the declaration. */
  getDeclaration(id: number): Declaration {
    const known = this.#declarations.get(id);
    if (known !== undefined) return known;
    const sources = unpackDeclarations(this.#run.preferences.readDeclaration(id));
    const declaration = { sources, problems: findPageProblems(sources) };
    if (this.#declarations.size >= MAX_DECLARATIONS) this.#declarations.clear();
    this.#declarations.set(id, declaration);
    return declaration;
  }

  /**
   * Reads the preferences of a URL for a crawler.
   *
   * @param declaration - of the page; `null` if it declares nothing.
   * @returns `null` if nothing is declared.
   */
  read(
    { url, agent, allowed }: Pick<UseRow, 'url' | 'agent' | 'allowed'>,
    declaration: Declaration | null,
  ): PreferenceReport | null {
    const site = this.#getSite(getOrigin(url))[agent];
    if (site === undefined || (site.isSilent && declaration === null)) return null;
    const { reader, uniform } = site;
    // Documents in the page contain patterns of URLs.
    if (uniform === null || allowed === 0 || declaration?.sources.inlineRsl !== undefined)
      return reader.read(url, declaration?.sources);
    const known = uniform.get(declaration);
    if (known !== undefined) return known;
    const report = reader.read(url, declaration?.sources);
    if (uniform.size >= MAX_DECLARATIONS) uniform.clear();
    uniform.set(declaration, report);
    return report;
  }

  #getSite(origin: string): readonly SiteReader[] {
    const known = this.#sites.get(origin);
    if (known !== undefined) return known;
    const site = this.#createSite(origin);
    if (this.#sites.size >= MAX_SITES) this.#sites.clear();
    this.#sites.set(origin, site);
    return site;
  }

  #createSite(origin: string): SiteReader[] {
    const policy = this.#policies.getPolicy(`${origin}/`);
    if (policy === undefined) return [];
    const file = TDMREP_FILES.get(this.#run, origin);
    const sources = { policy, ...(typeof file?.text === 'string' && { tdmrep: file.text }) };
    return Array.from({ length: this.#agents }, (_, agent) => {
      const reader = new PreferenceReader(sources, this.#policies.crawler(agent));
      return { reader, isSilent: reader.isSilent, uniform: reader.isUniform ? new Map() : null };
    });
  }
}

interface SiteReader {
  readonly reader: PreferenceReader;
  readonly isSilent: boolean;
  /** If the site declares the same about all URLs: reports about URLs that the crawler may fetch, by declarations of pages. */
  readonly uniform: Map<Declaration | null, PreferenceReport> | null;
}
