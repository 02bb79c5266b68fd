// The URLs of a `srcset` attribute (HTML Standard, section 4.8.4.3.10).

/** What is between candidates, a URL, which can end with commas, and its descriptors, in which parentheses can contain commas. */
const SEPARATOR = /[\t\n\f\r ,]*/y;
const URL = /[^\t\n\f\r ]+/y;
const DESCRIPTORS = /(?:[^,()]|\([^)]*(?:\)|$)|\))*,?/y;

/** Returns the URLs of all candidates. */
export function parseSrcset(value: string): string[] {
  const urls: string[] = [];
  for (let at = 0; ; ) {
    SEPARATOR.lastIndex = at;
    SEPARATOR.exec(value);
    URL.lastIndex = SEPARATOR.lastIndex;
    const [candidate] = URL.exec(value) ?? [];
    if (candidate === undefined) return urls;
    at = URL.lastIndex;
    const url = trimCommas(candidate);
    if (url !== '') urls.push(url);
    if (url.length < candidate.length) continue;
    DESCRIPTORS.lastIndex = at;
    DESCRIPTORS.exec(value);
    at = DESCRIPTORS.lastIndex;
  }
}

function trimCommas(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ',') end--;
  return text.slice(0, end);
}
