// What a file declares about the use of content: its declarations, and the preferences of agents that follow from them.
import { GLOBAL_CRAWLER, type RobotsTxt } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import {
  type ConflictCode,
  type ListedDeclaration,
  listDeclarations,
  MAIN_PURPOSES,
  type PreferenceFormat,
  PreferenceReader,
  type PreferenceReport,
  type PreferenceValue,
} from '@maycrawl/core/preferences';
import type { AgentSet, GroupKind, JudgedAgents } from './judged-agents.ts';

/** A label of a declaration; one that declares nothing has no label. */
export interface DeclarationItem {
  readonly format: PreferenceFormat;
  readonly dialect: string | null;
  readonly label: string | null;
  readonly purpose: string | null;
  readonly value: 'allowed' | 'disallowed' | 'unknown' | null;
  /** The user-agent lines of the group with commas between them; `null` before the first group. */
  readonly agents: string | null;
  readonly path: string | null;
  readonly line: number | null;
  /** The declaration as written, without its field; for a License line the URL. */
  readonly text: string;
}

/** The values of the home page by purpose, in the order of `MAIN_PURPOSES`. */
export type PurposeValues = readonly PreferenceValue[];

/** What is declared to an agent about the use of the home page. */
export interface AgentPreference {
  readonly agent: string;
  /** By the reading `grouped`: the groups of the agent count. */
  readonly grouped: PurposeValues;
  /** By the reading `global`: declarations of `*` count for all agents. */
  readonly global: PurposeValues;
}

/** A contradiction in what is declared to an agent about a purpose. */
export interface AgentConflict {
  readonly agent: string;
  readonly purpose: string;
  readonly code: ConflictCode;
}

/** What a file declares. */
export interface DeclaredPreferences {
  readonly declarations: readonly DeclarationItem[];
  /** The number of declaring lines that are not among them. */
  readonly omittedDeclarations: number;
  /** For `*` and each judged agent, unless nothing is declared to it. */
  readonly preferences: readonly AgentPreference[];
  readonly conflicts: readonly AgentConflict[];
}

/** The preferences of a file without declarations. */
export const NO_PREFERENCES: DeclaredPreferences = {
  declarations: [],
  omittedDeclarations: 0,
  preferences: [],
  conflicts: [],
};

/** Lines of a file whose declarations are listed. */
const MAX_LINES = 100;
const MAX_AGENTS_CHARS = 300;
/** The page whose preferences are read. The path decides, not the host. */
const HOME_PAGE = 'https://example.com/';

/** The preferences of agents, and the contradictions in them. */
type AgentPreferences = Pick<DeclaredPreferences, 'preferences' | 'conflicts'>;

/** Reads what files declare to the same agents. */
export class PreferenceJudge {
  readonly #agents: JudgedAgents;
  /** The results of {@link readGoverned} for an agent, by its name and its verdict for the home page. */
  readonly #governed: Map<string, AgentPreferences> = new Map();

  constructor(agents: JudgedAgents) {
    this.#agents = agents;
  }

  /**
   * Reads what a file declares to all agents. The file need not declare anything.
   *
   * @param groupKinds - for each judged agent, why groups apply to it.
   */
  readDeclared(robots: RobotsTxt, groupKinds: readonly GroupKind[]): DeclaredPreferences {
    const { declarations, omitted } = listDeclarations(robots, { limit: MAX_LINES });
    return {
      declarations: declarations.flatMap(toItems),
      omittedDeclarations: omitted,
      ...readAgentPreferences(robots, this.#agents.divide(groupKinds)),
    };
  }

  /**
   * Reads what a file without declarations states to agents that policy tokens govern: no group names the tokens, so they have the rules of
   * `*`, and an agent may have others. The result for an agent depends on nothing but its verdict for the home page.
   *
   * @param groupKinds - for each judged agent, why groups apply to it.
   */
  readGoverned(robots: RobotsTxt, groupKinds: readonly GroupKind[]): DeclaredPreferences {
    const differing = this.#agents.selectGoverned(groupKinds);
    if (differing.length === 0 || robots.ruleset(GLOBAL_CRAWLER).decide('/').kind !== 'disallowed')
      return NO_PREFERENCES;
    const results = differing.map((set) => {
      const key = `${set.names.join()} ${robots.ruleset(set.crawler).decide('/').kind}`;
      const known = this.#governed.get(key) ?? readAgentPreferences(robots, [set]);
      this.#governed.set(key, known);
      return known;
    });
    return {
      ...NO_PREFERENCES,
      preferences: results.flatMap(({ preferences }) => preferences),
      conflicts: results.flatMap(({ conflicts }) => conflicts),
    };
  }
}

function readAgentPreferences(robots: RobotsTxt, sets: readonly AgentSet[]): AgentPreferences {
  const preferences: AgentPreference[] = [];
  const conflicts: AgentConflict[] = [];
  for (const { crawler, names } of sets) {
    const report = new PreferenceReader({ policy: { kind: 'rules', robots } }, crawler).read(HOME_PAGE);
    if (!isDeclared(report)) continue;
    const [grouped, global] = [getValues(report, 'grouped'), getValues(report, 'global')];
    for (const agent of names) {
      preferences.push({ agent, grouped, global });
      for (const { purpose, code } of report.conflicts) conflicts.push({ agent, purpose, code });
    }
  }
  return { preferences, conflicts };
}

/** Whether a use is allowed or refused under a reading. Where nothing may be fetched, only a conflict is worth reporting. */
function isDeclared({ purposes, conflicts }: PreferenceReport): boolean {
  return (
    conflicts.length > 0 ||
    Object.values(purposes).some(({ readings }) =>
      Object.values(readings).some((value) => value === 'allowed' || value === 'disallowed'),
    )
  );
}

function getValues({ purposes }: PreferenceReport, reading: 'grouped' | 'global'): PurposeValues {
  return MAIN_PURPOSES.map((purpose) => purposes[purpose]?.readings[reading] ?? 'unknown');
}

function toItems({ format, text, line, path, agents, statements }: ListedDeclaration): DeclarationItem[] {
  const names = agents === null ? null : truncate(agents.join(', '), MAX_AGENTS_CHARS);
  const common = { format, agents: names, path, line, text };
  if (statements.length === 0) return [{ ...common, dialect: null, label: null, purpose: null, value: null }];
  return statements.map(({ dialect, label, purpose, value }) => ({
    ...common,
    ...{ dialect, label, purpose, value },
  }));
}
