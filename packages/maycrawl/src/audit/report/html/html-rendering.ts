/**
 * What scripts change of a page, as the HTML report shows it.
 *
 * @module
 */
import { truncate } from '@maycrawl/core/text';
import type { LinkSample, RenderedFacts, Rendering } from '../../run/records/rendering.ts';
import type { RenderedLinks, RenderedState, RenderingCell, Target } from './report-data.ts';

/** Characters of a text. */
const MAX_TEXT = 300;

/** Creates the cell of a page. @param findTarget - finds the row of a URL. */
export async function createRenderingCell(
  { outcome }: Rendering,
  findTarget: (url: string) => Promise<Target>,
): Promise<RenderingCell> {
  if (outcome.kind === 'failure') return cut(outcome.detail);
  const { before, after, added, removed, redirect, refused, isStopped } = outcome;
  const toLinks = async ({ count, urls }: LinkSample): Promise<RenderedLinks> => [
    count,
    ...(await Promise.all(urls.map(findTarget))),
  ];
  return {
    before: toState(before),
    after: toState(after),
    added: await toLinks(added),
    removed: await toLinks(removed),
    redirect: redirect === null ? null : await findTarget(redirect),
    refused: refused.map(({ url, why }) => [cut(url), why] as const),
    isStopped,
  };
}

function toState({ title, robots, canonicals }: RenderedFacts): RenderedState {
  return {
    title: title === null ? null : cut(title),
    robots: robots.map(({ agent, text }) => cut(agent === null ? text : `${agent}: ${text}`)),
    canonicals: canonicals.flatMap(({ url, ignored }) => (ignored === null && url !== null ? cut(url) : [])),
  };
}

function cut(text: string): string {
  return truncate(text, MAX_TEXT);
}
