/**
 * Decisions for anybody who asks: any crawler, URLs of any site, any profile. Answers are made as JSON text, most of which is the
 * same for all URLs of a site that one rule decides about, and is kept.
 *
 * @module
 */
import {
  decideWithoutFile,
  type Profile,
  type ResolvedAgent,
  type Ruleset,
  resolveAgent,
  type Verdict,
} from '@maycrawl/core';
import { LRUCache } from 'lru-cache';
import { type OriginState, Origins, type OriginsOptions } from '../client/origins.ts';
import { answerOf, errorOf } from '../reports/answer.ts';
import { originOf, Sites, urlErrorOf } from './sites.ts';

/** Who asks about what. */
export interface Question {
  readonly url: string;
  readonly agent: string;
}

/** So many sites are asked at the same time for one request. */
const CONCURRENCY = 64;
/** After so many decisions in a row others get their turn. */
const TURN = 5_000;
/** Answers are handed on in pieces of so many characters. */
const PIECE = 256 * 1024;
/** What is kept for one site: answers for so many crawlers, and for so many rules. */
const MAX_AGENTS = 64;
const MAX_TAILS = 1_000;
/** Names of crawlers that are kept. */
const MAX_NAMES = 10_000;

/** Decides. What holds for a site is known to all requests. */
export class Decider {
  readonly #options: Omit<OriginsOptions, 'profile'>;
  readonly #origins: Map<Profile, Origins> = new Map();
  readonly #names: LRUCache<string, ResolvedAgent> = new LRUCache({ max: MAX_NAMES });
  readonly #sites: Sites = new Sites();
  /** By what holds, which is the same object as long as it is fresh, and by who asks. */
  readonly #answers: WeakMap<OriginState, Map<string, SiteAnswers>> = new WeakMap();
  /** Counts decisions. */
  readonly #onDecisions: (count: number) => void;

  constructor(options: Omit<OriginsOptions, 'profile'>, onDecisions: (count: number) => void = () => {}) {
    this.#options = options;
    this.#onDecisions = onDecisions;
  }

  /**
   * The answer to one question, in JSON.
   *
   * @throws {Problem} for what is no URL.
   * @throws the signal's reason if the caller gives up.
   */
  async decide(question: Question, profile: Profile, signal: AbortSignal): Promise<string> {
    const { url, agent } = question;
    const origin = this.#sites.originOf(url) ?? originOf(url);
    const state = await this.#originsFor(profile).holds(origin, { signal });
    this.#onDecisions(1);
    return this.#answersFor(state, agent, profile).answer(url);
  }

  /** The same, if it is known without asking anybody; `undefined` if not, and for what is no URL. */
  decideIfKnown({ url, agent }: Question, profile: Profile): string | undefined {
    const origin = this.#sites.originOf(url);
    if (origin === undefined) return undefined;
    const state = this.#originsFor(profile).known(origin);
    if (state === undefined) return undefined;
    this.#onDecisions(1);
    return this.#answersFor(state, agent, profile).answer(url);
  }

