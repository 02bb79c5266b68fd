/**
 * `@maycrawl/core/page`: reads the indexing directives, canonicals and links of a page, and decides whether it can be indexed.
 *
 * @module
 */
export {
  type Canonical,
  type CanonicalIgnored,
  type CanonicalStatement,
  decideCanonical,
} from './indexability/canonical.ts';
export {
  type AddressedDirective,
  type Directive,
  type FlagName,
  type ImagePreview,
  parseDirectives,
  parseRobotsHeader,
} from './indexability/directive.ts';
export {
  type Answer,
  type Discovery,
  type Evidence,
  type Indexability,
  judgePage,
  REASONS,
  type Reason,
  type Redirect,
  type Sight,
  type Subject,
} from './indexability/evidence.ts';
export type { HtmlFacts, HtmlLink, HtmlReference } from './indexability/html-facts.ts';
export { type HeaderLink, parseLinkHeader } from './indexability/link-header.ts';
export {
  type Alternate,
  describePage,
  headersOf,
  isHtmlType,
  mediaTypeOf,
  type Neighbour,
  type PageFacts,
  type PageLink,
  type PageResponse,
} from './indexability/page-facts.ts';
export { parseRefresh, type Refresh } from './indexability/refresh.ts';
export {
  type Applied,
  addUpRules,
  type PageRules,
  readRobotsHeader,
  readRobotsMeta,
  type Statement,
} from './indexability/rules.ts';
export { resolveBase, resolveUrl } from './indexability/url.ts';
