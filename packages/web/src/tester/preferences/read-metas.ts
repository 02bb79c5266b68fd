// The meta elements of a page.
import { isPreferenceMeta } from '@maycrawl/core/preferences';

/** Meta elements that are read. */
const MAX_METAS = 1_000;

/** Reads the meta elements that can state a preference, with the parser of the browser, which loads and runs nothing. */
export function readMetas(html: string): { readonly name: string; readonly content: string }[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return Array.from(page.querySelectorAll('meta[name]'), (meta) => ({
    name: meta.getAttribute('name') ?? '',
    content: meta.getAttribute('content') ?? '',
  }))
    .filter(({ name, content }) => isPreferenceMeta(name, content))
    .slice(0, MAX_METAS);
}
