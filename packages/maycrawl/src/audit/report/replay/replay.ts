/**
 * What another robots.txt would make of a run: which pages crawlers would lose or gain, by the links that the run has kept,
 * without asking anybody.
 *
 * @module
 */
import type { Reason } from '@maycrawl/core/indexability';
import { unpackReasons } from '../../judge/judge-run.ts';
import { RobotsOfRun } from '../../judge/robots-of-run.ts';
import { settingsOf } from '../../run/settings.ts';
import type { SqliteRun } from '../../run/sqlite-run.ts';
import { RobotsLines } from '../urls/robots-lines.ts';
import { UrlIndex } from '../urls/url-index.ts';
import { MAX_WALKS, Walks } from './walks.ts';

/** Crawlers that are looked at together: each walks twice. */
const TOGETHER = MAX_WALKS / 2;

/** What becomes of one URL. */
export type ReplayChange = {
  readonly url: string;
  readonly agent: string;
} & (
  | {
      /** The crawler got it, and would not any more. */
      readonly kind: 'lost';
      /** `unlinked`: it may be fetched, but only pages that are blocked lead there. */
      readonly why: 'blocked' | 'unlinked';
      /** Of the new file, from 1; 0: no rule. */
      readonly line: number;
      readonly rule: string | null;
      /** Why it was not indexable anyway, `null` if it was indexable, or not judged. */
      readonly reason: Reason | null;
      readonly wasIndexable: boolean;
    }
  /** It would come to get it. `seen`: the run knows the page, from another crawler or from pages that led there. */
  | { readonly kind: 'gained'; readonly seen: boolean }
);

/** What is tried. */
export interface ReplayOptions {
  /** The file, for every site of the run. */
  readonly robots: Uint8Array;
  /** Crawlers; those of the run if there are none. */
  readonly agents?: readonly string[];
}

/**
 * What would become of URLs, in the order of the URLs for every 16 crawlers. Takes some 40 bytes of memory a URL.
 *
 * A crawler gets what it may fetch and is led to: by starts, by entries of sitemaps if they were read, and by links, redirects
 * and refreshes of pages that it gets.
 */
export async function* replay(
  run: SqliteRun,
  { robots, agents }: ReplayOptions,
): AsyncGenerator<ReplayChange> {
  const settings = await settingsOf(run);
  const chosen = agents === undefined || agents.length === 0 ? settings.agents : agents;
  const index = new UrlIndex(run.rows);
  run.rows.orderUrls();
  for (let from = 0; from < chosen.length; from += TOGETHER) {
    const some = chosen.slice(from, from + TOGETHER);
    yield* replayFor(run, index, some, robots, settings);
  }
}

async function* replayFor(
  run: SqliteRun,
  index: UrlIndex,
  agents: readonly string[],
  robots: Uint8Array,
  settings: { readonly agents: readonly string[]; readonly profile: string; readonly sitemaps: boolean },
): AsyncGenerator<ReplayChange> {
  const before = new RobotsOfRun(run, agents, settings.profile);
  const after = new RobotsOfRun(run, agents, settings.profile, robots);
  const lines = new RobotsLines(run, robots);
  const walks = new Walks(run.rows, index, settings.sitemaps);
  for (const key of run.rows.keysInOrder()) {
    const url = await run.url(key);
    if (url === undefined) continue;
    let may = 0;
    for (const agent of agents.keys()) {
      if ((await before.decide(url.url, agent))?.kind === 'allowed') may |= 1 << (2 * agent);
      if ((await after.decide(url.url, agent))?.kind === 'allowed') may |= 2 << (2 * agent);
    }
    walks.setMay(index.find(key), may);
  }
  walks.walk();
  for (const key of run.rows.keysInOrder()) {
    const at = index.find(key);
    const [got, led, may] = [walks.got(at), walks.led(at), walks.may(at)];
    if (led === 0) continue;
    for (const [place, agent] of agents.entries()) {
      const [had, has] = [(got >>> (2 * place)) & 1, (got >>> (2 * place + 1)) & 1];
      // What no crawler of the run has seen can be led to and allowed, and is not got.
      const isUnseen = !walks.hasPage(at);
      const [hadWay, hasWay] = [2 * place, 2 * place + 1].map((bit) => ((led & may) >>> bit) & 1);
      const isNew = isUnseen ? hadWay === 0 && hasWay === 1 && walks.isBlocked(at) : had === 0 && has === 1;
      if (!isNew && !(had === 1 && has === 0)) continue;
      const url = (await run.url(key))?.url ?? '';
      if (isNew) {
        yield { kind: 'gained', url, agent, seen: !isUnseen };
        continue;
      }
      const decision = await after.decide(url, place);
      const isBlocked = decision?.kind !== 'allowed';
      const line = isBlocked ? (decision?.line ?? 0) : 0;
      const judged = run.rows.reasons(key, settings.agents.indexOf(agent));
      yield {
        ...{ kind: 'lost', url, agent, why: isBlocked ? 'blocked' : 'unlinked', line },
        rule: await lines.line(url, line),
        reason: judged === undefined ? null : (unpackReasons(judged)[0] ?? null),
        wasIndexable: judged === 0,
      };
    }
  }
}
