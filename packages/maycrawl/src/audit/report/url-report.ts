// The record of one URL and one crawler: the evidence. All fields are always present, in the same order.
import type {
  AppliedDirective,
  Discovery,
  Observation,
  PageEvidence,
  Reason,
} from '@maycrawl/core/indexability';
import { type IndexedLinks, readLinks } from '../findings/link-sources.ts';
import { EvidenceReader } from '../judge/evidence.ts';
import { RobotsLines } from '../judge/robots-lines.ts';
import { RunPolicies } from '../judge/run-policies.ts';
import { toDiscovery } from '../links/in-links.ts';
import { TargetStatuses } from '../links/target-statuses.ts';
import type { UrlRecord } from '../run/records/page.ts';
import type { StoredPreferences } from '../run/records/preferences.ts';
import type { UrlState } from '../run/records/url.ts';
import type { RunStore } from '../run/run-store.ts';
import { getSettings, judgedAt } from '../run/settings.ts';
import { type RenderingReport, RenderingReporter } from './urls/rendering-report.ts';
import { getResponseFacts, NO_RESPONSE, type ResponseFacts } from './urls/response-facts.ts';
import { type ReportedFinding, UrlFindings } from './urls/url-findings.ts';

/** A URL for one crawler (docs/audit.md). What the crawler cannot see is `null`; what is absent is an empty list or says so. */
export interface UrlReport extends ResponseFacts {
  readonly url: string;
  readonly agent: string;
  readonly state: UrlState;
  /** The reason of the state, for a crawl trap. */
  readonly stateReason: string | null;
  /** `null`: there is no verdict, see the state. */
  readonly indexable: boolean | null;
  readonly reason: Reason | null;
  readonly reasons: readonly Reason[];
  /** Reasons that the block hides from the crawler, if another crawler has seen them. */
  readonly maskedReasons: readonly Reason[];
  readonly crawl: {
    readonly allowed: boolean;
    readonly reason: string;
    /** Of the robots.txt, from 1; 0: none. */
    readonly line: number;
    /** That line. */
    readonly rule: string | null;
  } | null;
  readonly status: number | null;
  readonly redirects: readonly { readonly status: number; readonly to: string | null }[] | null;
  readonly noindex:
    | readonly { readonly from: string; readonly agent: string | null; readonly text: string }[]
    | null;
  readonly canonical: {
    readonly kind: string;
    readonly urls: readonly string[];
    readonly from: readonly string[];
    /** Statements without effect. */
    readonly ignored: readonly { readonly from: string; readonly href: string; readonly reason: string }[];
  } | null;
  /** What is wrong with it (docs/findings.md). */
  readonly findings: readonly ReportedFinding[];
  readonly sitemaps: readonly string[];
  readonly found: readonly { readonly by: string; readonly url: string | null }[];
  /** Pages that link to it. */
  readonly links: number;
  readonly depth: number | null;
  /** What its scripts change; `null` if it was not rendered. */
  readonly rendering: RenderingReport | null;
  /** What is declared about its use; `null` if nothing is, it has no content, or the crawler may not fetch it. */
  readonly preferences: StoredPreferences | null;
}

/** Links to a URL. */
interface LinksTo {
  readonly key: number;
  readonly links: number;
  readonly found: readonly Discovery[];
}

/** Ignored canonicals in a record: a hostile page can have a hundred thousand. */
const MAX_IGNORED = 100;

/** Number of cached URLs. */
const MAX_URLS = 2_000;

const NO_LINKS: LinksTo = { key: -1, links: 0, found: [] };

/** Creates the records of a run. */
export class UrlReporter {
  readonly agents: readonly string[];
  readonly #run: RunStore;
  readonly #reader: EvidenceReader;
  readonly #lines: RobotsLines;
  readonly #renderings: RenderingReporter;
  readonly #links: IndexedLinks | null;
  readonly #findings: UrlFindings;
  readonly #responses: TargetStatuses;
  /** URLs of pages by their keys. */
  readonly #urls: Map<number, string> = new Map();
  #last: LinksTo | undefined;

  /** @param mode - `with-links` first reads the links of all pages. */
  constructor(run: RunStore, mode: 'with-links' | 'without-links') {
    const settings = getSettings(run);
    const { agents, profile } = settings;
    const now = judgedAt(run) ?? Date.now();
    const policies = new RunPolicies(run, agents, profile);
    this.#run = run;
    this.agents = agents;
    this.#reader = new EvidenceReader(run, policies, now);
    this.#renderings = new RenderingReporter(run, policies, settings, now);
    this.#lines = new RobotsLines(run);
    this.#links = mode === 'with-links' ? readLinks(run) : null;
    this.#findings = new UrlFindings(run, this.#links);
    this.#responses = new TargetStatuses(run);
  }

