// What the evidence about a URL means for a crawler, in sentences. Each follows from that evidence alone.
import { isOwnRefusal } from '@maycrawl/client/policy';
import {
  describeRobotsStatement,
  describeStatus,
  type FindingCode,
  REQUEST_FAILURES,
  type Target,
} from 'maycrawl/api';
import { capitalize, formatCount } from '../shared/text.ts';
import { visible } from '../shared/visible.ts';
import type { UrlFinding } from './data/findings.ts';
import { getOutcome } from './data/outcome.ts';
import type { ReportData } from './data/report-data.ts';
import { formatDetail, OUTCOME_TEXTS } from './text.ts';

/** Characters of a URL in a sentence. */
const MAX_URL = 200;

/** The evidence about a URL for a crawler. */
interface Subject {
  readonly data: ReportData;
  readonly index: number;
  readonly agent: number;
  readonly findings: readonly UrlFinding[];
}

/** Describes what a crawler makes of a URL, and why. */
export function describeUrl(data: ReportData, index: number, agent: number): string {
  const subject: Subject = { data, index, agent, findings: data.findings.ofUrl(index, agent) };
  const status = data.statuses[index] as number;
  switch (getOutcome(data.getVerdict(index, agent))) {
    case 'unjudged':
      return describeUnjudged(subject);
    case 'blocked':
      return describeBlock(subject);
    case 'unreachable':
      return describeFailure(data.get(index, 'note'));
    case 'error':
    case 'not-found':
      return describeErrorPage(subject);
    case 'redirect':
      return describeRedirect(subject);
    case 'noindex':
      return describeNoindex(subject);
    case 'canonicalised':
      return describeOtherCanonical(subject);
    case 'indexable':
      return `Can be indexed: ${getAgent(subject)} may fetch it, its status is ${status}, and nothing forbids indexing. ${describeOwnCanonical(subject)}${describeDoubt(subject)}`;
  }
}

/** The URLs that a URL redirects to, in their order. */
export function getRedirectSteps(data: ReportData, index: number, agent: number): readonly Target[] {
  const found = data.findings.ofUrl(index, agent).find(({ code }) => code.startsWith('redirect-'));
  if (found !== undefined && found.targets.length > 0) return found.targets;
  const to = data.get(index, 'redirect');
  return to === null ? [] : [to];
}

function getAgent({ data, agent }: Subject): string {
  return visible(data.head.agents[agent]?.agent ?? 'the crawler', 60);
}

function showTarget({ data }: Subject, target: Target): string {
  return visible(data.getUrl(target), MAX_URL);
}

/** Finds the finding of the first kind that applies. */
function findOne({ findings }: Subject, ...codes: readonly FindingCode[]): UrlFinding | undefined {
  return findings.find(({ code }) => codes.includes(code));
}

function describeUnjudged({ data, index }: Subject): string {
  const note = data.get(index, 'note');
  const status = data.statuses[index] as number;
  switch (data.getState(index)) {
    case 'outside': {
      const isFetched = (data.milliseconds[index] as number) >= 0;
      const fetched = isFetched
        ? `and was fetched only because a redirect or canonical leads to it: it ${status < 0 ? 'does not respond' : describeStatus(status)}`
        : describeCheck(status, note);
      if (note === 'a sitemap') return 'Not audited: it is a sitemap.';
      if (note === 'excluded') return `Not audited: an --exclude pattern matches, ${fetched}.`;
      if (note === 'no --include matches') return `Not audited: no --include pattern matches, ${fetched}.`;
      return `Not audited: it is out of the scope of the audit, ${fetched}.`;
    }
    case 'crawl-trap':
      return `Not fetched: it belongs to an endless series of similar URLs${note === null ? '' : ` (${visible(note)})`}.`;
    case 'too-deep':
      return 'Not fetched: it is more links away from the start than the run was allowed to follow.';
    case 'waiting':
      return 'Not fetched: the crawl ended before it. Whether it can be indexed is unknown.';
    default:
      return 'Not judged: the robots.txt of its site was not fetched.';
  }
}

