// What scripts change of a page, as the HTML report shows it.
import { truncate } from '@maycrawl/core/internal';
import type { LinkSample, RenderedFacts, Rendering } from '../../run/records/rendering.ts';
import type { RenderedLinks, RenderedState, RenderingCell, Target } from './report-data.ts';

/** Characters of a text. */
const MAX_TEXT = 300;

/** Creates the cell of a page. @param findTarget - finds the row of a URL. */
export function createRenderingCell(
  { outcome }: Rendering,
  findTarget: (url: string) => Target,
): RenderingCell {
  if (outcome.kind === 'failure') return cut(outcome.detail);
  const { before, after, added, removed, redirect, refused, isStopped } = outcome;
  const toLinks = ({ count, urls }: LinkSample): RenderedLinks => [count, ...urls.map(findTarget)];
  return {
    before: toState(before),
    after: toState(after),
    added: toLinks(added),
    removed: toLinks(removed),
    redirect: redirect === null ? null : findTarget(redirect),
    refused: refused.map(({ url, reason }) => [cut(url), reason] as const),
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
