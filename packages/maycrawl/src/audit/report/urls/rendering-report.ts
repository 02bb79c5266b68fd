// What the scripts of a page change, for the record of its URL.
import { combineDirectives, decideCanonical } from '@maycrawl/core/indexability';
import type { RunPolicies } from '../../judge/run-policies.ts';
import type { LinkSample, RefusedRequest, RenderedFacts } from '../../run/records/rendering.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { RunSettings } from '../../run/settings.ts';

/** A page before or after its scripts, for one crawler. */
export interface RenderedState {
  readonly title: string | null;
  /** Texts of the directives that forbid indexing. */
  readonly noindex: readonly string[];
  readonly canonical: { readonly kind: string; readonly urls: readonly string[] };
}

/** A page that was rendered, or could not be. */
export interface RenderingReport {
  readonly before: RenderedState | null;
  readonly after: RenderedState | null;
  /** Links that only scripts add, and those that they remove: their number, and some of them. */
  readonly added: LinkSample | null;
  readonly removed: LinkSample | null;
  /** Where scripts lead instead of the page. */
  readonly redirect: string | null;
  /** Some requests of the page that were refused, and why. */
  readonly refused: readonly RefusedRequest[];
  /** Why it could not be rendered. */
  readonly failure: { readonly code: string; readonly detail: string } | null;
}

export class RenderingReporter {
  readonly #run: RunStore;
  readonly #policies: RunPolicies;
  readonly #now: number;
  readonly #isRendered: boolean;

  /** @param now - milliseconds since 1970: `unavailable_after` may have passed. */
  constructor(run: RunStore, policies: RunPolicies, { render }: Pick<RunSettings, 'render'>, now: number) {
    this.#run = run;
    this.#policies = policies;
    this.#now = now;
    this.#isRendered = Boolean(render);
  }

  /** Returns the rendering of a page; `null` if it was not rendered. @param agent - index of the crawler. */
  report(key: number, url: string, agent: number): RenderingReport | null {
    const outcome = this.#isRendered ? this.#run.renderings.get(key)?.outcome : undefined;
    if (outcome === undefined) return null;
    if (outcome.kind === 'failure') {
      const { code, detail } = outcome;
      return { ...NOTHING, failure: { code, detail } };
    }
    const { added, removed, redirect, refused } = outcome;
    const [before, after] = [
      this.#toState(outcome.before, url, agent),
      this.#toState(outcome.after, url, agent),
    ];
    return { before, after, added, removed, redirect, refused, failure: null };
  }

  #toState({ title, robots, canonicals }: RenderedFacts, url: string, agent: number): RenderedState {
    const { noindex } = combineDirectives(robots, this.#policies.crawler(agent), this.#now);
    const urls = canonicals.flatMap((each) => (each.ignored === null ? (each.url ?? []) : []));
    return {
      title,
      noindex: [...new Set(noindex.map(({ statement }) => statement.text))],
      canonical: { kind: decideCanonical(url, canonicals).kind, urls: [...new Set(urls)] },
    };
  }
}

const NOTHING = {
  before: null,
  after: null,
  added: null,
  removed: null,
  redirect: null,
  refused: [],
} as const;
