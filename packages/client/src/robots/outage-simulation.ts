/**
 * An outlook: if a site answers so from a moment on, what holds from when to when? It is the policy of weather.ts, walked
 * through as a crawler would live through it, which asks again whenever that is due. A pure function, for the page.
 *
 * @module
 */
import type { Profile } from '@maycrawl/core';
import { lifetimeOf } from './freshness.ts';
import {
  type Failure,
  type GoodAnswer,
  NO_HISTORY,
  type OriginHistory,
  withAnswer,
  withFailure,
} from './history.ts';
import { type Ruling, ruleOn, type Weather, weatherOf } from './outage-policy.ts';

/** How a site fails. */
export interface Trouble {
  readonly code: Failure['code'];
  /** Status of the response; `null` if there is none. */
  readonly status: number | null;
  /** For how many milliseconds it asks to be left alone (Retry-After); `null` if it does not. */
  readonly retryAfter: number | null;
  /** Whether the body of a 5xx says that the page was not found. */
  readonly saysNotFound: boolean;
}

/** What is supposed. All times are milliseconds, those of moments since the trouble began. */
export interface Supposition {
  readonly profile: Profile;
  /** What the site answered last, and for how long that is still fresh; `null` if nobody has ever asked. */
  readonly before: { readonly kind: GoodAnswer['kind']; readonly freshFor: number } | null;
  /** What it answers from now on: that there is no file, or a failure. */
  readonly answers: 'absent' | Trouble;
  /** For how long. After that it answers as before, or with a file if nobody knows. */
  readonly lasts: number;
  /** Whether other pages of the site can be fetched meanwhile. */
  readonly isSiteReachable: boolean;
  /** How far to look. */
  readonly until: number;
}

/** Something that holds for some time. */
export interface Spell {
  readonly from: number;
  readonly to: number;
  /** `rules`: those of the file; `absent`: there is none, everything is allowed; `unreachable`: nothing is; `outage-expired`. */
  readonly use: 'rules' | 'absent' | 'unreachable' | 'outage-expired';
  /** Whether it is by an answer that is fresh; else an outage is under way. */
  readonly isFresh: boolean;
}

/**
 * What holds from the moment when the trouble begins: spells without gaps, each different from the one before it.
 *
 * @throws {RangeError} if `until` or `lasts` is no time from 0 on.
 */
export function foresee(supposed: Supposition): Spell[] {
  const { profile, before, lasts, until, isSiteReachable } = supposed;
  for (const time of [lasts, until])
    if (!(time >= 0 && time < Infinity))
      throw new RangeError(`not a number of milliseconds: ${String(time)}`);
  const weather = weatherOf(profile);
  const spells: Spell[] = [];
  let history = before === null ? NO_HISTORY : withAnswer(answerOf(before.kind, 0, before.freshFor));
  for (let now = 0; now < until; ) {
    const ruling = ruleOn(weather, history, { now, isSiteReachable });
    if (!ruling.isFresh && ruling.askAt <= now) {
      history = now < lasts ? askInTrouble(history, supposed, now) : askAfterwards(supposed, now);
      continue;
    }
    const to = Math.min(ruling.askAt, nextPhase(weather, history, now), until);
    add(spells, { from: now, to, use: useOf(history, ruling), isFresh: ruling.isFresh });
    now = to;
  }
  return spells;
}

function askInTrouble(history: OriginHistory, { answers }: Supposition, now: number): OriginHistory {
  if (answers === 'absent') return withAnswer(answerOf('absent', now));
  const { retryAfter, ...trouble } = answers;
  const retryAt = retryAfter === null ? null : now + retryAfter;
  return withFailure(history, { at: now, ...trouble, retryAt, reason: '', hops: [], timings: { total: 0 } });
}

function askAfterwards({ before }: Supposition, now: number): OriginHistory {
  return withAnswer(answerOf(before?.kind ?? 'found', now));
}

const NO_HEADERS = {
  ...{ cacheControl: null, expires: null, date: null, age: null },
  ...{ etag: null, lastModified: null, retryAfter: null },
};

function answerOf(
  kind: GoodAnswer['kind'],
  fetchedAt: number,
  freshFor: number = lifetimeOf(NO_HEADERS, fetchedAt),
): GoodAnswer {
  const told = { hops: [], timings: { total: 0 }, headers: NO_HEADERS, bytes: new Uint8Array() };
  return {
    kind,
    fetchedAt,
    freshUntil: fetchedAt + freshFor,
    status: null,
    code: null,
    reason: null,
    ...told,
  };
}

/** When the outage comes to mean something else. */
function nextPhase({ phases }: Weather, { outage }: OriginHistory, now: number): number {
  if (outage === null) return Infinity;
  return Math.min(...phases.map(({ from }) => outage.since + from).filter((time) => time > now), Infinity);
}

function useOf({ answer }: OriginHistory, { use }: Ruling): Spell['use'] {
  if (use === 'allow-all') return 'outage-expired';
  if (use === 'disallow-all') return 'unreachable';
  return use === 'answer' && answer?.kind === 'found' ? 'rules' : 'absent';
}

/** Adds a spell, or lengthens the last one if it is more of the same. */
function add(spells: Spell[], spell: Spell): void {
  const last = spells.at(-1);
  const isMore = last?.use === spell.use && last.isFresh === spell.isFresh;
  if (isMore) spells.pop();
  spells.push(isMore ? { ...last, to: spell.to } : spell);
}
