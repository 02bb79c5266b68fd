/**
 * Redirects and canonicals that should be fixed.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { findRedirectChains, findWrongCanonicals } from '../data/chains.ts';
import { getOutcome } from '../data/outcome.ts';
import { UrlList } from '../parts/url-list.tsx';
import { OUTCOME_LABELS } from '../text.ts';
import type { TabProps } from './sitemap-tab.tsx';

/** Shows chains of redirects and of canonicals. */
export function LinksTab({ data, agent, onOpen }: TabProps): JSX.Element {
  const { long, loops } = useMemo(() => findRedirectChains(data, agent), [data, agent]);
  const { conflicts, bad, unknown } = useMemo(
    () =>
      findWrongCanonicals(
        data,
        agent,
        (index) => `the canonical is ${OUTCOME_LABELS[getOutcome(data.getVerdict(index, agent))]}`,
      ),
    [data, agent],
  );
  const list = { data, onOpen };
  return (
    <>
      <section class="card">
        <h2>Redirects</h2>
        <UrlList {...list} title="Chains of several redirects" items={long}>
          Each step costs time, and crawlers stop after a number of steps. Let links and redirects point to
          the final URL.
        </UrlList>
        <UrlList {...list} title="Redirect loops" items={loops}>
          They never reach a page.
        </UrlList>
      </section>
      <section class="card">
        <h2>Canonicals</h2>
        <UrlList {...list} title="Conflicts: several different canonicals" items={conflicts}>
          Search engines ignore all of them.
        </UrlList>
        <UrlList {...list} title="Canonicals to a URL that cannot be indexed" items={bad}>
          The canonical is blocked, missing or a redirect, or names another canonical itself.
        </UrlList>
        <UrlList {...list} title="Canonicals to a URL that was not judged" items={unknown}>
          It is out of scope, or the crawl did not reach it.
        </UrlList>
      </section>
    </>
  );
}
