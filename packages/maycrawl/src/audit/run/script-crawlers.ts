/**
 * Crawlers that run the scripts of pages. Of the others it is not documented, so they count as crawlers that do not: what only scripts add
 * to a page is then unseen for them.
 *
 * @module
 */

/** Names of crawlers, and where their operators say that they run scripts. */
const SCRIPT_CRAWLERS: Readonly<Record<string, string>> = {
  Googlebot: 'https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics',
  'Google-InspectionTool':
    'https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers',
  bingbot: 'https://blogs.bing.com/webmaster/october-2019/The-new-evergreen-Bingbot',
  Applebot: 'https://support.apple.com/en-us/119829',
};

/** Whether a crawler runs the scripts of pages. @param agent - its name (`resolveAgent`). */
export function runsScripts(agent: string): boolean {
  return Object.hasOwn(SCRIPT_CRAWLERS, agent);
}
