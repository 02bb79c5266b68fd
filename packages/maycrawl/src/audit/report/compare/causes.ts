// The cause for which a URL cannot be indexed: the reason, and where it comes from. Changes of many URLs are grouped by it.

import type { Reason } from '@maycrawl/core/indexability';
import { describeBlock } from '../../judge/describe-block.ts';
import type { UrlReport } from '../url-report.ts';

export interface Cause {
  readonly reason: Reason;
  /** Where it comes from: `header`, `line 4`, `404`, an origin. URLs with the same reason and source have the same cause. */
  readonly source: string;
  /** The cause in words. It may quote the site. */
  readonly text: string;
  /** The URL to which the page refers, if it redirects or names a canonical. */
  readonly target: string | null;
}

/** Returns the cause of the primary reason of a record; `null` if the URL can be indexed or has no verdict. */
export function findCause(report: UrlReport): Cause | null {
  const { reason } = report;
  if (reason === null) return null;
  const [source, text, target = null] = DESCRIPTIONS[reason](report);
  return { reason, source, text, target };
}

/** The cause of URLs that robots.txt disallows. @param rule - the text of the line; `null` without a rule. */
export function createBlockCause(line: number, rule: string | null, decision: string): Cause {
  const [source, text] = findBlock(line, rule, decision);
  return { reason: 'blocked', source, text, target: null };
}

type Description = readonly [source: string, text: string, target?: string];

const DESCRIPTIONS: Readonly<Record<Reason, (report: UrlReport) => Description>> = {
  blocked: ({ crawl }) => findBlock(crawl?.line ?? 0, crawl?.rule ?? null, crawl?.reason ?? ''),
  unreachable: ({ failure }) => [failure?.code ?? 'network', `no response (${failure?.code ?? 'network'})`],
  error: ({ status, redirects }) =>
    redirects !== null && redirects.length > 0
      ? [`${status}`, `a redirect (status ${status}) without a valid target`]
      : [`${status}`, `status ${status}`],
  'not-found': ({ status }) => [`${status}`, `status ${status}`],
  redirect: ({ url, redirects }) => {
    const [first] = redirects ?? [];
    const place = describePlace(url, first?.to ?? null);
    const text =
      first?.status === 200 ? `an instant refresh${place}` : `status ${first?.status}, a redirect${place}`;
    return [`${first?.status} ${place}`, text, first?.to ?? ''];
  },
  noindex: ({ noindex }) => {
    const from = [...new Set(noindex?.map((each) => each.from))].sort();
    return [from.join(' '), `noindex from ${from.map((each) => ORIGINS[each] ?? each).join(' and ')}`];
  },
  canonicalised: ({ url, canonical }) => {
    const [target = ''] = canonical?.urls ?? [];
    const from = [...(canonical?.from ?? [])].sort();
    const place = describePlace(url, target);
    const origin = from.map((each) => ORIGINS[each] ?? each).join(' and ');
    return [`${from.join(' ')} ${place}`, `a canonical${place} from ${origin}`, target];
  },
};

/** Where a statement of a page is. */
const ORIGINS: Readonly<Record<string, string>> = {
  header: 'a header',
  meta: 'a meta element',
  html: 'a link element',
};

function findBlock(line: number, rule: string | null, decision: string): Description {
  return [rule === null ? decision : `line ${line} ${rule}`, describeBlock(line, rule, decision)];
}

/** Names the other site of a target: ` to https://other.example`; empty within the same site. */
function describePlace(url: string, target: string | null): string {
  const origin = target === null ? null : new URL(target).origin;
  return origin === null || origin === new URL(url).origin ? '' : ` to ${origin}`;
}
