// Tools: what a client of the server can call. The file of a tool has its description, its schemas and the function of its result, which a
// thread calls (tool-worker.ts). calls.ts has what a call needs before: sites, and crawlers by their names.
import type { CrawlerSpec } from '@maycrawl/core';
import { freezeDeep } from '@maycrawl/core/internal';
import type { ListLimits } from '../reports/bounded-list.ts';

/** A tool as clients see it. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  /** What it does and when to use it, for models. */
  readonly description: string;
  /** JSON Schemas of the arguments and of the result. */
  readonly input: object;
  readonly output: object;
  /** Whether it sends requests to sites. */
  readonly isOpenWorld: boolean;
}

/** The result of a tool. */
export interface ToolResult<Content = object> {
  /** One or two sentences, without text of a file or a site. */
  readonly summary: string;
  /** The result by the schema of the tool. */
  readonly content: Content;
}

/** A crawler as the caller names it. */
export interface NamedAgent {
  readonly name: string;
  readonly crawler: CrawlerSpec;
}

/** Limits of the lists of one result. */
export const RESULT_LISTS: ListLimits = /* @__PURE__ */ freezeDeep({ items: 200, chars: 50_000 });