/** Describes what a check of a URL found that was not fetched. @param note - code and message of its failure. */
function describeCheck(status: number, note: string | null): string {
  if (status >= 0) return `and was only checked: it ${describeStatus(status)}`;
  const [, code = '', message = ''] = /^([\w-]+): (.*)$/s.exec(note ?? '') ?? [];
  if (code === '') return 'so it was not fetched';
  if (code === 'robots') return `and was not checked: ${visible(message)}`;
  return `and was only checked: ${REQUEST_FAILURES[code] ?? visible(code)} (${visible(message)})`;
}

function describeBlock(subject: Subject): string {
  const { data, index, agent } = subject;
  const verdict = data.getVerdict(index, agent);
  const line = verdict?.line ?? 0;
  const name = getAgent(subject);
  const cause =
    line > 0
      ? `Line ${line} of robots.txt disallows it for ${name}.`
      : verdict?.decision === 'unreachable'
        ? `${name} may not fetch it, because the robots.txt of its site could not be fetched.`
        : `${name} may not fetch it.`;
  const hidden = verdict?.maskedReasons ?? [];
  const unknown =
    hidden.length === 0
      ? `Its status, noindex and canonical are unknown to ${name}, so they have no effect.`
      : `${name} cannot see why it would not be indexed otherwise (${hidden.map((each) => OUTCOME_TEXTS[each].label).join(', ')}), so that has no effect.`;
  return `${cause} ${unknown} The URL can be indexed without its content.`;
}

/** @param note - code and message of the failure. */
function describeFailure(note: string | null): string {
  const [, code = '', message = ''] = /^([\w-]+): (.*)$/s.exec(note ?? '') ?? [];
  const cause = REQUEST_FAILURES[code] ?? (code === '' ? 'the request failed' : code);
  const details = message === '' ? '' : ` (${visible(message)})`;
  return `${isOwnRefusal(code) ? 'Not requested' : 'Does not respond'}: ${cause}${details}. Whether it can be indexed is unknown.`;
}

function describeErrorPage(subject: Subject): string {
  const { data, index } = subject;
  const status = data.statuses[index] as number;
  const text = describeStatus(status);
  const links = data.links[index] as number;
  const linked =
    findOne(subject, 'broken-link') === undefined || links === 0
      ? ''
      : ` ${formatCount(links, 'URL')} ${links === 1 ? 'links or redirects' : 'link or redirect'} to it.`;
  const only = status >= 200 && status < 300 ? ', but only 200 is indexed' : '';
  return `${capitalize(text)}${only}.${linked}`;
}

const REDIRECT_CODES: readonly FindingCode[] = [
  'redirect-loop',
  'redirect-to-error',
  'redirect-to-blocked',
  'redirect-to-noindex',
  'redirect-to-canonicalised',
  'redirect-to-other-site',
  'redirect-to-unknown',
];

function describeRedirect(subject: Subject): string {
  const { data, index, agent } = subject;
  const steps = getRedirectSteps(data, index, agent);
  const end = steps.at(-1);
  if (end === undefined) return 'Redirects without a valid target.';
  const finding = findOne(subject, ...REDIRECT_CODES);
  if (finding?.code === 'redirect-loop') return describeLoop(subject, steps, end);
  const status = data.statuses[index];
  // A page with status 200 redirects by a refresh without a delay.
  const how = status === 200 ? 'an instant refresh' : status;
  const way = steps.length === 1 ? `Redirects (${how}) to` : `Redirects in ${steps.length} steps to`;
  return `${way} ${showTarget(subject, end)}, which ${describeEnd(subject, end, finding)}.`;
}

function describeLoop(subject: Subject, steps: readonly Target[], end: Target): string {
  if (end === subject.index && steps.length === 1)
    return 'Redirects to itself, so visitors and crawlers never reach a page.';
  const count = formatCount(steps.length, 'redirect');
  if (end !== subject.index && steps.indexOf(end) === steps.length - 1)
    return `Redirects without an end: after ${count}, ${showTarget(subject, end)} redirects again.`;
  return `Redirects into a loop: after ${count} it is at ${showTarget(subject, end)} again, so visitors and crawlers never reach a page.`;
}

