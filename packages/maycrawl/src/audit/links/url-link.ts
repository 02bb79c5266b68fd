// The links of a run as callers get them.
import type { ResourceKind } from '@maycrawl/core/indexability';
import type { LINK_TYPES } from '../run/records/link-list.ts';
import type { StatusPattern, TargetStatus } from './target-statuses.ts';

/** A link between two URLs, and the response of its target. */
export interface UrlLink extends TargetStatus {
  readonly from: string;
  readonly to: string;
  /** All types: a page can have several links to a URL. */
  readonly types: readonly (LinkType | ResourceKind)[];
  /** The different texts of these links, at most five; empty if they have none, as a redirect. */
  readonly texts: readonly string[];
  /**
   * The crawlers of the run that can follow it: they may fetch the page, the link is not only `nofollow`, and they run scripts if only a
   * script adds it. Empty for a script, stylesheet or image.
   */
  readonly followed: readonly string[];
}

/** The type of a link. */
export type LinkType = keyof typeof LINK_TYPES;

/** Which links are found, by keys of URLs. @defaultValue all links of the run */
export interface LinkSelection {
  /** Only links of this page. */
  readonly from?: number | undefined;
  /** Only links to this URL. They are found by reading the links of all pages, unless `from` is given. */
  readonly to?: number | undefined;
  /** Only links whose targets have one of these statuses, and after them scripts, stylesheets and images that have one. */
  readonly statuses?: readonly StatusPattern[] | undefined;
}
