// Preferences about the use of content that changed from one run to another, in numbers of URLs.
import { timeSlices } from '@maycrawl/client/internal';
import { MAIN_PURPOSES } from '@maycrawl/core/preferences';
import type { RunStore } from '../../run/run-store.ts';
import { getSettings } from '../../run/settings.ts';
import type { UseRow } from '../../run/tables/preference-tables.ts';

/** URLs whose preference about a purpose changed in the same way. */
export interface PreferenceChange {
  readonly kind: 'preference';
  readonly agent: string;
  readonly purpose: string;
  readonly before: string;
  readonly after: string;
  readonly urls: number;
  /** The first URLs. */
  readonly examples: readonly string[];
}

/** URLs of a change that are named. */
const MAX_EXAMPLES = 3;

/** Counts the changes between URLs of both runs, the most URLs first. */
export async function comparePreferences(before: RunStore, after: RunStore): Promise<PreferenceChange[]> {
  if (before.preferences.isEmpty && after.preferences.isEmpty) return [];
  const [{ agents: former }, { agents }] = [getSettings(before), getSettings(after)];
  const changes = new Map<string, PreferenceChange>();
  for (const row of after.preferences.rows()) {
    const agent = agents[row.agent] ?? '';
    const place = former.indexOf(agent);
    const key = place < 0 ? undefined : before.findKey(row.url);
    const old = key === undefined ? undefined : before.preferences.findRow(key, place);
    if (old === undefined) continue;
    for (const purpose of MAIN_PURPOSES) {
      const [was, is] = [getValue(before, old, purpose), getValue(after, row, purpose)];
      if (was === is) continue;
      const name = JSON.stringify([agent, purpose, was, is]);
      const { urls = 0, examples = [] } = changes.get(name) ?? {};
      changes.set(name, {
        ...{ kind: 'preference', agent, purpose, before: was, after: is, urls: urls + 1 },
        examples: examples.length < MAX_EXAMPLES ? [...examples, row.url] : examples,
      });
    }
    if (timeSlices.isUsedUp()) await timeSlices.giveWay();
  }
  return [...changes.values()].sort((a, b) => b.urls - a.urls);
}

function getValue(run: RunStore, { allowed, preferences }: UseRow, purpose: string): string {
  if (allowed === 0) return 'not-applicable';
  const declared = preferences === null ? undefined : run.preferences.read(preferences).purposes[purpose];
  return declared?.value ?? 'unknown';
}
