// The common origin of a list of URLs, which is shown once.

/** Scheme, host and port of all absolute URLs, as they are written; empty if these differ. */
export function findCommonOrigin(urls: readonly string[]): string {
  let common = '';
  for (const url of urls) {
    if (url.startsWith('/') && !url.startsWith('//')) continue;
    const origin = /^https?:\/\/[^/?#\\]{1,255}(?=\/)/i.exec(url)?.[0] ?? '';
    if (origin === '' || (common !== '' && origin !== common)) return '';
    common = origin;
  }
  return common;
}
