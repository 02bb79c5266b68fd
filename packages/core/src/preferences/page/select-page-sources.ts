// What a response says about its own use, without the headers and elements that say nothing about it. Most pages have none.
import type { HtmlFacts } from '../../indexability/html-facts.ts';
import { splitRelationTypes } from '../../indexability/link-header.ts';
import { resolveBase, resolveUrl } from '../../indexability/url.ts';
import type { PageSources } from '../sources.ts';
import { isAboutUse } from './page-statements.ts';

/** The media type of RSL documents (RSL 1.0, section 2.2). */
const RSL_TYPE = 'application/rsl+xml';

interface SourceResponse {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * Selects the sources of preferences in a response.
 *
 * @param html - the facts about its body; `null` if the body is not HTML.
 * @returns only the sources that can declare something; `null` if there are none.
 */
export function selectPageSources(
  { url, headers }: SourceResponse,
  html: HtmlFacts | null,
): PageSources | null {
  const own = headers.filter(
    ([name, value]) => isAboutUse({ source: 'header', name, value }) || isLicenseLink(name, value),
  );
  const metas = (html?.metas ?? []).filter(({ name, content }) =>
    isAboutUse({ source: 'meta', name, value: content }),
  );
  const licenses = html === null ? [] : readLicenseLinks(html, url);
  const inlineRsl = html?.rsl ?? [];
  if (own.length + metas.length + licenses.length + inlineRsl.length === 0) return null;
  return {
    ...(own.length > 0 && { headers: own }),
    ...(metas.length > 0 && { metas }),
    ...(licenses.length > 0 && { licenses }),
    ...(inlineRsl.length > 0 && { inlineRsl }),
    ...(html?.lacksStatements === true && { isTruncated: true }),
  };
}

function isLicenseLink(name: string, value: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'link' && /license/i.test(value);
}

/** Link elements count in the head and with the media type: others refer to ordinary licences. */
function readLicenseLinks({ links, base }: HtmlFacts, url: string): string[] {
  const urls = new Set<string>();
  for (const { rel, href, type, inHead } of links) {
    if (!inHead || type?.trim().toLowerCase() !== RSL_TYPE || !splitRelationTypes(rel).includes('license'))
      continue;
    const target = resolveUrl(href, resolveBase(base, url));
    if (target !== null) urls.add(target);
  }
  return [...urls];
}