/** What is at the end of redirects, or at a canonical, by the finding about it. */
function describeEnd(subject: Subject, end: Target, finding: UrlFinding | undefined): string {
  const name = getAgent(subject);
  switch (finding?.code) {
    case undefined:
      return 'can be indexed';
    case 'redirect-to-error':
    case 'canonical-to-error':
      return describeError(finding.detail);
    case 'redirect-to-blocked':
    case 'canonical-to-blocked':
      return `robots.txt disallows for ${name}, so what is there is unknown`;
    case 'redirect-to-noindex':
      return 'has noindex, so neither URL is indexed';
    case 'canonical-to-noindex':
      return 'has noindex, so neither page is indexed';
    case 'redirect-to-canonicalised':
      return 'names another URL as its canonical';
    case 'canonical-chain':
      return describeCanonicalChain(subject, finding);
    case 'canonical-to-redirect':
      return describeRedirectedCanonical(subject, finding);
    case 'redirect-to-other-site':
    case 'canonical-to-other-site': {
      const status = typeof end === 'number' ? (subject.data.statuses[end] as number) : -1;
      const scope = 'is out of the scope of the audit';
      return status < 0 ? `${scope} and was not fetched` : `${scope} and ${describeStatus(status)}`;
    }
    default: {
      const why =
        finding === undefined || finding.detail === null ? '' : ` because ${visible(finding.detail)}`;
      return `was not fetched${why}, so what is there is unknown`;
    }
  }
}

function describeRedirectedCanonical(subject: Subject, { detail, targets }: UrlFinding): string {
  const why = detail === null ? '' : ` (${formatDetail('canonical-to-redirect', detail)})`;
  return `redirects to ${showTarget(subject, targets.at(-1) ?? '')}${why}`;
}

/** The chain of canonicals after the first one. */
function describeCanonicalChain(subject: Subject, { detail, targets }: UrlFinding): string {
  const why = detail === null ? '' : ` (${visible(detail)})`;
  return `names another canonical itself, and the last one is ${showTarget(subject, targets.at(-1) ?? '')}${why}`;
}

/** @param detail - a status, or the code of a failure. */
function describeError(detail: string | null): string {
  if (detail === null) return 'is an error';
  if (/^\d{3}$/.test(detail)) return describeStatus(Number(detail));
  return `does not respond (${REQUEST_FAILURES[detail] ?? visible(detail)})`;
}

function describeNoindex({ data, index, agent }: Subject): string {
  const statements = data
    .getNoindex(index, agent)
    .map(([from, name, text]) =>
      describeRobotsStatement(from, name === null ? null : visible(name, 60), visible(text, MAX_URL)),
    );
  return `Not indexed: ${statements.length === 0 ? 'the page forbids it' : statements.join(', and ')}.`;
}

const CANONICAL_CODES: readonly FindingCode[] = [
  'canonical-to-error',
  'canonical-to-blocked',
  'canonical-to-noindex',
  'canonical-to-redirect',
  'canonical-chain',
  'canonical-to-other-site',
  'canonical-to-unknown',
];

function describeOtherCanonical(subject: Subject): string {
  const [target = ''] = subject.data.get(subject.index, 'canonical')?.targets ?? [];
  const end = describeEnd(subject, target, findOne(subject, ...CANONICAL_CODES));
  return `Names another URL as its canonical, which should be indexed instead: ${showTarget(subject, target)}, which ${end}.`;
}

/** The canonical of a page that is not canonicalised. */
function describeOwnCanonical(subject: Subject): string {
  const canonical = subject.data.get(subject.index, 'canonical');
  const ignored = findOne(subject, 'canonical-ignored');
  const reason = visible(ignored?.detail ?? '');
  if (canonical?.kind === 'conflict')
    return `It names ${findOne(subject, 'canonical-conflict')?.targets.length ?? 'several'} different canonicals, so search engines ignore all of them.`;
  if (canonical?.kind === 'self')
    return ignored === undefined
      ? 'It names itself as its canonical.'
      : `It names itself as its canonical; another canonical is ignored (${reason}).`;
  if (ignored === undefined) return 'It names no canonical.';
  return `Its canonical is ignored (${reason}), so search engines select one themselves.`;
}

/** What makes an indexable page unlikely to be indexed. */
function describeDoubt(subject: Subject): string {
  const soft = findOne(subject, 'soft-404');
  const looks =
    soft === undefined ? '' : ` It looks like a page that was not found: ${visible(soft.detail ?? '')}.`;
  if (findOne(subject, 'not-reachable') === undefined) return looks;
  const name = getAgent(subject);
  return `${looks} But ${name} cannot find it: no sitemap lists it, and ${name} may fetch no page that links to it.`;
}
