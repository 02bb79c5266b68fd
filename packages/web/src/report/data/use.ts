// Preferences about the use of a URL's content in one word.
import type { ReportData } from './report-data.ts';

/** A preference. `none`: there is no content, such as for a redirect. */
export type Use = 'allowed' | 'disallowed' | 'unknown' | 'not-applicable' | 'none';

/** Returns the preference of a crawler about a purpose. */
export function getUse(data: ReportData, index: number, agent: number, purpose: string): Use {
  if (data.getVerdict(index, agent) === null) return 'none';
  if (data.isBlocked(index, agent)) return 'not-applicable';
  const status = data.statuses[index] as number;
  if (status < 200 || status > 299) return 'none';
  return data.getPreferences(index, agent)?.purposes[purpose]?.value ?? 'unknown';
}

/** A condition about the use of URLs: a purpose, a preference and the format that decides, if it matters. */
export interface UseCondition {
  readonly purpose: string;
  readonly value: string;
  readonly format: string;
}

/** Formats a condition as a value of the filter: `ai-train:disallowed:page`. */
export function formatUseCondition({ purpose, value, format }: UseCondition): string {
  return [purpose, value, ...(format === '' ? [] : [format])].join(':');
}

export function createUseTest(data: ReportData, agent: number, text: string): (index: number) => boolean {
  const [purpose = '', value = '', format = ''] = text.split(':');
  return (index) =>
    getUse(data, index, agent, purpose) === value &&
    (format === '' || data.getPreferences(index, agent)?.purposes[purpose]?.format === format);
}
