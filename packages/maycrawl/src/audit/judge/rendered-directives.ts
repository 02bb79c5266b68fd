// The directives of pages with those that scripts add, for crawlers that run scripts.
//
// Google may skip the scripts of a page with noindex, so what the response says counts, too, if scripts remove it:
// https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics
import type { RobotsStatement } from '@maycrawl/core/indexability';
import type { RunStore } from '../run/run-store.ts';
import { findSettings } from '../run/settings.ts';

/** Reads directives of pages. */
export class RenderedDirectives {
  readonly #run: RunStore;
  /** Whether pages of the run were rendered. */
  #isRendered: boolean | undefined;

  constructor(run: RunStore) {
    this.#run = run;
  }

  /** Returns the directives that a crawler sees. @param robots - those of the response. */
  addRendered(
    key: number,
    robots: readonly RobotsStatement[],
    withScripts: boolean,
  ): readonly RobotsStatement[] {
    if (!withScripts) return robots;
    this.#isRendered ??= Boolean(findSettings(this.#run)?.render);
    const outcome = this.#isRendered ? this.#run.renderings.get(key)?.outcome : undefined;
    if (outcome?.kind !== 'rendered') return robots;
    const added = outcome.after.robots.filter((each) => !robots.some((known) => isEqual(known, each)));
    return [...robots, ...added];
  }
}

function isEqual(a: RobotsStatement, b: RobotsStatement): boolean {
  return a.from === b.from && a.agent === b.agent && a.text === b.text;
}