  /**
   * The answers to many questions, in their order, as far as they are known at each moment. What is no URL has an answer that
   * says so. Sites are asked ahead.
   *
   * @throws the signal's reason if the caller gives up.
   */
  async *decideAll(
    questions: readonly Question[],
    profile: Profile,
    signal: AbortSignal,
  ): AsyncGenerator<string[]> {
    const origins = questions.map(({ url }) => this.#sites.originOf(url));
    const states = this.#askAhead(origins, profile, signal);
    let texts: string[] = [];
    let chars = 0;
    let decided = 0;
    let [lastState, lastAgent, answers]: [OriginState?, string?, SiteAnswers?] = [];
    for (const [index, { url, agent }] of questions.entries()) {
      const origin = origins[index];
      if (origin === undefined) {
        texts.push(errorText(url, agent, urlErrorOf(url)));
        continue;
      }
      let state = states.get(origin) as OriginState | Promise<OriginState>;
      if (state instanceof Promise) {
        // What is known goes out before it is waited for.
        if (texts.length > 0) yield texts;
        [texts, chars] = [[], 0];
        state = await state;
      } else if (++decided % TURN === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
      if (state !== lastState || agent !== lastAgent || answers === undefined)
        answers = this.#answersFor(state, agent, profile);
      [lastState, lastAgent] = [state, agent];
      const answer = answers.answer(url);
      texts.push(answer);
      this.#onDecisions(1);
      chars += answer.length;
      if (chars < PIECE) continue;
      yield texts;
      [texts, chars] = [[], 0];
    }
    if (texts.length > 0) yield texts;
  }

  /** Resolves when it is known what holds for all sites. @throws the signal's reason if the caller gives up. */
  async askAll(questions: readonly Question[], profile: Profile, signal: AbortSignal): Promise<void> {
    const origins = questions.map(({ url }) => this.#sites.originOf(url));
    await Promise.all(this.#askAhead(origins, profile, signal).values());
  }

  /** Asks origins, so many at a time, in their order. For each what holds, as soon as that is known. */
  #askAhead(
    origins: readonly (string | undefined)[],
    profile: Profile,
    signal: AbortSignal,
  ): Map<string, OriginState | Promise<OriginState>> {
    const states = new Map<string, OriginState | Promise<OriginState>>();
    const known = this.#originsFor(profile);
    const later: (() => Promise<void>)[] = [];
    for (const origin of new Set(origins)) {
      if (origin === undefined) continue;
      const state = known.known(origin);
      if (state !== undefined) {
        states.set(origin, state);
        continue;
      }
      const { promise, resolve, reject } = deferred<OriginState>();
      // It may be that nobody comes to wait for it.
      promise.catch(() => {});
      states.set(origin, promise);
      later.push(() =>
        known.holds(origin, { signal }).then((found) => {
          states.set(origin, found);
          resolve(found);
        }, reject),
      );
    }
    const next = later.values();
    const ask = async (): Promise<void> => {
      for (const each of next) await each();
    };
    for (let lane = 0; lane < Math.min(CONCURRENCY, later.length); lane++) void ask();
    return states;
  }

  /** What holds for an origin now. @throws the signal's reason if the caller gives up. */
  async holds(origin: string, profile: Profile, signal: AbortSignal): Promise<OriginState> {
    const origins = this.#originsFor(profile);
    return origins.known(origin) ?? origins.holds(origin, { signal });
  }

  /** Resolves when nothing is being fetched any more. */
  async idle(): Promise<void> {
    await Promise.all(Array.from(this.#origins.values(), (each) => each.idle()));
  }

  #originsFor(profile: Profile): Origins {
    const origins = this.#origins.get(profile) ?? new Origins({ ...this.#options, profile });
    this.#origins.set(profile, origins);
    return origins;
  }

  #answersFor(state: OriginState, agent: string, profile: Profile): SiteAnswers {
    const known = this.#answers.get(state) ?? new Map<string, SiteAnswers>();
    const answers = known.get(agent);
    if (answers !== undefined) return answers;
    if (known.size >= MAX_AGENTS) known.clear();
    const made = new SiteAnswers(state, agent, this.#crawler(agent), profile);
    this.#answers.set(state, known.set(agent, made));
    return made;
  }

  #crawler(agent: string): ResolvedAgent {
    const known = this.#names.get(agent) ?? resolveAgent(agent);
    this.#names.set(agent, known);
    return known;
  }
}

/** Answers for one crawler about one site, as long as the same holds for it. */
class SiteAnswers {
  readonly #state: OriginState;
  readonly #named: ResolvedAgent;
  readonly #agent: string;
  readonly #profile: Profile;
  readonly #ruleset: Ruleset | undefined;
  /** What follows on the URL in an answer, by the line that decided, or else by what did. */
  readonly #tails: Map<number | string, string> = new Map();

  constructor(state: OriginState, agent: string, named: ResolvedAgent, profile: Profile) {
    this.#state = state;
    this.#agent = agent;
    this.#named = named;
    this.#profile = profile;
    this.#ruleset = state.use === 'rules' ? state.robots?.ruleset(named.crawler) : undefined;
  }

  /** The answer in JSON. */
  answer(url: string): string {
    const verdict = this.#decide(url);
    if (verdict.kind === 'out-of-scope') return errorText(url, this.#agent, errorOf(verdict));
    const { line, because } = verdict;
    const key = line > 0 ? line : because;
    let tail = this.#tails.get(key);
    if (tail === undefined) {
      if (this.#tails.size >= MAX_TAILS) this.#tails.clear();
      const named = { agent: this.#named.name, profile: this.#profile.name };
      tail = JSON.stringify({ ...named, ...answerOf(verdict), because, ...knowledgeOf(this.#state) }).slice(
        1,
      );
      this.#tails.set(key, tail);
    }
    return `{"url":${JSON.stringify(url)},${tail}`;
  }

  #decide(url: string): Verdict {
    if (this.#ruleset !== undefined) return this.#ruleset.decide(url);
    const { use } = this.#state;
    const because = use === 'absent' || use === 'outage-allows' ? use : 'unreachable';
    return decideWithoutFile(because, this.#named.crawler, url, { profile: this.#profile });
  }
}

/** What an answer rests on. */
function knowledgeOf({ use, history: { answer, outage }, askAt }: OriginState): object {
  const outcome = use === 'rules' ? 'found' : use;
  const at = use === 'rules' || outage === null ? answer?.fetchedAt : outage.lastAt;
  return {
    outcome,
    ...(outage !== null && { code: outage.code, reason: outage.reason }),
    ...(outage === null && answer?.reason && { code: answer.code, reason: answer.reason }),
    fetchedAt: at === undefined ? null : new Date(at).toISOString(),
    expiresAt: new Date(askAt).toISOString(),
  };
}

function deferred<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}

function errorText(url: string, agent: string, error: ReturnType<typeof errorOf>): string {
  return JSON.stringify({ url, agent, allowed: null, error });
}
