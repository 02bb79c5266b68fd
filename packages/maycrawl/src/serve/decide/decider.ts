/**
 * Decisions for all clients: any crawler, URLs of any site, any profile.
 *
 * The event loop decides by itself where that takes at most a fraction of a millisecond, which is nearly always. By large files, and
 * about long URLs by files with many stars, a thread decides (decide-worker.ts).
 *
 * @module
 */

import type { OriginState, OriginsOptions } from '@maycrawl/client';
import { type TimeSlices, timeSlices } from '@maycrawl/client/event-loop';
import { isLocalFailure } from '@maycrawl/client/http';
import { Origins } from '@maycrawl/client/origins';
import { decideWithoutFile, type Profile, type RobotsTxt, type Verdict } from '@maycrawl/core';
import { errorOf } from '../../reports/answer.ts';
import { Problem, toProblem } from '../http/problems.ts';
import type { RunInThread } from '../limits/threads.ts';
import { FREE_STEPS, getCompileSteps, type Work } from '../limits/work.ts';
import type { NamedAgent } from './agents.ts';
import { AnswerTexts, formatNotDecided, formatRest, join, type NotDecided } from './answer-text.ts';
import type { DecideResult, DecideTask } from './decide-worker.ts';
import { type DocumentRules, RulesCache } from './document-rules.ts';
import { originOf, Sites, urlErrorOf } from './sites.ts';

/** A URL, and the crawler. */
export interface Question {
  readonly url: string;
  readonly agent: NamedAgent;
}

/** So many sites are asked at the same time for one request. */
const CONCURRENCY = 64;
/** Answers are handed on in pieces of so many characters. */
const PIECE = 256 * 1024;
/** By files with more bytes a thread decides: to compile their rules takes too long. */
const MAX_FILE_BYTES = 65_536;
/** Decisions with more steps are a thread's. */
const MAX_STEPS = 2_000_000;
/** A task for a thread has at most so many steps and URLs, unless it has only one URL. */
const MAX_TASK_STEPS = 200_000_000;
const MAX_TASK_URLS = 1_000;

/** Settings of {@link Decider}. */
export interface DeciderOptions extends Omit<OriginsOptions, 'profile'> {
  /** The thread for large files; the event loop decides all if omitted. */
  readonly runInThread?: RunInThread<DecideTask, DecideResult>;
  readonly slices?: TimeSlices;
  /** Counts decisions. */
  readonly onDecision?: () => void;
  /** Something is wrong with this machine, and a site could not be asked. */
  readonly onLocalFailure?: (origin: string, error: unknown) => void;
  /** Counts questions that were refused, by the code of the problem. */
  readonly onRefusal?: (code: Problem['code']) => void;
}

/** Decides. What is known of a site is shared by all requests. */
export class Decider {
  readonly #options: DeciderOptions;
  readonly #slices: TimeSlices;
  readonly #origins: Map<Profile, Origins> = new Map();
  readonly #sites: Sites = new Sites();
  readonly #rules: RulesCache = new RulesCache();
  readonly #texts: AnswerTexts = new AnswerTexts();
  /** Large files as threads share them. */
  readonly #shared: WeakMap<RobotsTxt, { readonly key: number; readonly bytes: Uint8Array }> = new WeakMap();
  #lastKey = 0;

  constructor(options: DeciderOptions) {
    this.#options = options;
    this.#slices = options.slices ?? timeSlices;
  }

