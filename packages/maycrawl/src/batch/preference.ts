// The preference about one purpose, for lines that have a `purpose`.

import type { CrawlerInput, RobotsTxt } from '@maycrawl/core';
import { freezeDeep, truncate } from '@maycrawl/core/internal';
import { LABELS, MAIN_PURPOSES, type PurposePreference, readPreferences } from '@maycrawl/core/preferences';
import { invalidField, type JsonLine, LineError, requireString } from './json-line.ts';

/** What a robots.txt declares about one purpose, without the statements. */
export type JsonPreference = Pick<PurposePreference, 'value' | 'format' | 'line'>;

/** The purposes that declarations can be about, the main ones first. */
export const PURPOSES: readonly string[] = /* @__PURE__ */ freezeDeep([
  ...new Set([
    ...MAIN_PURPOSES,
    ...LABELS.flatMap(({ purpose, includes }) => [purpose, ...Object.keys(includes)]),
  ]),
]);

/** Reads the purpose of a line. @throws {LineError} if it is unknown. */
export function readPurpose(line: JsonLine): string | undefined {
  if (line.purpose === undefined) return undefined;
  const purpose = requireString(line, 'purpose');
  if (!PURPOSES.includes(purpose))
    throw new LineError(
      'unknown-purpose',
      `unknown purpose ${JSON.stringify(truncate(purpose, 100))}: give ${PURPOSES.join(', ')}`,
    );
  // Declarations are matched with the URL that the crawler requests.
  if (line.normalize === false) throw invalidField('purpose', 'and "normalize": false exclude each other');
  return purpose;
}

/** Reads the preference about a purpose. */
export function readPreference(
  robots: RobotsTxt,
  crawler: CrawlerInput,
  url: string,
  purpose: string,
): JsonPreference {
  const { crawl, purposes } = readPreferences({ policy: { kind: 'rules', robots } }, crawler, url);
  const declared = purposes[purpose];
  if (declared === undefined)
    return { value: crawl === 'disallowed' ? 'not-applicable' : 'unknown', format: null, line: null };
  return toJsonPreference(declared);
}

/** Returns the parts of a preference that answers contain. */
export function toJsonPreference({ value, format, line }: PurposePreference): JsonPreference {
  return { value, format, line };
}
