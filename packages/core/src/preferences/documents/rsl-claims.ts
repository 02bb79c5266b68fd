// What the licences of RSL documents say about a purpose and a URL (RSL 1.0, https://rslstandard.org/rsl).
import { escapeValue } from '../../bytes/escape.ts';
import { encodeUtf8 } from '../../bytes/platform.ts';
import { parseUrl } from '../../bytes/url.ts';
import { type ComparedPath, matchesDeclaration } from '../compared-path.ts';
import type { StatementPlace } from '../declaration.ts';
import { findLabel, MAIN_PURPOSES } from '../labels.ts';
import { type Claim, limitText, type PreferenceStatement } from '../statement.ts';
import type { RslContent, RslLicense } from './parse-rsl.ts';

/**
 * Selects the claims about a purpose: those of the content element with the longest matching pattern that says something about it.
 *
 * @param contents - those whose patterns match, the longest first.
 * @param isExclusive - whether a licence that permits some usages prohibits the others (section 3.5).
 */
export function selectRslClaims(
  contents: readonly RslContent[],
  purpose: string,
  isExclusive: boolean,
  place: StatementPlace,
): Claim[] {
  for (const { url, licenses } of contents) {
    const claims = licenses.flatMap(
      (license) => createClaim(license, url, purpose, isExclusive, place) ?? [],
    );
    // Several licences are alternatives: one that permits the use is enough.
    const permitting = claims.filter(({ statement }) => statement.value === 'allowed');
    if (claims.length > 0) return permitting.length > 0 ? permitting : claims;
  }
  return [];
}

/** Within a licence a prohibition is stronger than a permission. */
function createClaim(
  { permits, prohibits, line }: RslLicense,
  path: string,
  purpose: string,
  isExclusive: boolean,
  place: StatementPlace,
): Claim | undefined {
  const permitted = findClosest(permits ?? [], purpose);
  const prohibited = findClosest(prohibits, purpose);
  const isPermitted = prohibited === undefined;
  const closest = prohibited ?? permitted;
  if (closest !== undefined) {
    const text = `${isPermitted ? 'permits' : 'prohibits'} ${closest.label}`;
    const value = isPermitted ? 'allowed' : 'disallowed';
    return createUsageClaim(closest, { ...place, text, line }, purpose, value, path);
  }
  if (permits === null || !isExclusive || !EXCLUDED_PURPOSES.includes(purpose)) return undefined;
  const text = `permits ${permits.join(' ')}`;
  return createUsageClaim({ label: '', distance: 0 }, { ...place, text, line }, purpose, 'disallowed', path);
}

/** The purposes that a licence prohibits if it permits others only. */
const EXCLUDED_PURPOSES: readonly string[] = [...MAIN_PURPOSES, 'ai-index'];

interface Usage {
  readonly label: string;
  readonly distance: number;
}

function findClosest(usages: readonly string[], purpose: string): Usage | undefined {
  let closest: Usage | undefined;
  for (const label of usages) {
    const row = findLabel('rsl', label);
    const distance = row === undefined ? undefined : row.purpose === purpose ? 0 : row.includes[purpose];
    if (distance !== undefined && distance < (closest?.distance ?? Infinity)) closest = { label, distance };
  }
  return closest;
}

function createUsageClaim(
  { label, distance }: Usage,
  place: StatementPlace,
  purpose: string,
  value: 'allowed' | 'disallowed',
  path: string,
): Claim {
  const statement: PreferenceStatement = {
    ...place,
    text: limitText(place.text),
    format: 'rsl',
    dialect: '1.0',
    label,
    purpose,
    value,
    path: limitText(path),
  };
  return { statement, distance, isCurrent: true };
}

/** Returns the content elements whose patterns match a URL, the longest pattern first. @param origin - of the page, if it is known. */
export function selectContents(
  contents: readonly RslContent[],
  origin: string | undefined,
  path: ComparedPath,
): RslContent[] {
  return contents
    .flatMap((content) => {
      const pattern = getPattern(content.url, origin);
      const matches = pattern !== null && matchesDeclaration(pattern, path, false);
      return matches ? [{ content, length: pattern.length }] : [];
    })
    .sort((a, b) => b.length - a.length)
    .map(({ content }) => content);
}

/** Returns the path pattern of a content URL, which is absolute or a path; `null` if it belongs to another origin. */
function getPattern(url: string, origin: string | undefined): string | null {
  const isPath = url === '' || url.startsWith('/') || url.startsWith('*');
  if (!isPath && (origin === undefined || parseUrl(url)?.origin !== origin)) return null;
  const start = isPath ? 0 : url.indexOf('/', url.indexOf('//') + 2);
  const path = start < 0 || url === '' ? '/' : url.slice(start);
  const bytes = encodeUtf8(path);
  return escapeValue(bytes, 0, bytes.length);
}
