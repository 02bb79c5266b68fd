// Decisions for all clients: any crawler, URLs of any site, any profile.
//
// The event loop decides by itself where that takes at most a fraction of a millisecond, which is nearly always. Other decisions are
// made in a thread (thread-decisions.ts).

import type { OriginState } from '@maycrawl/client';
import { type TimeSlices, timeSlices } from '@maycrawl/client/internal';
import { decideByPolicy, type Profile, type Verdict } from '@maycrawl/core';
import { toJsonError } from '../../reports/json-verdict.ts';
import { Problem } from '../http/problems.ts';
import type { RunInThread } from '../limits/threads.ts';
import { FREE_STEPS, type Work } from '../limits/work.ts';
import type { DecisionRequest, NamedAgent } from './agents.ts';
import type { DecideResult, DecideTask } from './decide-worker.ts';
import { DecisionTexts, formatNotDecided } from './decision-text.ts';
import { type DocumentRules, RulesCache } from './document-rules.ts';
import { SiteStates, type SiteStatesOptions } from './site-states.ts';
import { getUrlError, parseOrigin, Sites } from './sites.ts';
import { getBatch, needsThread, ThreadDecisions } from './thread-decisions.ts';

/** Responses are passed on in pieces of this number of characters. */
const PIECE = 256 * 1024;

export interface DeciderOptions extends SiteStatesOptions {
  /** The thread for large files; the event loop decides all if omitted. */
  readonly runInThread?: RunInThread<DecideTask, DecideResult>;
  readonly slices?: TimeSlices;
  readonly onDecision?: () => void;
  /** Counts requests that were refused, by the code of the problem. */
  readonly onRefusal?: (code: Problem['code']) => void;
}

/** Decides. All requests share the policies of sites. */
export class Decider {
  readonly #options: DeciderOptions;
  readonly #slices: TimeSlices;
  readonly #sites: Sites = new Sites();
  readonly #states: SiteStates;
  readonly #rules: RulesCache = new RulesCache();
  readonly #texts: DecisionTexts = new DecisionTexts();
  readonly #threads: ThreadDecisions | undefined;

  constructor(options: DeciderOptions) {
    this.#options = options;
    const { runInThread, slices = timeSlices, onDecision: _, onRefusal: __, ...states } = options;
    this.#slices = slices;
    this.#states = new SiteStates(states, this.#sites, slices);
    this.#threads = runInThread && new ThreadDecisions(runInThread, () => options.onDecision?.());
  }

