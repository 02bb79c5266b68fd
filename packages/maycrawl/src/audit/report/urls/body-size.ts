/**
 * The size of the body of a page, as far as it was read.
 *
 * @module
 */
import { isHtmlMediaType } from '@maycrawl/core/indexability';
import type { Page } from '../../run/records/page.ts';

/** Returns the bytes of a body; `null` if it was not read: without a response, or because it is not HTML. */
export function getBodySize({ bytes, outcome }: Page): number | null {
  return outcome.kind === 'page' && isHtmlMediaType(outcome.facts.type) ? bytes : null;
}
