// What an agent may fetch of a site. The page of the report imports this module, so it needs no Node.
import { freezeDeep } from '@maycrawl/core/internal';

/**
 * What an agent may fetch of a site, the most restrictive first.
 *
 * - `none`, `listed-only`, `some`, `all`: the proved class of the file. Files that are empty or an HTML page are `all`.
 * - `undecided`: the proof exceeded its budget.
 * - `no-file`: the outcome `absent`. There are no restrictions.
 * - `unreachable`: the outcome `unreachable`. It is not known whether there is a file.
 * - `unknown`: all other outcomes, such as a redirect whose target was not captured, or a truncated body.
 */
export const SITE_ACCESSES = [
  'none',
  'listed-only',
  'some',
  'all',
  'undecided',
  'no-file',
  'unreachable',
  'unknown',
] as const;
freezeDeep(SITE_ACCESSES);

/** What an agent may fetch of a site. */
export type SiteAccess = (typeof SITE_ACCESSES)[number];

/** The kinds of access that count as blocked. */
export const BLOCKED: readonly SiteAccess[] = /* @__PURE__ */ freezeDeep(['none', 'listed-only']);

/** The kinds of access of sites with a file. */
export const WITH_FILE: readonly SiteAccess[] = /* @__PURE__ */ freezeDeep([
  'none',
  'listed-only',
  'some',
  'all',
  'undecided',
]);
