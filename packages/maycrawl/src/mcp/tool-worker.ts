// The thread that computes the results of tools. A proof about a hostile file may take seconds.
import { getProfile } from '../serve/decide/profile-name.ts';
import type { ToolResult } from './tool.ts';
import type { CompareTask } from './tools/compare-robots.ts';
import type { ExplainTask } from './tools/explain-robots.ts';
import type { LintInput } from './tools/lint-robots.ts';
import type { MayFetchTask } from './tools/may-fetch.ts';
import type { SetPreferencesInput } from './tools/set-preferences.ts';

/** What a tool computes. */
export type ToolWork =
  | { readonly tool: 'may_fetch'; readonly task: MayFetchTask }
  | { readonly tool: 'explain_robots'; readonly task: ExplainTask }
  | { readonly tool: 'lint_robots'; readonly task: LintInput }
  | { readonly tool: 'compare_robots'; readonly task: CompareTask }
  | { readonly tool: 'set_preferences'; readonly task: SetPreferencesInput };

/** The work of a call, under a profile. */
export type ToolTask = ToolWork & {
  /** The name of an existing profile. */
  readonly profile: string;
};

/** Computes the result of a call. Tools are loaded when they are called: decisions need no proofs and no catalogue. */
export async function examine(call: ToolTask): Promise<ToolResult> {
  const profile = getProfile(call.profile);
  switch (call.tool) {
    case 'may_fetch':
      return (await import('./tools/may-fetch.ts')).mayFetch(call.task, profile);
    case 'explain_robots':
      return (await import('./tools/explain-robots.ts')).explainRobots(call.task, profile);
    case 'lint_robots':
      return (await import('./tools/lint-robots.ts')).lintRobots(call.task, profile);
    case 'compare_robots':
      return (await import('./tools/compare-robots.ts')).compareRobots(call.task, profile);
    case 'set_preferences':
      return (await import('./tools/set-preferences.ts')).setRobotsPreferences(call.task, profile);
  }
}
