// Crawlers that run the scripts of pages, from the catalogue. Of the others it is not documented, so they count as crawlers that do not:
// what only scripts add to a page is then unseen for them.
import { CRAWLER_RECORDS } from '@maycrawl/core/crawlers';

const SCRIPT_CRAWLERS: ReadonlySet<string> = new Set(
  CRAWLER_RECORDS.flatMap(({ token, name = token, runsScripts }) =>
    runsScripts === undefined ? [] : [name],
  ),
);

/** Whether a crawler runs the scripts of pages. @param agent - its name (`resolveAgent`). */
export function runsScripts(agent: string): boolean {
  return SCRIPT_CRAWLERS.has(agent);
}
