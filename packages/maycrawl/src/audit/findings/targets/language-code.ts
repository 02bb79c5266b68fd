// Values of hreflang that search engines understand: `x-default`, or a language of ISO 639-1 with an optional script (ISO 15924) and an
// optional country (ISO 3166-1 alpha-2), such as `de`, `zh-Hant` and `en-GB`.

/** Codes that are no countries, although the runtime has a name for them. */
const NOT_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'ZZ', 'XA', 'XB', 'QO']);

/** Names of codes. They are loaded when they are first used, which takes some milliseconds. */
const names: Map<NameType, Intl.DisplayNames> = new Map();
type NameType = 'language' | 'script' | 'region';

function hasName(type: NameType, code: string): boolean {
  const known = names.get(type) ?? new Intl.DisplayNames(['en'], { type, fallback: 'none' });
  names.set(type, known);
  return known.of(code) !== undefined;
}

/** Whether search engines understand a value of hreflang. */
export function isLanguageCode(value: string): boolean {
  const code = value.trim();
  if (code.toLowerCase() === 'x-default') return true;
  const [, language, script, country] = /^([a-z]{2})(?:-([a-z]{4}))?(?:-([a-z]{2}))?$/i.exec(code) ?? [];
  if (language === undefined || !hasName('language', language.toLowerCase())) return false;
  if (script !== undefined && !hasName('script', toTitleCase(script))) return false;
  return country === undefined || isCountry(country.toUpperCase());
}

function isCountry(code: string): boolean {
  if (NOT_COUNTRIES.has(code) || !hasName('region', code)) return false;
  // An alias, such as UK for GB, is not in ISO 3166-1.
  return Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
}

function toTitleCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}