  /**
   * All records, by URL and then by crawler.
   *
   * @param hasOutside - whether all URLs out of the scope of the audit have records, not only those with findings. They have no verdicts.
   */
  *all(hasOutside: boolean): Generator<UrlReport> {
    this.#run.rows.orderUrls();
    for (const url of this.#run.rows.recordsInOrder())
      if (hasOutside || url.state !== 'outside' || this.#findings.has(url.key))
        for (const agent of this.agents.keys()) yield this.report(url, agent);
  }

  /** The record of one URL and crawler. @param agent - its place among those of the run. */
  report(url: UrlRecord, agent: number): UrlReport {
    const { links, found } = this.#linksTo(url.key);
    const evidence = this.#reader.evidence(url, agent, found);
    const known = {
      url: url.url,
      agent: this.agents[agent] as string,
      state: url.state,
      stateReason: url.stateReason,
    };
    if (evidence.kind === 'unjudged')
      return {
        ...known,
        ...UNJUDGED,
        ...this.#findOrigins(url, found.map(toFound)),
        status: this.#responses.ofKey(url.key).status,
        findings: this.#findings.report(url.key, agent),
        links,
        depth: url.depth,
      };
    const { verdict, crawl, maskedReasons } = evidence;
    return {
      ...known,
      indexable: verdict.indexable,
      reason: verdict.indexable ? null : verdict.reason,
      reasons: verdict.indexable ? [] : verdict.reasons,
      maskedReasons,
      crawl: {
        allowed: crawl.kind === 'allowed',
        reason: crawl.reason,
        line: crawl.line,
        rule: this.#lines.line(url.url, crawl.line),
      },
      ...getSeenFacts(evidence),
      findings: this.#findings.report(url.key, agent),
      sitemaps: evidence.sitemaps,
      found: evidence.found.map(toFound),
      links,
      depth: evidence.depth,
      ...getResponseFacts(crawl.kind === 'allowed' ? evidence.page : null),
      rendering: crawl.kind === 'allowed' ? this.#renderings.report(url.key, url.url, agent) : null,
      preferences: this.#run.preferences.find(url.key, agent),
    };
  }

  /** The links to a URL, which are the same for all crawlers. */
  #linksTo(key: number): LinksTo {
    if (this.#links === null) return NO_LINKS;
    if (this.#last?.key === key) return this.#last;
    const { index, links } = this.#links;
    const number = index.find(key);
    const found: Discovery[] = [];
    for (const { from, types } of links.getSources(number)) {
      const url = this.#findUrl(index.getKey(from));
      if (url !== undefined) found.push(toDiscovery(types, url));
    }
    this.#last = { key, found, links: links.getCount(number) };
    return this.#last;
  }

  /** The same pages link to many URLs. */
  #findUrl(key: number): string | undefined {
    const known = this.#urls.get(key);
    if (known !== undefined) return known;
    const found = this.#run.url(key);
    if (this.#urls.size >= MAX_URLS) this.#urls.clear();
    if (found !== undefined) this.#urls.set(key, found.url);
    return found?.url;
  }

  /** How a URL without a verdict was found. */
  #findOrigins(
    { inSitemaps, isStart }: UrlRecord,
    found: UrlReport['found'],
  ): Pick<UrlReport, 'sitemaps' | 'found'> {
    const all = inSitemaps.length === 0 ? [] : this.#run.sitemaps.list();
    const sitemaps = all.filter(({ id }) => inSitemaps.includes(id)).map(({ url }) => url);
    const listed = sitemaps.map((url) => ({ by: 'sitemap', url }));
    const start = isStart ? [{ by: 'start', url: null }] : [];
    return { sitemaps, found: [...start, ...listed, ...found] };
  }
}

function toFound(found: Discovery): UrlReport['found'][number] {
  return { by: found.by, url: found.by === 'start' ? null : found.url };
}

const UNJUDGED = {
  indexable: null,
  reason: null,
  reasons: [],
  maskedReasons: [],
  crawl: null,
  status: null,
  redirects: null,
  noindex: null,
  canonical: null,
  findings: [],
  sitemaps: [],
  found: [],
  links: 0,
  depth: null,
  ...NO_RESPONSE,
  rendering: null,
  preferences: null,
} as const;

function getSeenFacts({
  status,
  redirects,
  noindex,
  canonical,
}: PageEvidence): Pick<UrlReport, 'status' | 'redirects' | 'noindex' | 'canonical'> {
  const decided = seen(canonical);
  const counted = decided?.statements.filter(({ ignored }) => ignored === null) ?? [];
  return {
    status: seen(status),
    redirects: seen(redirects)?.map(({ status: code, to }) => ({ status: code, to })) ?? null,
    noindex:
      uniqueDirectives(seen(noindex))?.map(({ statement: { from, agent, text } }) => ({
        from,
        agent,
        text,
      })) ?? null,
    canonical: decided && {
      kind: decided.kind,
      urls: [...new Set(counted.flatMap(({ url }) => url ?? []))],
      from: [...new Set(counted.map(({ from }) => from))],
      ignored: decided.statements
        .slice(0, MAX_IGNORED)
        .flatMap(({ from, href, ignored: reason }) => (reason === null ? [] : [{ from, href, reason }])),
    },
  };
}

/** A statement may repeat a directive a hundred thousand times, each time with its whole text: one is enough. */
function uniqueDirectives(applied: readonly AppliedDirective[] | null): readonly AppliedDirective[] | null {
  const known = new Map<AppliedDirective['statement'], Set<string>>();
  return (
    applied?.filter(({ statement, directive: { kind } }) => {
      const kinds = known.get(statement) ?? new Set();
      known.set(statement, kinds);
      return kinds.size < kinds.add(kind).size;
    }) ?? null
  );
}

function seen<T>(sight: Observation<T>): T | null {
  return sight.kind === 'seen' ? sight.value : null;
}
