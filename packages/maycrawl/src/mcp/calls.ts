// Calls of tools: what they need before a thread computes the result, their limits, and their errors.
import { isLocalFailure } from '@maycrawl/client/internal';
import { truncate } from '@maycrawl/core/internal';
import type { SettingPurpose } from '@maycrawl/core/preferences';
import { createSettings } from '../preferences/create-settings.ts';
import { Agents } from '../serve/decide/agents.ts';
import { Problem } from '../serve/http/problems.ts';
import { FairQueue, type QueueClient } from '../serve/limits/fair-queue.ts';
import { LIMITS } from '../serve/limits/limits.ts';
import { formatDuration } from '../text/durations.ts';
import { visible } from '../text/printable.ts';
import { runWithin, TaskLimitError } from '../threads/run-within.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import { Sites, type SitesOptions, toGivenRobots } from './sites.ts';
import type { NamedAgent, ToolDescription, ToolResult } from './tool.ts';
import type { ToolTask, ToolWork } from './tool-worker.ts';
import { COMPARE_ROBOTS, type CompareInput } from './tools/compare-robots.ts';
import { EXPLAIN_ROBOTS, type ExplainInput } from './tools/explain-robots.ts';
import { LINT_ROBOTS, type LintInput } from './tools/lint-robots.ts';
import { MAY_FETCH, type MayFetchInput } from './tools/may-fetch.ts';
import { SET_PREFERENCES, type SetPreferencesInput } from './tools/set-preferences.ts';

/** All tools, in the order in which clients list them. */
export const TOOLS: readonly ToolDescription[] = [
  MAY_FETCH,
  EXPLAIN_ROBOTS,
  LINT_ROBOTS,
  COMPARE_ROBOTS,
  SET_PREFERENCES,
];

/** Limits of the calls of one client. Times are milliseconds. */
export interface CallLimits {
  /** Calls that run at the same time. */
  readonly concurrency: number;
  /** Twice the number of calls that wait. */
  readonly waiting: number;
  /** From the call to its result. */
  readonly time: number;
  /** Time of one task in a thread. */
  readonly threadTime: number;
}

const CALL_LIMITS: CallLimits = { concurrency: 16, waiting: 128, time: 60_000, threadTime: 20_000 };
const THREADS = 2;

export interface CallsOptions extends SitesOptions {
  /** The crawler of calls that name none. */
  readonly agent: string;
  readonly limits?: Partial<CallLimits>;
  /** Receives what is no fault of a caller. */
  readonly onError: (error: unknown) => void;
}

/** A call that cannot have a result. The message is one line for the caller. */
export class CallError extends Error {
  override readonly name = 'CallError';
}

/** Runs calls of tools. */
export class Calls {
  readonly #sites: Sites;
  readonly #agents: Agents = new Agents(LIMITS);
  readonly #agent: string;
  readonly #profile: string;
  readonly #limits: CallLimits;
  readonly #queue: FairQueue;
  readonly #client: QueueClient = {};
  readonly #pool: ThreadPool<ToolTask, ToolResult>;
  readonly #onError: (error: unknown) => void;

  constructor({ agent, limits, onError, ...sites }: CallsOptions) {
    this.#sites = new Sites(sites);
    this.#agent = agent;
    this.#profile = sites.profile;
    this.#limits = { ...CALL_LIMITS, ...limits };
    this.#queue = new FairQueue({ places: this.#limits.concurrency, limit: this.#limits.waiting });
    this.#onError = onError;
    const file = new URL('./tool-worker.js', import.meta.url);
    this.#pool = new ThreadPool({ file, threads: THREADS, onError });
  }

  /**
   * Runs a call.
   *
   * @param input - the arguments, which fit the schema of the tool.
   * @throws {CallError} if there is no result.
   * @throws the signal's reason if it aborts.
   */
  async run(tool: string, input: unknown, signal: AbortSignal): Promise<ToolResult> {
    const { time, threadTime } = this.#limits;
    const late = AbortSignal.timeout(time);
    const both = AbortSignal.any([signal, late]);
    try {
      return await this.#queue.run(this.#client, both, async () => {
        const work = await this.#prepare(tool, input, both);
        return runWithin(this.#pool, { ...work, profile: this.#profile }, both, threadTime);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) throw new CallError(`the call took longer than ${formatDuration(time)}`);
      throw this.#toCallError(error);
    }
  }

  /** Ends the threads, and waits for requests. */
  async close(): Promise<void> {
    await this.#pool.close();
    await this.#sites.idle();
  }

  async #prepare(tool: string, input: unknown, signal: AbortSignal): Promise<ToolWork> {
    switch (tool) {
      case 'may_fetch': {
        const { url, agent = this.#agent, purpose } = input as MayFetchInput;
        const named = this.#agents.resolve(agent);
        return { tool, task: { url, agent: named, purpose, robots: await this.#sites.read(url, signal) } };
      }
      case 'explain_robots': {
        const { url, text, agents } = input as ExplainInput;
        if ((url === undefined) === (text === undefined)) throw new CallError('give either "url" or "text"');
        const named = this.#resolve(agents);
        const robots =
          url === undefined ? toGivenRobots(text as string) : await this.#sites.read(url, signal);
        return { tool, task: { agents: named, robots } };
      }
      case 'lint_robots':
        return { tool, task: input as LintInput };
      case 'compare_robots': {
        const { before, after, agents } = input as CompareInput;
        return { tool, task: { before, after, agents: this.#resolve(agents) } };
      }
      case 'set_preferences': {
        const task = input as SetPreferencesInput;
        requireSettings(task);
        return { tool, task };
      }
      default:
        throw new CallError('there is no such tool');
    }
  }

  #resolve(names: readonly string[] | undefined): NamedAgent[] | undefined {
    return names && [...new Set(names)].map((name) => this.#agents.resolve(name));
  }

  #toCallError(error: unknown): CallError {
    if (error instanceof CallError) return error;
    const message = truncate(visible(error instanceof Error ? error.message : String(error)), 500);
    if (error instanceof Problem || error instanceof TaskLimitError) return new CallError(message);
    if (isLocalFailure(error)) return new CallError(`this machine cannot send requests: ${message}`);
    this.#onError(error);
    return new CallError(`internal error: ${message}`);
  }
}

/** @throws {CallError} unless the settings can be written. */
function requireSettings({ refuse = [], allow = [] }: SetPreferencesInput): void {
  const lists: Readonly<Record<'refuse' | 'allow', readonly SettingPurpose[]>> = { refuse, allow };
  try {
    createSettings(lists, ['refuse', 'allow']);
  } catch (error) {
    throw new CallError((error as Error).message);
  }
}
