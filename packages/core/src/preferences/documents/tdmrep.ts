// The TDM Reservation Protocol: the file `/.well-known/tdmrep.json`, the headers and the meta elements `tdm-reservation` and
// `tdm-policy` (W3C Community Group report of 2024-05-10).
import { requireString } from '../../bytes/check-options.ts';
import { RFC9309 } from '../../crawler/profile.ts';
import { matchesDeclaration, toComparedPath } from '../compared-path.ts';

/** A rule of the file. */
export interface TdmRule {
  /** The pattern of paths. */
  readonly location: string;
  /** Whether rights are reserved: `true` for 1, `false` for 0, `null` if it is not set or has another value. */
  readonly isReserved: boolean | null;
  /** Where a licence can be had. */
  readonly policy: string | null;
}

export const MAX_TDM_RULES: number = 10_000;

/**
 * Parses a file.
 *
 * @returns its rules in order, without elements that are not rules; `null` if the text is not a JSON array.
 * @throws {TypeError} if `text` is not a string.
 */
export function parseTdmRep(text: string): TdmRule[] | null {
  requireString('the text of tdmrep.json', text);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  return value.slice(0, MAX_TDM_RULES).flatMap((element: unknown): TdmRule[] => {
    if (typeof element !== 'object' || element === null) return [];
    const {
      location,
      'tdm-reservation': reservation,
      'tdm-policy': policy,
    } = element as Record<string, unknown>;
    if (typeof location !== 'string') return [];
    // A text is another value than 0 and 1, so it sets nothing.
    const isReserved = typeof reservation === 'number' ? parseReservation(String(reservation)) : null;
    return [{ location, isReserved, policy: typeof policy === 'string' ? policy : null }];
  });
}

/**
 * Finds the first rule whose location matches a path: the order decides, not the length. Encoded unreserved characters equal decoded
 * ones, as in RFC 9309.
 */
export function findTdmRule(rules: readonly TdmRule[], path: string): TdmRule | undefined {
  const compared = toComparedPath(path, RFC9309);
  return rules.find(({ location }) => matchesDeclaration(location, compared, false));
}

/** Parses the text of a reservation, as headers and meta elements have it. */
export function parseReservation(text: string): boolean | null {
  return text.trim() === '1' ? true : text.trim() === '0' ? false : null;
}
