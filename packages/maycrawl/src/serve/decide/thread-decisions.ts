// Decisions that a thread makes (decide-worker.ts): by large files, and about long URLs by files with many wildcards. The event loop
// would be blocked for too long.
import type { OriginState } from '@maycrawl/client';
import type { Profile, RobotsTxt } from '@maycrawl/core';
import type { RunInThread } from '../limits/threads.ts';
import { FREE_STEPS, type Work } from '../limits/work.ts';
import type { DecisionRequest } from './agents.ts';
import type { DecideResult, DecideTask } from './decide-worker.ts';
import { formatNotDecided, formatRest, join, type NotDecided } from './decision-text.ts';
import type { DocumentRules } from './document-rules.ts';
import type { Sites } from './sites.ts';

/** A thread decides by files with more bytes: to compile their rules takes too long. */
const MAX_FILE_BYTES = 65_536;
/** A thread makes decisions with more steps. */
const MAX_STEPS = 2_000_000;
/** Limits of one task, unless it has only one URL. */
const MAX_TASK_STEPS = 200_000_000;
const MAX_TASK_URLS = 1_000;

/** Whether a thread decides about a URL by these rules. */
export function needsThread(rules: DocumentRules, url: string): boolean {
  return rules.fileBytes > MAX_FILE_BYTES || rules.getMatchSteps(url) > MAX_STEPS;
}

/** The requests from `index` on that one task decides: those of one site and crawler that follow each other. */
export function getBatch(
  requests: readonly DecisionRequest[],
  index: number,
  origin: string,
  rules: DocumentRules,
  sites: Sites,
): DecisionRequest[] {
  const [first] = requests.slice(index, index + 1) as [DecisionRequest];
  const batch = [first];
  let steps = rules.getMatchSteps(first.url);
  for (let at = index + 1; at < requests.length && batch.length < MAX_TASK_URLS; at++) {
    const { url, agent } = requests[at] as DecisionRequest;
    if (agent.crawler !== first.agent.crawler || sites.parseOrigin(url) !== origin) break;
    steps += rules.getMatchSteps(url);
    if (steps > MAX_TASK_STEPS) break;
    batch.push(requests[at] as DecisionRequest);
  }
  return batch;
}

export class ThreadDecisions {
  readonly #run: RunInThread<DecideTask, DecideResult>;
  readonly #onDecision: () => void;
  /** Files as threads share them. */
  readonly #shared: WeakMap<RobotsTxt, { readonly key: number; readonly bytes: Uint8Array }> = new WeakMap();
  #lastKey = 0;

  /** @param onDecision - counts decisions. */
  constructor(run: RunInThread<DecideTask, DecideResult>, onDecision: () => void) {
    this.#run = run;
    this.#onDecision = onDecision;
  }

  /**
   * Decides about requests of one crawler and one site.
   *
   * @param requests - at least one.
   * @throws {Problem} if the client has used up its time for work.
   */
  async decide(
    state: OriginState,
    rules: DocumentRules,
    requests: readonly DecisionRequest[],
    profile: Profile,
    work: Work,
  ): Promise<string[]> {
    const [{ agent }] = requests as readonly [DecisionRequest, ...DecisionRequest[]];
    const steps = requests.reduce((sum, { url }) => sum + rules.getMatchSteps(url), 0);
    // The thread compiles the rules of a crawler that are new to it. Which it has is not known here.
    work.client.requireWork();
    const { key, bytes } = this.#share(rules.robots);
    const task: DecideTask = {
      ...{ key, bytes, crawler: agent.crawler, origin: state.origin, profile: profile.name },
      urls: requests.map(({ url }) => url),
    };
    const { results, indexes, compiled, time } = await this.#run(task, steps, work);
    const isFree = !compiled && requests.every(({ url }) => rules.getMatchSteps(url) <= FREE_STEPS);
    if (!isFree) work.client.addWork(time);
    const rests = results.map((each) => ('code' in each ? each : formatRest(profile.name, state, each)));
    return requests.map(({ url }, index) => {
      this.#onDecision();
      const rest = rests[indexes[index] as number] as string | NotDecided;
      return typeof rest === 'string' ? join(url, agent.name, rest) : formatNotDecided(url, agent.name, rest);
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
