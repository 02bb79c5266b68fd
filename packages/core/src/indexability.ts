/**
 * `@maycrawl/core/indexability`: reads the indexing directives, canonicals and links of a page, and decides whether it can be indexed.
 *
 * @module
 */
export {
  type Canonical,
  type CanonicalIgnored,
  type CanonicalStatement,
  decideCanonical,
} from './indexability/canonical.ts';
export type {
  Directive,
  FlagName,
  ImagePreview,
} from './indexability/directive.ts';
export {
  type Discovery,
  evaluatePage,
  type FetchOutcome,
  type Indexability,
  type Observation,
  type PageEvidence,
  type PageSubject,
  REASONS,
  type Reason,
  type Redirect,
} from './indexability/evidence.ts';
export {
  type HtmlFacts,
  type HtmlLink,
  type HtmlReference,
  type HtmlResource,
  RESOURCE_KINDS,
  type ResourceKind,
} from './indexability/html-facts.ts';
export {
  type Alternate,
  createPageFacts,
  findRedirectTarget,
  getHeaderValues,
  isHtmlMediaType,
  type PageFacts,
  type PageLink,
  type PageResource,
  type PageResponse,
  parseMediaType,
  type SeriesLink,
} from './indexability/page-facts.ts';
export { RobotsStatements } from './indexability/robots-statements.ts';
export {
  type AppliedDirective,
  combineDirectives,
  type EffectiveDirectives,
  type RobotsStatement,
  readRobotsMeta,
} from './indexability/rules.ts';
export { resolveUrl } from './indexability/url.ts';
