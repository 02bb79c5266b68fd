// The preferences of URLs for an HTML report.

import type { ValueIndex, ValueTable } from '../../../reports/report-data.ts';
import type { StoredPreferences } from '../../run/records/preferences.ts';
import type { PreferenceTables } from '../../run/tables/preference-tables.ts';
import type { UrlRow } from './report-data.ts';

/** Different preferences with their statements; further ones have only their values. */
const MAX_PREFERENCES = 10_000;

/** Collects the preferences of URLs. */
export class HtmlUses {
  readonly #tables: PreferenceTables;
  readonly #agents: number;
  readonly #isEmpty: boolean;
  readonly #values: ValueTable;
  readonly #preferences: Set<ValueIndex<StoredPreferences>> = new Set();

  /** @param agents - number of crawlers. */
  constructor(tables: PreferenceTables, agents: number, values: ValueTable) {
    this.#tables = tables;
    this.#agents = agents;
    this.#isEmpty = tables.isEmpty;
    this.#values = values;
  }

  /** The preferences of a URL for all crawlers; `null` if nothing is declared. */
  findUse(key: number): UrlRow['use'] {
    if (this.#isEmpty) return null;
    const use = Array.from({ length: this.#agents }, (_, agent) => {
      const found = this.#tables.find(key, agent);
      return found === null ? null : this.#add(found);
    });
    return use.every((each) => each === null) ? null : this.#values.add(use);
  }

  #add(preferences: StoredPreferences): ValueIndex<StoredPreferences> {
    const index = this.#values.add(this.#limit(preferences));
    this.#preferences.add(index);
    return index;
  }

  #limit(preferences: StoredPreferences): StoredPreferences {
    if (this.#preferences.size < MAX_PREFERENCES) return preferences;
    const purposes = Object.entries(preferences.purposes).map(([purpose, { value, format, source }]) => [
      purpose,
      { value, format, source, statement: null, others: [], readings: {} },
    ]);
    return { purposes: Object.fromEntries(purposes), licenses: [], conflicts: [] };
  }
}