  /**
   * The answer to one question, in JSON.
   *
   * @throws {Problem} for what is no URL, and when the work or the client's share is used up.
   * @throws the reason of the work's signal when it aborts.
   */
  async decide(question: Question, profile: Profile, work: Work): Promise<string> {
    const origin = this.#sites.originOf(question.url) ?? originOf(question.url);
    const state = await this.getState(origin, profile, work);
    if (this.#slices.isUsedUp()) await this.#slices.giveWay(work.signal);
    if (this.#isForThread(state, question.url)) {
      const [answer] = await this.#decideInThread(state, [question], profile, work);
      return answer as string;
    }
    return this.#decideNow(state, question, profile, work);
  }

  /**
   * The same, if it is known without a fetch, and takes no more work than usual; `undefined` if not, for what is no URL, and when
   * other requests must have their turn.
   */
  decideIfCheap({ url, agent }: Question, profile: Profile): string | undefined {
    if (this.#slices.isUsedUp()) return undefined;
    const origin = this.#sites.originOf(url);
    if (origin === undefined) return undefined;
    const state = this.#originsFor(profile).known(origin);
    if (state === undefined || this.#isForThread(state, url)) return undefined;
    const rules = this.#rulesFor(state);
    if (rules !== undefined) {
      if (rules.getMatchSteps(url) > FREE_STEPS) return undefined;
      const isCompiled = rules.has(agent.crawler);
      if (!isCompiled && getCompileSteps(rules.fileBytes) > FREE_STEPS) return undefined;
    }
    return this.#decideNow(state, { url, agent }, profile);
  }

  /**
   * The answers to many questions, in their order, as far as they are known at each moment. A question that cannot be answered
   * has an answer that says why. Sites are asked ahead.
   *
   * @throws the reason of the work's signal when it aborts.
   */
  async *decideAll(questions: readonly Question[], profile: Profile, work: Work): AsyncGenerator<string[]> {
    const states = await this.#askAhead(questions, profile, work);
    let texts: string[] = [];
    let chars = 0;
    for (let index = 0; index < questions.length; ) {
      const question = questions[index] as Question;
      const origin = this.#sites.originOf(question.url);
      let state = origin === undefined ? undefined : states.get(origin);
      if (state instanceof Promise) {
        // What is known goes out before the rest is waited for.
        if (texts.length > 0) yield texts;
        [texts, chars] = [[], 0];
        state = await state;
      }
      const answer = this.#tryDecideNow(state, question, profile, work);
      const answers =
        answer === undefined
          ? await this.#decideBatch(questions, index, profile, work, state as OriginState)
          : [answer];
      for (const each of answers) {
        texts.push(each);
        chars += each.length;
      }
      index += answers.length;
      if (chars >= PIECE) {
        yield texts;
        [texts, chars] = [[], 0];
      }
      if (this.#slices.isUsedUp()) await this.#slices.giveWay(work.signal);
    }
    if (texts.length > 0) yield texts;
  }

  /** The answer to one question, also if there is no verdict; `undefined` if a thread decides. */
  #tryDecideNow(
    state: OriginState | Problem | undefined,
    question: Question,
    profile: Profile,
    work: Work,
  ): string | undefined {
    const { url, agent } = question;
    if (state === undefined) return formatNotDecided(url, agent.name, urlErrorOf(url));
    if (state instanceof Problem) return this.#refuse(question, state);
    if (this.#isForThread(state, url)) return undefined;
    try {
      return this.#decideNow(state, question, profile, work);
    } catch (error) {
      if (error instanceof Problem) return this.#refuse(question, error);
      throw error;
    }
  }

  /** The answers of a thread to the question at `index`, and to further ones of the same site and crawler. */
  async #decideBatch(
    questions: readonly Question[],
    index: number,
    profile: Profile,
    work: Work,
    state: OriginState,
  ): Promise<string[]> {
    const batch = this.#getBatch(questions, index, state);
    try {
      return await this.#decideInThread(state, batch, profile, work);
    } catch (error) {
      work.signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      return batch.map((question) => this.#refuse(question, error));
    }
  }

  /** Questions from `index` on that one task of a thread answers. */
  #getBatch(questions: readonly Question[], index: number, state: OriginState): Question[] {
    const [first] = questions.slice(index, index + 1) as [Question];
    const rules = this.#rulesFor(state);
    const batch = [first];
    let steps = rules?.getMatchSteps(first.url) ?? 0;
    for (let at = index + 1; at < questions.length && batch.length < MAX_TASK_URLS; at++) {
      const { url, agent } = questions[at] as Question;
      if (agent.crawler !== first.agent.crawler || this.#sites.originOf(url) !== state.origin) break;
      steps += rules?.getMatchSteps(url) ?? 0;
      if (steps > MAX_TASK_STEPS) break;
      batch.push(questions[at] as Question);
    }
    return batch;
  }

  #refuse({ url, agent }: Question, { code, message }: Problem): string {
    this.#options.onRefusal?.(code);
    return formatNotDecided(url, agent.name, { code, message });
  }

  /**
   * Resolves when the policies of all sites are known.
   *
   * @throws the reason of the work's signal when it aborts.
   */
  async askAll(questions: readonly Question[], profile: Profile, work: Work): Promise<void> {
    for (const state of (await this.#askAhead(questions, profile, work)).values()) await state;
  }

  /** Asks sites, so many at a time, in their order. For each the policy, or why there is none, as soon as that is known. */
  async #askAhead(
    questions: readonly Question[],
    profile: Profile,
    work: Work,
  ): Promise<Map<string, OriginState | Problem | Promise<OriginState | Problem>>> {
    const states = new Map<string, OriginState | Problem | Promise<OriginState | Problem>>();
    const known = this.#originsFor(profile);
    const later: (() => Promise<void>)[] = [];
    for (const { url } of questions) {
      if (this.#slices.isUsedUp()) await this.#slices.giveWay(work.signal);
      const origin = this.#sites.originOf(url);
      if (origin === undefined || states.has(origin)) continue;
      const state = known.known(origin);
      if (state !== undefined) {
        states.set(origin, state);
        continue;
      }
      const { promise, resolve, reject } = deferred<OriginState | Problem>();
      // It may be that the loop ends before it comes to wait for it.
      promise.catch(() => {});
      states.set(origin, promise);
      later.push(async () => {
        if (work.signal.aborted) return reject(work.signal.reason);
        const found = await this.getState(origin, profile, work).catch((error: unknown) => {
          if (error instanceof Problem && !work.signal.aborted) return error;
          reject(error);
          return undefined;
        });
        if (found === undefined) return;
        states.set(origin, found);
        resolve(found);
      });
    }
    const next = later.values();
    const ask = async (): Promise<void> => {
      for (const each of next) {
        // A site on a private address has its result without any I/O, after which the event loop would do other work.
        if (this.#slices.isUsedUp()) await this.#slices.giveWay();
        await each();
      }
    };
    for (let index = 0; index < Math.min(CONCURRENCY, later.length); index++) void ask();
    return states;
  }

  /**
   * The policy of a site now.
   *
   * @throws {Problem} if the client has caused as many requests as it may, and if this machine cannot ask.
   * @throws the reason of the work's signal when it aborts.
   */
  async getState(origin: string, profile: Profile, { client, signal }: Work): Promise<OriginState> {
    const origins = this.#originsFor(profile);
    const known = origins.known(origin);
    if (known !== undefined) return known;
    client.countRequests();
    try {
      return await client.fetches.run(() => origins.holds(origin, { signal }), signal);
    } catch (error) {
      if (!isLocalFailure(error)) throw error;
      this.#options.onLocalFailure?.(origin, error);
      throw toProblem(error);
    }
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

  /** The rulesets that decide about a site; `undefined` if no file does. */
  #rulesFor({ use, robots }: OriginState): DocumentRules | undefined {
    return use === 'rules' && robots !== null ? this.#rules.get(robots) : undefined;
  }

  #isForThread(state: OriginState, url: string): boolean {
    const rules = this.#options.runInThread && this.#rulesFor(state);
    if (rules === undefined) return false;
    return rules.fileBytes > MAX_FILE_BYTES || rules.getMatchSteps(url) > MAX_STEPS;
  }

  /** Decides in this thread. @throws {Problem} if the work is used up. */
  #decideNow(state: OriginState, { url, agent }: Question, profile: Profile, work?: Work): string {
    this.#options.onDecision?.();
    const verdict = this.#getVerdict(state, url, agent, profile, work);
    if (verdict.kind === 'out-of-scope') return formatNotDecided(url, agent.name, errorOf(verdict));
    return this.#texts.format(url, agent.name, profile.name, state, verdict);
  }

  #getVerdict(state: OriginState, url: string, agent: NamedAgent, profile: Profile, work?: Work): Verdict {
    const rules = this.#rulesFor(state);
    if (rules !== undefined) {
      const steps = rules.getMatchSteps(url);
      work?.require(steps);
      const verdict = rules.get(agent.crawler, work).decide(url);
      work?.addDecision(steps);
      return verdict;
    }
    const { use } = state;
    const reason = use === 'absent' || use === 'outage-expired' ? use : 'unreachable';
    return decideWithoutFile(reason, agent.crawler, url, { profile });
  }

  /** Decides about questions of one crawler and one site in a thread. @throws {Problem} if the work is used up. */
  async #decideInThread(
    state: OriginState,
    questions: readonly Question[],
    profile: Profile,
    work: Work,
  ): Promise<string[]> {
    const { runInThread } = this.#options;
    const [first] = questions;
    const rules = this.#rulesFor(state);
    if (rules === undefined || first === undefined || runInThread === undefined)
      throw new Error('a thread decides by files alone');
    const { crawler, name } = first.agent;
    const steps = questions.reduce((sum, { url }) => sum + rules.getMatchSteps(url), 0);
    // The thread compiles the rules of a crawler that it has not seen; which ones it has is not known here.
    work.require(steps);
    work.require(getCompileSteps(rules.fileBytes));
    const { key, bytes } = this.#share(rules.robots);
    const task: DecideTask = {
      ...{ key, bytes, crawler, origin: state.origin, profile: profile.name },
      urls: questions.map(({ url }) => url),
    };
    const { results, indexes, compiled } = await runInThread(task, steps, work);
    for (const { url } of questions) work.addDecision(rules.getMatchSteps(url));
    if (compiled) work.addDecision(getCompileSteps(rules.fileBytes));
    const rests = results.map((each) => ('code' in each ? each : formatRest(profile.name, state, each)));
    return questions.map(({ url }, index) => {
      this.#options.onDecision?.();
      const rest = rests[indexes[index] as number] as string | NotDecided;
      return typeof rest === 'string' ? join(url, name, rest) : formatNotDecided(url, name, rest);
    });
  }

  #share(robots: RobotsTxt): { readonly key: number; readonly bytes: Uint8Array } {
    const known = this.#shared.get(robots);
    if (known !== undefined) return known;
    const { bytes } = robots;
    const shared = { key: ++this.#lastKey, bytes: new Uint8Array(new SharedArrayBuffer(bytes.length)) };
    shared.bytes.set(bytes);
    this.#shared.set(robots, shared);
    return shared;
  }
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
