// Formats responses as JSON. Most of a response is the same for all URLs of a site that the same rule decides, and stays in memory.

import type { OriginState } from '@maycrawl/client';
import type { Allowed, Disallowed } from '@maycrawl/core';
import { getVerdictKey, type JsonVerdict, toJsonVerdict } from '../../reports/json-verdict.ts';
import { createPolicyReport, formatTime } from '../../reports/policy.ts';

/** A decision, without the state of the site. */
export type Decided = JsonVerdict & { readonly reason: string };

/** Why there is no decision. */
export interface NotDecided {
  readonly code: string;
  readonly message: string;
}

/** Characters of all texts in memory; above that, all are dropped. */
const MAX_CHARS = 16 * 1024 * 1024;
/** Characters. Longer texts are not stored. */
const MAX_TEXT_CHARS = 256 * 1024;
const OBJECT_CHARS = 100;

export function toDecided(verdict: Allowed | Disallowed): Decided {
  return { ...toJsonVerdict(verdict), reason: verdict.reason };
}

/** Formats the response for a URL without a decision. @param url - `null` if the line has none. */
export function formatNotDecided(url: string | null, agent: string | null, error: NotDecided): string {
  return JSON.stringify({ url, agent, allowed: null, error });
}

/** Formats responses, and stores the parts that URLs share. */
export class DecisionTexts {
  /** For each state of a site: the part of a response after the URL and the crawler, by the deciding rule. */
  #known: WeakMap<OriginState, Map<string, string>> = new WeakMap();
  #chars = 0;

  format(
    url: string,
    agent: string,
    profile: string,
    state: OriginState,
    verdict: Allowed | Disallowed,
  ): string {
    const key = getVerdictKey(verdict);
    const known = this.#known.get(state)?.get(key);
    if (known !== undefined) return join(url, agent, known);
    const rest = formatRest(profile, state, toDecided(verdict));
    this.#add(state, key, rest);
    return join(url, agent, rest);
  }

  #add(state: OriginState, key: string, rest: string): void {
    if (rest.length > MAX_TEXT_CHARS) return;
    this.#chars += rest.length + OBJECT_CHARS;
    if (this.#chars > MAX_CHARS) {
      this.#known = new WeakMap();
      this.#chars = rest.length + OBJECT_CHARS;
    }
    const known = this.#known.get(state) ?? new Map<string, string>();
    this.#known.set(state, known.set(key, rest));
  }
}

/** Formats the part of a response after the URL and the crawler. */
export function formatRest(profile: string, state: OriginState, decided: Decided): string {
  return JSON.stringify({ profile, ...decided, ...describeState(state) }).slice(1);
}

/** Joins the two parts of a response. */
export function join(url: string, agent: string, rest: string): string {
  return `{"url":${JSON.stringify(url)},"agent":${JSON.stringify(agent)},${rest}`;
}

/** Describes the policy that a response follows from. */
export function describeState(state: OriginState): object {
  const { policy, history, refreshAt } = state;
  const { response, outage } = history;
  const isByResponse = policy.kind === 'rules' || outage === null;
  return {
    ...createPolicyReport(state),
    fetchedAt: formatTime(isByResponse ? response?.fetchedAt : outage.lastAt),
    expiresAt: formatTime(refreshAt),
  };
}
