/**
 * The preferences of URLs for an HTML report.
 *
 * @module
 */

import { Interned } from '../../../reports/interned.ts';
import type { StoredPreferences } from '../../run/records/preferences.ts';
import type { PreferenceTables } from '../../run/tables/preference-tables.ts';

/** Different preferences with their statements; further ones have only their values. */
const MAX_PREFERENCES = 10_000;

/** Collects preferences, and gives URLs with the same ones the same number. */
export class HtmlUses {
  readonly preferences: Interned<StoredPreferences> = new Interned();
  /** For each crawler the number of its preferences, or `null`. */
  readonly uses: Interned<readonly (number | null)[]> = new Interned();
  readonly #tables: PreferenceTables;
  readonly #agents: number;
  readonly #isEmpty: boolean;

  /** @param agents - number of crawlers. */
  constructor(tables: PreferenceTables, agents: number) {
    this.#tables = tables;
    this.#agents = agents;
    this.#isEmpty = tables.isEmpty;
  }

  /** The number of the preferences of a URL for all crawlers; `null` if nothing is declared. */
  findUse(key: number): number | null {
    if (this.#isEmpty) return null;
    const use = Array.from({ length: this.#agents }, (_, agent) => {
      const found = this.#tables.find(key, agent);
      return found === null ? null : this.preferences.number(this.#limit(found));
    });
    return use.every((each) => each === null) ? null : this.uses.number(use);
  }

  #limit(preferences: StoredPreferences): StoredPreferences {
    if (this.preferences.values.length < MAX_PREFERENCES) return preferences;
    const purposes = Object.entries(preferences.purposes).map(([purpose, { value, format, source }]) => [
      purpose,
      { value, format, source, statement: null, others: [], readings: {} },
    ]);
    return { purposes: Object.fromEntries(purposes), licenses: [], conflicts: [] };
  }
}
