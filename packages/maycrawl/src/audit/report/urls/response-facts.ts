// The facts about a response in the record of a URL.
import { isHtmlMediaType } from '@maycrawl/core/indexability';
import type { Page } from '../../run/records/page.ts';

/** The facts. `null`: there is no response, the body was not read, or the response does not say it. */
export interface ResponseFacts {
  readonly title: string | null;
  readonly type: string | null;
  readonly digest: string | null;
  readonly bytes: number | null;
  readonly milliseconds: number | null;
  /** Why there is no response. */
  readonly failure: { readonly code: string; readonly detail: string } | null;
}

/** The facts about a URL that was not fetched, or that the crawler may not fetch. */
export const NO_RESPONSE: ResponseFacts = {
  title: null,
  type: null,
  digest: null,
  bytes: null,
  milliseconds: null,
  failure: null,
};

/** Returns the facts about a page. */
export function getResponseFacts(page: Page | null): ResponseFacts {
  if (page === null) return NO_RESPONSE;
  const { milliseconds, outcome } = page;
  const size = { bytes: getBodySize(page), milliseconds: Math.round(milliseconds) };
  if (outcome.kind === 'failure')
    return { ...NO_RESPONSE, ...size, failure: { code: outcome.code, detail: outcome.detail } };
  const { title, type } = outcome.facts;
  return { title, type, digest: outcome.digest, ...size, failure: null };
}

/** Returns the bytes of a body; `null` if it was not read: without a response, or because it is not HTML. */
export function getBodySize({ bytes, outcome }: Page): number | null {
  return outcome.kind === 'page' && isHtmlMediaType(outcome.facts.type) ? bytes : null;
}
