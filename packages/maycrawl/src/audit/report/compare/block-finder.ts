// Whether the rules of a run block URLs that the run does not contain.
import { RobotsLines } from '../../judge/robots-lines.ts';
import { RunPolicies } from '../../judge/run-policies.ts';
import type { RunStore } from '../../run/run-store.ts';
import { getSettings } from '../../run/settings.ts';
import { type Cause, createBlockCause } from './causes.ts';

/** Finds the rules that block URLs which a run does not contain. */
export class BlockFinder {
  readonly #agents: readonly string[];
  readonly #policies: RunPolicies;
  readonly #lines: RobotsLines;

  constructor(run: RunStore) {
    const { agents, profile } = getSettings(run);
    this.#agents = agents;
    this.#policies = new RunPolicies(run, agents, profile);
    this.#lines = new RobotsLines(run);
  }

  /** Returns the cause of a block; `null` if the crawler may fetch the URL, or the run has no robots.txt of its site. */
  find(url: string, agent: string): Cause | null {
    const verdict = this.#policies.decide(url, this.#agents.indexOf(agent));
    if (verdict?.kind !== 'disallowed') return null;
    return createBlockCause(verdict.line, this.#lines.line(url, verdict.line), verdict.reason);
  }
}
