// The preference that the page explains: a crawler and a purpose.
import { parseCrawler } from './crawlers.ts';

/** The purposes of the table of preferences: the main purposes of `@maycrawl/core/preferences`. */
export const PURPOSES = ['search', 'ai-train', 'ai-input'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** A crawler by its name, and a purpose. */
export interface SelectedPreference {
  readonly crawler: string;
  readonly purpose: Purpose;
}

/** The preference of a new page. */
export const FIRST_PREFERENCE: SelectedPreference = { crawler: 'GPTBot', purpose: 'ai-train' };

/** Reads the preference of a link; the first one if it is not valid. */
export function readSharedPreference(shared: unknown): SelectedPreference {
  const value = (shared ?? {}) as Partial<Record<keyof SelectedPreference, unknown>>;
  const crawler = typeof value.crawler === 'string' ? parseCrawler(value.crawler) : null;
  const purpose = PURPOSES.find((each) => each === value.purpose);
  return crawler === null || purpose === undefined ? FIRST_PREFERENCE : { crawler, purpose };
}

/** Returns a preference whose crawler is in a list: the selected one, or that of the first crawler. */
export function selectPreference(
  selected: SelectedPreference,
  crawlers: readonly string[],
): SelectedPreference {
  const [first] = crawlers;
  return first === undefined || crawlers.includes(selected.crawler)
    ? selected
    : { ...selected, crawler: first };
}
