// What a run stores about a page that was rendered: what it says before and after its scripts have run.
import type { CanonicalStatement, RobotsStatement } from '@maycrawl/core/indexability';

/** The metadata of a page. */
export interface RenderedFacts {
  readonly title: string | null;
  readonly robots: readonly RobotsStatement[];
  readonly canonicals: readonly CanonicalStatement[];
}

/** Why a request of a page was refused: `robots`, a limit, a failure. */
export interface RefusedRequest {
  readonly url: string;
  readonly reason: string;
}

/** The result of rendering a page. */
export type RenderOutcome =
  | {
      readonly kind: 'rendered';
      /** What the response says that was rendered. */
      readonly before: RenderedFacts;
      readonly after: RenderedFacts;
      /** URLs to which the page links only after its scripts, and only before. */
      readonly added: LinkSample;
      readonly removed: LinkSample;
      /** Where the scripts of the page lead instead of it; `null` if they stay. */
      readonly redirect: string | null;
      /** Some requests that were refused. */
      readonly refused: readonly RefusedRequest[];
      /** Number of its requests that were sent, or would have been without a cache. */
      readonly requests: number;
      /** Whether requests were still under way, or scripts busy, when its time was over. */
      readonly isStopped: boolean;
    }
  | {
      readonly kind: 'failure';
      /** A stable code: `timeout`, `crashed`, `memory`, `too-large`, `status`, ... */
      readonly code: string;
      readonly detail: string;
    };

/** A number of URLs, and some of them. */
export interface LinkSample {
  readonly count: number;
  readonly urls: readonly string[];
}

/** A rendered page, or one that could not be rendered. */
export interface Rendering {
  /** The key of its URL. */
  readonly key: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly milliseconds: number;
  readonly outcome: RenderOutcome;
}

/** A page that can be rendered. */
export interface RenderablePage {
  readonly key: number;
  readonly url: string;
  readonly depth: number | null;
}

/** The number of statements and URLs that a rendering stores of each kind: a hostile page has a hundred thousand. */
export const MAX_STORED = 20;
