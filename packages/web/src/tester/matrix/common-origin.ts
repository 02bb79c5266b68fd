/**
 * What all URLs of a list have in common, so that it need not stand before each.
 *
 * @module
 */

/** Scheme, host and port that all absolute URLs share, as they are written; empty if they share none. */
export function commonOrigin(urls: readonly string[]): string {
  let common = '';
  for (const url of urls) {
    if (url.startsWith('/') && !url.startsWith('//')) continue;
    const origin = /^https?:\/\/[^/?#\\]{1,255}(?=\/)/i.exec(url)?.[0] ?? '';
    if (origin === '' || (common !== '' && origin !== common)) return '';
    common = origin;
  }
  return common;
}