  /**
   * Decides about one request, in JSON.
   *
   * @throws {Problem} for an invalid URL, and when the work or the client's share is used up.
   * @throws the reason of the work's signal when it aborts.
   */
  async decide(request: DecisionRequest, profile: Profile, work: Work): Promise<string> {
    const origin = this.#sites.parseOrigin(request.url) ?? parseOrigin(request.url);
    const state = await this.getState(origin, profile, work);
    if (this.#slices.isUsedUp()) await this.#slices.giveWay(work.signal);
    const rules = this.#rulesForThread(state, request.url);
    if (rules === undefined) return this.#decideNow(state, request, profile, work);
    const [response] = await this.#decideInThread(state, rules, [request], profile, work);
    return response as string;
  }

  /**
   * The same, without a promise, if it needs no fetch and no more work than usual; `undefined` if it does, and for an invalid URL.
   */
  decideIfCheap({ url, agent }: DecisionRequest, profile: Profile): string | undefined {
    const origin = this.#sites.parseOrigin(url);
    const state = origin === undefined ? undefined : this.#states.getKnown(origin, profile);
    if (state === undefined) return undefined;
    const rules = this.#rulesFor(state);
    if (rules !== undefined) {
      if (this.#threads !== undefined && needsThread(rules, url)) return undefined;
      if (rules.getSteps(agent.crawler, url) > FREE_STEPS) return undefined;
    }
    return this.#decideByRules(state, rules, { url, agent }, profile);
  }

  /**
   * Decides about many requests, in their order, as results come. A response without a verdict says why. Sites are fetched ahead.
   *
   * @throws the reason of the work's signal when it aborts.
   */
  async *decideAll(
    requests: readonly DecisionRequest[],
    profile: Profile,
    work: Work,
  ): AsyncGenerator<string[]> {
    const states = await this.#fetchAhead(requests, profile, work);
    let texts: string[] = [];
    let chars = 0;
    for (let index = 0; index < requests.length; ) {
      const request = requests[index] as DecisionRequest;
      const origin = this.#sites.parseOrigin(request.url);
      let state = origin === undefined ? undefined : states.get(origin);
      if (state instanceof Promise) {
        // Results go out before the rest is waited for.
        if (texts.length > 0) yield texts;
        [texts, chars] = [[], 0];
        state = await state;
      }
      const response = this.#tryDecideNow(state, request, profile, work);
      const responses =
        response === undefined
          ? await this.#decideBatch(requests, index, profile, work, state as OriginState)
          : [response];
      for (const each of responses) {
        texts.push(each);
        chars += each.length;
      }
      index += responses.length;
      if (chars >= PIECE) {
        yield texts;
        [texts, chars] = [[], 0];
      }
      if (this.#slices.isUsedUp()) await this.#slices.giveWay(work.signal);
    }
    if (texts.length > 0) yield texts;
  }

  /**
   * Resolves when the policies of all sites are known.
   *
   * @throws the reason of the work's signal when it aborts.
   */
  async fetchAll(requests: readonly DecisionRequest[], profile: Profile, work: Work): Promise<void> {
    for (const state of (await this.#fetchAhead(requests, profile, work)).values()) await state;
  }

  /** Whether a URL has an origin. Others have no verdict. */
  hasOrigin(url: string): boolean {
    return this.#sites.parseOrigin(url) !== undefined;
  }

  /** The policy of a site now. @throws as {@link SiteStates.get} does. */
  getState(origin: string, profile: Profile, work: Work): Promise<OriginState> {
    return this.#states.get(origin, profile, work);
  }

  /** Makes the responses in memory stale. @param isExpired - of which origins. */
  expire(isExpired: (origin: string) => boolean): void {
    this.#states.expire(isExpired);
  }

  /** Resolves when no fetch is under way any more. */
  idle(): Promise<void> {
    return this.#states.idle();
  }

  #fetchAhead(
    requests: readonly DecisionRequest[],
    profile: Profile,
    work: Work,
  ): ReturnType<SiteStates['fetchAhead']> {
    return this.#states.fetchAhead(
      requests.map(({ url }) => url),
      profile,
      work,
    );
  }

  /** The response to one request, also if there is no verdict; `undefined` if a thread decides. */
  #tryDecideNow(
    state: OriginState | Problem | undefined,
    request: DecisionRequest,
    profile: Profile,
    work: Work,
  ): string | undefined {
    const { url, agent } = request;
    if (state === undefined) return formatNotDecided(url, agent.name, getUrlError(url));
    if (state instanceof Problem) return this.#refuse(request, state);
    if (this.#rulesForThread(state, url) !== undefined) return undefined;
    try {
      return this.#decideNow(state, request, profile, work);
    } catch (error) {
      if (error instanceof Problem) return this.#refuse(request, error);
      throw error;
    }
  }

  /** Responses of a thread to the request at `index`, and to further ones of the same site and crawler. */
  async #decideBatch(
    requests: readonly DecisionRequest[],
    index: number,
    profile: Profile,
    work: Work,
    state: OriginState,
  ): Promise<string[]> {
    const rules = this.#rulesFor(state);
    if (rules === undefined) throw new Error('a thread decides by files only');
    const batch = getBatch(requests, index, state.origin, rules, this.#sites);
    try {
      return await this.#decideInThread(state, rules, batch, profile, work);
    } catch (error) {
      work.signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      return batch.map((request) => this.#refuse(request, error));
    }
  }

  async #decideInThread(
    state: OriginState,
    rules: DocumentRules,
    requests: readonly DecisionRequest[],
    profile: Profile,
    work: Work,
  ): Promise<string[]> {
    if (this.#threads === undefined) throw new Error('there are no threads');
    return this.#threads.decide(state, rules, requests, profile, work);
  }

  #refuse({ url, agent }: DecisionRequest, { code, message }: Problem): string {
    this.#options.onRefusal?.(code);
    return formatNotDecided(url, agent.name, { code, message });
  }

  /** The rules that decide about a site; `undefined` if there is no file. */
  #rulesFor({ policy }: OriginState): DocumentRules | undefined {
    return policy.kind === 'rules' ? this.#rules.get(policy.robots) : undefined;
  }

  /** The same, if a thread decides by them. */
  #rulesForThread(state: OriginState, url: string): DocumentRules | undefined {
    const rules = this.#threads && this.#rulesFor(state);
    return rules !== undefined && needsThread(rules, url) ? rules : undefined;
  }

  /** Decides in this thread. @throws {Problem} if the work is used up. */
  #decideNow(state: OriginState, request: DecisionRequest, profile: Profile, work: Work): string {
    return this.#decideByRules(state, this.#rulesFor(state), request, profile, work);
  }

  /** @param rules - those of the state; `undefined` if there is no file. */
  #decideByRules(
    state: OriginState,
    rules: DocumentRules | undefined,
    { url, agent }: DecisionRequest,
    profile: Profile,
    work?: Work,
  ): string {
    this.#options.onDecision?.();
    const verdict = getVerdict(state, rules, url, agent, profile, work);
    if (verdict.kind === 'out-of-scope') return formatNotDecided(url, agent.name, toJsonError(verdict));
    return this.#texts.format(url, agent.name, profile.name, state, verdict);
  }
}

function getVerdict(
  { policy }: OriginState,
  rules: DocumentRules | undefined,
  url: string,
  { crawler }: NamedAgent,
  profile: Profile,
  work?: Work,
): Verdict {
  if (rules === undefined) return decideByPolicy(policy, crawler, url, { profile });
  const decide = (): Verdict => rules.get(crawler).decide(url);
  // The first decision also creates the index of the rules.
  return work === undefined ? decide() : work.run(rules.getSteps(crawler, url), decide);
}
