// Checks one page for several crawlers: whether they may fetch it, where its redirects lead, what it says about indexing, and which of
// its resources robots.txt blocks. It sends one request for each URL of the chain, and none for resources.
import { followRedirects, RequestError } from '@maycrawl/client/internal';
import {
  evaluatePage,
  isHtmlMediaType,
  type PageSubject,
  REASONS,
  resolveUrl,
} from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/internal';
import { getOrigin } from '@maycrawl/core/url';
import type { PageJson, PageReport } from '../../api/page-api.ts';
import { PAGE_LIMITS } from '../../html/read-page.ts';
import { OWN_AGENT } from '../crawl/robots-guard.ts';
import { type NamedCrawler, obeysGlobalGroups } from './common-crawlers.ts';
import { describeResult } from './describe-result.ts';
import { type JudgedForCrawler, type JudgedPage, MAX_URL } from './judge-page.ts';
import { countBlocked, groupResources } from './page-resources.ts';
import type { GroupedVerdict, PageTools } from './page-tools.ts';

/** Redirects that are followed, as many as Google's crawlers follow. */
const MAX_REDIRECTS = 10;

/** A URL of the chain, and what was read of its response. */
interface VisitedHop {
  hop: PageJson<'PageHop'>;
  judged: JudgedPage | null;
}

/**
 * Checks a page. It is requested only if one of the crawlers may fetch it that obey the groups for `*`, and robots.txt does not disallow it
 * for maycrawl by name.
 *
 * @param url - an http or https URL.
 * @throws {RangeError} for another URL.
 * @throws what the tools throw, except for requests without a response.
 */
export async function checkPage(
  url: string,
  crawlers: readonly NamedCrawler[],
  profile: string,
  tools: PageTools,
): Promise<PageReport> {
  const start = resolveUrl(url, url);
  if (start === null) throw new RangeError(`not an http or https URL: ${url}`);
  const now = tools.now();
  const visited = await new Visitor(crawlers, tools, now).visit(start);
  const hops = visited.map(({ hop }) => hop);
  const last = visited.at(-1)?.judged ?? null;
  const isPage = last !== null && last.location === null;
  const resources = isPage ? await groupResources(last.resources, crawlers, tools) : null;
  const agents = crawlers.map((crawler, index): PageJson<'CrawlerResult'> => {
    const end = findEnd(hops, index);
    const verdict = hops[end]?.verdicts[index] as PageJson<'Verdict'>;
    const judged = judgeFor(visited[end] as VisitedHop, index, crawler, now);
    const isEnd = end === hops.length - 1;
    const blocked = countBlocked(resources, crawler.name);
    const all = resources?.hosts.flatMap((host) => host.resources) ?? [];
    return {
      agent: crawler.name,
      result: getResult(hops[end] as PageJson<'PageHop'>, verdict, judged),
      hop: end,
      reasons: judged?.reasons ?? [],
      maskedReasons: judged?.maskedReasons ?? [],
      noindex: judged?.noindex ?? [],
      blockedResources: blocked,
      text: describeResult({
        agent: crawler.name,
        ...{ hops, hop: end, verdict, judged },
        page: isEnd ? (last?.page ?? null) : null,
        isWhole: last?.isWhole !== false,
        blocked: blocked.script + blocked.style,
        resources: all.filter(({ kind }) => kind !== 'image').length,
      }),
    };
  });
  return {
    ...{ url: start, profile, checkedAt: new Date(now).toISOString(), agents, hops },
    page: isPage ? last.page : null,
    resources,
  };
}

/** The index of the URL that the crawler may not fetch, or of the last one. */
function findEnd(hops: readonly PageJson<'PageHop'>[], agent: number): number {
  const stop = hops.findIndex(({ verdicts }) => verdicts[agent]?.allowed !== true);
  return stop < 0 ? hops.length - 1 : stop;
}

function judgeFor(
  { hop, judged }: VisitedHop,
  agent: number,
  { crawler }: NamedCrawler,
  now: number,
): JudgedForCrawler | null {
  if (judged !== null) return judged.crawlers[agent] ?? null;
  const crawl = toCrawl(hop.verdicts[agent] as PageJson<'Verdict'>);
  const outcome = hop.failure && ({ kind: 'failure', detail: hop.failure.message } as const);
  if (crawl.kind === 'allowed' && outcome === null) return null;
  const subject = { url: hop.url, sitemaps: [], found: [], depth: null, crawl, outcome } as PageSubject;
  const { verdict, maskedReasons } = evaluatePage(subject, crawler, now);
  return { reasons: verdict.indexable ? [] : verdict.reasons, maskedReasons, noindex: [] };
}

