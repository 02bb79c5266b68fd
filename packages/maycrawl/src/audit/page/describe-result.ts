// The answer to "may this crawler fetch and index this page?" in sentences. Each follows from the evidence, and names what is unknown.
import { isOwnRefusal } from '@maycrawl/client/policy';
import { isHtmlMediaType, type Reason } from '@maycrawl/core/indexability';
import { truncate } from '@maycrawl/core/internal';
import { POLICY_TOKENS } from '@maycrawl/core/preferences';
import type { PageJson } from '../../api/page-api.ts';
import { formatCount } from '../../text/counts.ts';
import { REASON_TEXTS } from '../../text/reasons.ts';
import { describeRobotsStatement, describeStatus, REQUEST_FAILURES } from '../../text/responses.ts';
import { getPurposes } from '../run/indexing-crawlers.ts';
import type { JudgedForCrawler } from './judge-page.ts';

/** Characters of a URL or a rule in a sentence. */
const MAX_QUOTED = 200;

/** The facts of a page for one crawler. */
export interface PageSubject {
  readonly agent: string;
  readonly hops: readonly PageJson<'PageHop'>[];
  /** The index of the URL at which the redirects end for the crawler, and its verdict. */
  readonly hop: number;
  readonly verdict: PageJson<'Verdict'>;
  /** `null`: there is no response. */
  readonly judged: JudgedForCrawler | null;
  /** `null`: the response is not that of the last URL. */
  readonly page: PageJson<'Page'> | null;
  /** Whether all of the page was read. */
  readonly isWhole: boolean;
  /** Blocked scripts and style sheets, and the number of all. */
  readonly blocked: number;
  readonly resources: number;
}

export function describeResult(evidence: PageSubject): string {
  const { agent, verdict } = evidence;
  const { problem, failure } = getHop(evidence);
  if (POLICY_TOKENS.some(({ token }) => token === agent)) return describePolicyToken(evidence);
  if (verdict.allowed === null)
    return `${way(evidence)}Whether ${agent} may fetch ${subject(evidence)} is unknown: ${describeNoVerdict(evidence)}.`;
  if (!verdict.allowed) return `${way(evidence)}${describeBlock(evidence)}${describeHidden(evidence)}`;
  const allowed = `${way(evidence)}${agent} may fetch ${subject(evidence)}`;
  if (problem === 'disallowed' || problem === 'disallowed-for-maycrawl')
    return `${allowed}, but ${describeRefusal(problem)}. Whether it can be indexed is unknown.`;
  if (failure !== null)
    return `${allowed}, but ${describeFailure(failure)}. Whether it can be indexed is unknown.`;
  const [reason] = evidence.judged?.reasons ?? [];
  if (reason === undefined)
    return isSearchCrawler(agent) && isHtml(getHop(evidence))
      ? `${way(evidence)}${agent} may fetch and index ${subject(evidence)}.${describeDoubts(evidence)}`
      : `${allowed}, and nothing forbids indexing it.${describeDoubts(evidence)}`;
  return `${allowed}, but ${describeReason(evidence, reason)}.`;
}

function getHop({ hops, hop }: PageSubject): PageJson<'PageHop'> {
  return hops[hop] as PageJson<'PageHop'>;
}

/** "The URL redirects to X. " */
function way({ hops, hop }: PageSubject): string {
  if (hop === 0) return '';
  const steps = hop === 1 ? 'redirects' : `redirects in ${hop} steps`;
  return `This URL ${steps} to ${quote(hops[hop]?.url ?? '')}. `;
}

function subject(evidence: PageSubject): string {
  const hop = getHop(evidence);
  const noun = isHtml(hop) ? 'page' : `file (${quote(hop.type ?? '')})`;
  return `${evidence.hop === 0 ? 'this' : 'that'} ${noun}`;
}

/** Files of other types can be indexed too, but not all of them. */
function isHtml({ type }: PageJson<'PageHop'>): boolean {
  return isHtmlMediaType(type);
}

function describeNoVerdict(evidence: PageSubject): string {
  const { reason, message } = evidence.verdict;
  const text = message === null ? reason : quote(message);
  if (!isOwnRefusal(reason)) return text;
  const detail = text.replace(`${reason}: `, '');
  return `maycrawl did not request ${quote(getHop(evidence).robotsTxt)}, because ${REQUEST_FAILURES[reason]} (${detail})`;
}

function describePolicyToken({ agent, verdict, hops }: PageSubject): string {
  const { robotsTxt } = hops[0] as PageJson<'PageHop'>;
  const cause =
    verdict.line > 0 ? `Line ${verdict.line} of ${quote(robotsTxt)}` : `The file ${quote(robotsTxt)}`;
  if (verdict.allowed === null) return `${agent} sends no requests, and there is no verdict about this page.`;
  const what = verdict.allowed ? 'does not restrict' : 'forbids';
  return `${agent} sends no requests. ${cause} ${what} the use of this page for which its operator has the token.`;
}

function describeBlock(evidence: PageSubject): string {
  const { agent, verdict } = evidence;
  const { robotsTxt } = getHop(evidence);
  const begin = `${agent} may not fetch ${subject(evidence)}`;
  if (verdict.line > 0)
    return `${begin}: line ${verdict.line} of ${quote(robotsTxt)} (Disallow: ${quote(verdict.rule ?? '')}) disallows it.`;
  if (verdict.reason === 'unreachable') {
    const why = verdict.message === null ? '' : ` (${quote(verdict.message)})`;
    return `${begin}: ${quote(robotsTxt)} cannot be fetched${why}, so everything is disallowed until it responds with status 200, or 404 if the site has no rules.`;
  }
  return `${begin} (${verdict.reason}).`;
}

