// How the content of a run may be used, in numbers: URLs by crawler, purpose, preference and format.
import { MAIN_PURPOSES, type PreferenceFormat } from '@maycrawl/core/preferences';
import { TDMREP_FILES } from '../run/records/site-facts.ts';
import type { RunStore } from '../run/run-store.ts';

/** URLs by the preference about one purpose. */
interface PurposeCount {
  readonly allowed: number;
  readonly disallowed: number;
  /** Nothing usable is declared. */
  readonly unknown: number;
  /** The crawler may not fetch the URL. */
  readonly notApplicable: number;
  /** URLs by preference and format of the deciding statement. */
  readonly formats: readonly {
    readonly value: 'allowed' | 'disallowed';
    readonly format: PreferenceFormat;
    readonly count: number;
  }[];
}

/** The preferences for one crawler. */
interface AgentUse {
  readonly agent: string;
  readonly purposes: Readonly<Record<string, PurposeCount>>;
}

/** How the content may be used. Only URLs with a status of 2xx count, and URLs that the crawler may not fetch. */
export interface UseSummary {
  /** The main purposes, and others about which something is declared. */
  readonly purposes: readonly string[];
  readonly agents: readonly AgentUse[];
  /** The sites that have a tdmrep.json, and why it cannot be used. */
  readonly tdmrep: readonly { readonly origin: string; readonly problem: string | null }[];
}

interface Count {
  allowed: number;
  disallowed: number;
  unknown: number;
  readonly formats: Map<string, number>;
}

/** Summarizes the preferences of a judged run; `null` if nothing is declared. */
export function summarizeUse(run: RunStore, agents: readonly string[]): UseSummary | null {
  const tdmrep = listTdmRepFiles(run);
  if (run.preferences.isEmpty && tdmrep.length === 0) return null;
  const rows = run.preferences.count();
  const purposes = new Set<string>(MAIN_PURPOSES);
  for (const { preferences: id } of rows)
    if (id !== null) for (const name of Object.keys(run.preferences.read(id).purposes)) purposes.add(name);
  const counts = agents.map(() => new Map(Array.from(purposes, (name) => [name, createCount()])));
  const blocked = agents.map(() => 0);
  for (const { agent, allowed, preferences: id, count } of rows) {
    if (allowed === 0) {
      blocked[agent] = (blocked[agent] ?? 0) + count;
      continue;
    }
    const declared = id === null ? {} : run.preferences.read(id).purposes;
    for (const [name, each] of counts[agent] ?? []) {
      const { value = 'unknown', format = null } = declared[name] ?? {};
      each[value] += count;
      if (format === null) continue;
      const key = `${value} ${format}`;
      each.formats.set(key, (each.formats.get(key) ?? 0) + count);
    }
  }
  return {
    purposes: [...purposes],
    agents: agents.map((agent, place) => ({
      agent,
      purposes: Object.fromEntries(
        Array.from(counts[place] ?? [], ([name, count]) => [
          name,
          toPurposeCount(count, blocked[place] ?? 0),
        ]),
      ),
    })),
    tdmrep,
  };
}

function createCount(): Count {
  return { allowed: 0, disallowed: 0, unknown: 0, formats: new Map() };
}

function toPurposeCount({ formats, ...values }: Count, notApplicable: number): PurposeCount {
  return {
    ...values,
    notApplicable,
    formats: [...formats].map(([key, count]) => {
      const [value, format] = key.split(' ') as ['allowed' | 'disallowed', PreferenceFormat];
      return { value, format, count };
    }),
  };
}

function listTdmRepFiles(run: RunStore): UseSummary['tdmrep'] {
  const files: { origin: string; problem: string | null }[] = [];
  for (const origin of run.rows.originsOfRobots()) {
    const file = TDMREP_FILES.get(run, origin);
    if (file !== null && (file.text !== null || file.problem !== null))
      files.push({ origin, problem: file.problem });
  }
  return files;
}
