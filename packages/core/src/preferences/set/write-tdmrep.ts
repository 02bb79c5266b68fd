// Writes `/.well-known/tdmrep.json` (W3C Community Group report of 2024-05-10).
import { MAX_TDM_RULES } from '../documents/tdmrep.ts';
import type { SettingValue } from './setting.ts';

/** Locations that match every path. */
const EVERYWHERE: readonly unknown[] = ['/', '/*', '*'];

/**
 * Returns a file that states a setting about training for every path. Its rules keep their order and their further members.
 *
 * @param text - the present file, if there is one.
 * @returns `null` if the text is not a JSON array, has too many rules, or is nested too deeply to be written.
 */
export function writeTdmRep(text: string | undefined, setting: SettingValue): string | null {
  const reservation = setting === 'disallowed' ? 1 : 0;
  const elements = text === undefined || text.trim() === '' ? [] : parseArray(text);
  if (elements === null) return null;
  const changed = elements.map((each) => (isRule(each) ? { ...each, 'tdm-reservation': reservation } : each));
  if (!changed.some((each) => isRule(each) && EVERYWHERE.includes(each.location)))
    changed.push({ location: '/', 'tdm-reservation': reservation });
  if (changed.length > MAX_TDM_RULES) return null;
  try {
    const isSame = text !== undefined && JSON.stringify(changed) === JSON.stringify(elements);
    return isSame ? text : `${JSON.stringify(changed, null, 2)}\n`;
  } catch {
    // JSON.parse reads more levels than JSON.stringify can write, which throws no other error for what was parsed.
    return null;
  }
}

function isRule(element: unknown): element is { readonly location: string } {
  return (
    typeof element === 'object' &&
    element !== null &&
    typeof (element as { location?: unknown }).location === 'string'
  );
}

function parseArray(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