/** Without a verdict nothing is allowed. */
function toCrawl({ allowed, line, reason }: PageJson<'Verdict'>): PageSubject['crawl'] {
  return { kind: allowed === true ? 'allowed' : 'disallowed', line, reason } as PageSubject['crawl'];
}

function getResult(
  hop: PageJson<'PageHop'>,
  { allowed }: PageJson<'Verdict'>,
  judged: JudgedForCrawler | null,
): PageJson<'CrawlerResult'>['result'] {
  const isRequested = hop.status !== null || hop.failure !== null;
  if (allowed === null || (allowed && (!isRequested || judged === null))) return 'unknown';
  return REASONS.find((reason) => judged?.reasons.includes(reason)) ?? 'indexable';
}

/** Follows the redirects of a page. */
class Visitor {
  readonly #crawlers: readonly NamedCrawler[];
  readonly #tools: PageTools;
  readonly #now: number;
  readonly #visited: VisitedHop[] = [];

  constructor(crawlers: readonly NamedCrawler[], tools: PageTools, now: number) {
    this.#crawlers = crawlers;
    this.#tools = tools;
    this.#now = now;
  }

  async visit(start: string): Promise<readonly VisitedHop[]> {
    if (!(await this.#open(start))) return this.#visited;
    try {
      const { problem } = await followRedirects(start, {
        maxRedirects: MAX_REDIRECTS,
        request: () => this.#request(),
        release: async () => {},
        mayFollow: async (url) => url.length <= MAX_URL && (await this.#open(url)),
      });
      if (problem?.kind === 'loop') this.#change({ problem: 'loop' });
      if (problem?.kind === 'too-many') this.#change({ problem: 'too-many-redirects' });
      // Else the last URL is the one that was refused.
      if (problem?.kind === 'refused' && problem.url.length > MAX_URL)
        this.#change({ problem: 'url-too-long' });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#change({ failure: { code: error.code, message: error.message } });
    }
    return this.#visited;
  }

  /** Adds a URL with its verdicts. Returns whether it may be requested. */
  async #open(written: string): Promise<boolean> {
    const url = resolveUrl(written, written) ?? written;
    const own: NamedCrawler = { name: OWN_AGENT, crawler: [OWN_AGENT] };
    const [decided = []] = await this.#tools.decide([url], [...this.#crawlers, own]);
    const ownVerdict = decided.at(-1);
    const isAllowed = this.#crawlers.some(
      ({ crawler }, index) => obeysGlobalGroups(crawler) && decided[index]?.allowed === true,
    );
    const isRefused = ownVerdict?.group === 'own' && ownVerdict.allowed !== true;
    const refusal = decided.every(({ allowed }) => allowed === null) ? 'no-verdict' : 'disallowed';
    const problem = isRefused ? 'disallowed-for-maycrawl' : isAllowed ? null : refusal;
    const verdicts = this.#crawlers.map(({ name }, index): PageJson<'Verdict'> => {
      const { allowed, line, rule, reason, message } = decided[index] as GroupedVerdict;
      return { agent: name, allowed, line, rule, reason, message };
    });
    const response = {
      failure: null,
      status: null,
      type: null,
      location: null,
      bytes: null,
      milliseconds: null,
    };
    const hop = { url, robotsTxt: `${getOrigin(url)}/robots.txt`, verdicts, problem, ...response } as const;
    this.#visited.push({ hop, judged: null });
    return problem === null;
  }

  /** Requests the last URL. */
  async #request(): Promise<{ url: string; status: number; location: string | undefined }> {
    const last = this.#visited.at(-1) as VisitedHop;
    const { url, verdicts } = last.hop;
    const { status, headers, body, milliseconds } = await this.#tools.fetch(url);
    const crawlers = this.#crawlers.map((each, index) => ({
      ...each,
      crawl: toCrawl(verdicts[index] as PageJson<'Verdict'>),
    }));
    const judged = await this.#tools.judge({ url, status, headers, body, crawlers, now: this.#now });
    last.judged = judged;
    const { type, location } = judged;
    const isRead = isHtmlMediaType(type) && body.length <= PAGE_LIMITS.bytes;
    this.#change({
      ...{ status, type, milliseconds: Math.round(milliseconds) },
      location: location === null ? null : truncate(location, MAX_URL),
      bytes: isRead ? body.length : null,
    });
    return { url, status, location: location ?? undefined };
  }

  /** Changes the facts of the last URL. */
  #change(change: Partial<PageJson<'PageHop'>>): void {
    const last = this.#visited.at(-1) as VisitedHop;
    last.hop = { ...last.hop, ...change };
  }
}