/** What the crawler cannot see because it may not fetch the page. */
function describeHidden({ agent, judged }: PageSubject): string {
  const hidden = judged?.maskedReasons ?? [];
  const unseen = hidden.flatMap((reason) => REASON_TEXTS[reason].hidden ?? []);
  const blind =
    unseen.length === 0 ? '' : ` It cannot see ${unseen.join(', and ')}, because it may not fetch the page.`;
  // Others do not show URLs to people who search.
  if (!isSearchCrawler(agent)) return blind;
  const advice = hidden.includes('noindex')
    ? 'the noindex has no effect before robots.txt allows the URL'
    : 'to prevent that, allow the URL and send noindex';
  return `${blind} The URL can still be indexed without its content, if pages link to it: ${advice}.`;
}

function describeRefusal(problem: 'disallowed' | 'disallowed-for-maycrawl'): string {
  return problem === 'disallowed'
    ? 'no crawler that obeys the groups for all crawlers may, so maycrawl did not request it'
    : 'robots.txt disallows it for maycrawl by name, so maycrawl did not request it';
}

function describeFailure({ code, message }: NonNullable<PageJson<'PageHop'>['failure']>): string {
  return isOwnRefusal(code)
    ? `maycrawl did not request it, because ${REQUEST_FAILURES[code]} (${quote(message)})`
    : `maycrawl received no usable response (${quote(message)})`;
}

function describeReason(evidence: PageSubject, reason: Reason): string {
  const { agent, judged, page } = evidence;
  const { status, problem, location } = getHop(evidence);
  switch (reason) {
    case 'redirect':
      if (problem === 'loop')
        return `it redirects to ${quote(location ?? '')} again, without an end: ${agent} never reaches a page`;
      if (problem === 'url-too-long')
        return `it redirects to a URL that is too long to be requested: ${quote(location ?? '')}`;
      if (location === null && page !== null && page.refresh !== null)
        return `it refreshes to ${quote(page.refresh)} after 0 seconds, which Google treats as a permanent redirect`;
      return `it redirects again, to ${quote(location ?? '')} after ten redirects, and Google follows no more`;
    case 'noindex': {
      const statements = (judged?.noindex ?? [])
        .slice(0, 3)
        .map(
          (each) =>
            describeRobotsStatement(each.from, each.agent, quote(each.text)) +
            (each.isDatePassed ? ', a date that has passed' : ''),
        );
      return `may not index it: ${statements.join(', and ')}`;
    }
    case 'canonicalised':
      return `${describeSource(page)} names another URL as its canonical, which should be indexed instead: ${quote(page?.canonical.urls[0] ?? '')}`;
    default: {
      const isSuccess = status !== null && status >= 200 && status < 300;
      return `it ${describeStatus(status ?? 0)}${isSuccess ? ', and only 200 is indexed' : ', so it cannot be indexed'}${describeOthers(evidence)}`;
    }
  }
}

/** Where the canonical stands. */
function describeSource(page: PageJson<'Page'> | null): string {
  const statement = page?.canonical.statements.find(({ ignored }) => ignored === null);
  return statement?.from === 'header' ? 'the header Link' : 'a link element';
}

/** Statuses with which firewalls refuse clients that they do not know. */
const REFUSALS: ReadonlySet<number | null> = new Set([401, 403, 429, 503]);

function describeOthers(evidence: PageSubject): string {
  if (!REFUSALS.has(getHop(evidence).status)) return '';
  return `. This is the response to maycrawl; the site may respond differently to ${evidence.agent}`;
}

/** What can be wrong with a page that may be indexed. */
function describeDoubts(evidence: PageSubject): string {
  const { agent, page, blocked, resources, isWhole } = evidence;
  const { url, bytes } = getHop(evidence);
  const parts: string[] = [];
  if (bytes === 0) parts.push('But it is empty: Google treats an empty page as one that was not found.');
  if (page !== null && page.refresh !== null && page.refresh !== url) {
    const after = formatCount(page.refreshAfter ?? 0, 'second');
    parts.push(
      `But it refreshes to ${quote(page.refresh)} after ${after}: Google treats this as a temporary redirect.`,
    );
  }
  const ignored = page?.canonical.statements.find((each) => each.ignored !== null);
  if (page?.canonical.kind === 'conflict')
    parts.push(
      `It names ${page.canonical.urls.length} different canonicals, so search engines ignore all of them.`,
    );
  else if (page?.canonical.kind === 'absent' && ignored !== undefined)
    parts.push(`Its canonical is ignored (${ignored.ignored}), so search engines select one themselves.`);
  if (blocked > 0)
    parts.push(
      resources === 1
        ? `But because of robots.txt, ${agent} may not load its only script or style sheet: if it renders the page, then without it.`
        : `But because of robots.txt, ${agent} may not load ${formatCount(blocked)} of its ${formatCount(resources)} scripts and style sheets: if it renders the page, then without them.`,
    );
  if (!isWhole) parts.push('The page is long, and a part of it was not read.');
  return parts.map((part) => ` ${part}`).join('');
}

/** Whether the catalogue says that a crawler indexes pages for people who search. */
function isSearchCrawler(agent: string): boolean {
  return getPurposes(agent).includes('search');
}

function quote(text: string): string {
  return truncate(text, MAX_QUOTED);
}
