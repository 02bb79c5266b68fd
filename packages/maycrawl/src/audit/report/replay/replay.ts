// The effect of another robots.txt on a run: pages that crawlers would lose or gain, by the stored links and without requests.

import type { Reason } from '@maycrawl/core/indexability';
import { RobotsLines } from '../../judge/robots-lines.ts';
import { RunPolicies } from '../../judge/run-policies.ts';
import { UrlIndex } from '../../links/url-index.ts';
import { ALL, getScriptConditions, MAX_WALKS, Walks } from '../../links/walks.ts';
import { unpackReasons } from '../../run/records/reasons.ts';
import type { RunStore } from '../../run/run-store.ts';
import { getSettings } from '../../run/settings.ts';

/** Crawlers of one pass: each needs two walks. */
const TOGETHER = MAX_WALKS / 2;

export type ReplayChange = {
  readonly url: string;
  readonly agent: string;
} & (
  | {
      /** The crawler reaches it, and would no longer. */
      readonly kind: 'lost';
      /** `unlinked`: it is allowed, but only blocked pages link to it. */
      readonly cause: 'blocked' | 'unlinked';
      /** The line in the new file, from 1; 0 without a rule. */
      readonly line: number;
      readonly rule: string | null;
      /** Why it was not indexable; `null` if it was, or has no verdict. */
      readonly reason: Reason | null;
      readonly wasIndexable: boolean;
    }
  /** The crawler would reach it. `seen`: the run has fetched the page. */
  | { readonly kind: 'gained'; readonly seen: boolean }
);

/** The new file. */
export interface ReplayOptions {
  /** The file, for every site of the run. */
  readonly robots: Uint8Array;
  /** @defaultValue the crawlers of the run */
  readonly agents?: readonly string[];
}

/**
 * Yields changes, in the order of the URLs for every 16 crawlers. It takes about 40 bytes of memory per URL.
 *
 * A crawler reaches a URL that is allowed, and that is a start, an entry of a sitemap that was read, or named by a page that it
 * reaches: by a link, redirect, refresh or canonical, as another language, or as the next or previous page.
 */
export function* replay(run: RunStore, { robots, agents }: ReplayOptions): Generator<ReplayChange> {
  const settings = getSettings(run);
  const chosen = agents === undefined || agents.length === 0 ? settings.agents : agents;
  const index = new UrlIndex(run.rows);
  run.rows.orderUrls();
  for (let from = 0; from < chosen.length; from += TOGETHER) {
    const some = chosen.slice(from, from + TOGETHER);
    yield* replayFor(run, index, some, robots, settings);
  }
}

function* replayFor(
  run: RunStore,
  index: UrlIndex,
  agents: readonly string[],
  robots: Uint8Array,
  settings: { readonly agents: readonly string[]; readonly profile: string; readonly sitemaps: boolean },
): Generator<ReplayChange> {
  const before = new RunPolicies(run, agents, settings.profile);
  const after = new RunPolicies(run, agents, settings.profile, robots);
  const lines = new RobotsLines(run, robots);
  const walks = new Walks(run.rows, index, settings.sitemaps ? ALL : 0, getScriptConditions(agents));
  for (const key of run.rows.keysInOrder()) {
    const url = run.url(key);
    if (url === undefined) continue;
    let allowed = 0;
    for (const agent of agents.keys()) {
      if (before.decide(url.url, agent)?.kind === 'allowed') allowed |= 1 << (2 * agent);
      if (after.decide(url.url, agent)?.kind === 'allowed') allowed |= 2 << (2 * agent);
    }
    walks.setAllowed(index.find(key), allowed);
  }
  walks.walk();
  for (const key of run.rows.keysInOrder()) {
    const at = index.find(key);
    const [reached, linked, allowed] = [walks.getReached(at), walks.getLinked(at), walks.getAllowed(at)];
    if (linked === 0) continue;
    for (const [place, agent] of agents.entries()) {
      const [had, has] = [(reached >>> (2 * place)) & 1, (reached >>> (2 * place + 1)) & 1];
      // A URL that no crawler of the run has fetched can be linked and allowed, but is not reached.
      const isUnseen = !walks.hasPage(at);
      const [wasLinked, isLinked] = [2 * place, 2 * place + 1].map((bit) => ((linked & allowed) >>> bit) & 1);
      const isNew = isUnseen
        ? wasLinked === 0 && isLinked === 1 && walks.isBlocked(at)
        : had === 0 && has === 1;
      if (!isNew && !(had === 1 && has === 0)) continue;
      const url = run.url(key)?.url ?? '';
      if (isNew) {
        yield { kind: 'gained', url, agent, seen: !isUnseen };
        continue;
      }
      const decision = after.decide(url, place);
      const isBlocked = decision?.kind !== 'allowed';
      const line = isBlocked ? (decision?.line ?? 0) : 0;
      const judged = run.verdicts.get(key, settings.agents.indexOf(agent))?.reasons;
      yield {
        kind: 'lost',
        url,
        agent,
        cause: isBlocked ? 'blocked' : 'unlinked',
        line,
        rule: lines.line(url, line),
        reason: judged === undefined ? null : (unpackReasons(judged)[0] ?? null),
        wasIndexable: judged === 0,
      };
    }
  }
}
