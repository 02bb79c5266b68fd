// What a person reads about each reason why a URL is not indexable: one record for each reason, for audits, the monitor and the pages.
// Sentences that need the evidence about a URL are where that evidence is.
import type { Reason } from '@maycrawl/core/indexability';
import { freezeDeep } from '@maycrawl/core/internal';

/** The texts about a reason. */
export interface ReasonText {
  /** The name in lists and tables. */
  readonly label: string;
  /** A sentence that says what the reason means. */
  readonly description: string;
  /** What its URLs are called, of which an audit must have none: "no blocked URLs". */
  readonly urls: string;
  /** What its pages are, after their number or share: "12 with noindex". */
  readonly pages: string;
  /** Why a URL to which redirects or canonicals lead cannot be indexed. */
  readonly end: string;
  /** What a crawler cannot see that may not fetch the URL: "It cannot see the noindex". `null`: it sees the robots.txt. */
  readonly hidden: string | null;
  /** What the owner can do about URLs that are no longer indexable. */
  readonly advice: string;
}

/** The texts about reasons. */
export const REASON_TEXTS: Readonly<Record<Reason, ReasonText>> = /* @__PURE__ */ freezeDeep({
  blocked: {
    label: 'blocked',
    description:
      'Disallowed by robots.txt. The URL can still be indexed, but without its content, which crawlers do not see.',
    urls: 'blocked URLs',
    pages: 'blocked by robots.txt',
    end: 'disallowed by robots.txt',
    hidden: null,
    advice: 'if crawlers should read them, remove or narrow the rule.',
  },
  unreachable: {
    label: 'unreachable',
    description: 'There was no response.',
    urls: 'unreachable URLs',
    pages: 'without a response',
    end: 'no response',
    hidden: 'that there is no response',
    advice: 'check that the server responds in time, and to all clients.',
  },
  error: {
    label: 'error',
    description: 'The response is not a page: a server error, a refusal, or a redirect without a target.',
    urls: 'errors',
    pages: 'with an error',
    end: 'an error',
    hidden: 'that the response is an error',
    advice: 'find the cause in the log of the server.',
  },
  redirect: {
    label: 'redirect',
    description: 'Redirects to another URL. The findings name redirects whose target cannot be indexed.',
    urls: 'redirects',
    pages: 'with a redirect',
    end: 'a loop',
    hidden: 'that it redirects',
    advice: 'if they should be indexed, remove the redirect; otherwise let links lead to the target.',
  },
  'not-found': {
    label: 'not found',
    description: 'Status 404 or 410.',
    urls: 'missing pages',
    pages: 'not found',
    end: 'not found',
    hidden: 'that there is no such page',
    advice: 'restore them, or redirect them to their replacements.',
  },
  noindex: {
    label: 'noindex',
    description: 'The page or a header forbids indexing.',
    urls: 'URLs with noindex',
    pages: 'with noindex',
    end: 'noindex',
    hidden: 'the noindex',
    advice: 'if they should be found, remove the noindex.',
  },
  canonicalised: {
    label: 'canonicalised',
    description: 'The page names another URL as its canonical.',
    urls: 'canonicalised URLs',
    pages: 'with another canonical',
    end: 'another canonical',
    hidden: 'that it names another canonical',
    advice: 'if they should be found, name themselves as their canonicals.',
  },
});
