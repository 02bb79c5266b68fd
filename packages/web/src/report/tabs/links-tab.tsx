/**
 * Where redirects and canonicals lead that should not.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { canonicalFaults, redirectChains } from '../data/chains.ts';
import { UrlList } from '../parts/url-list.tsx';
import { standingOf, wordOf } from '../words.tsx';
import type { TabProps } from './sitemap-tab.tsx';

/** Shows chains of redirects and of canonicals. */
export function LinksTab({ data, agent, onOpen }: TabProps): JSX.Element {
  const { long, loops } = useMemo(() => redirectChains(data, agent), [data, agent]);
  const { conflicts, bad, unknown } = useMemo(
    () =>
      canonicalFaults(
        data,
        agent,
        (place) => `names a URL that is ${wordOf(standingOf(data.verdict(place, agent)))}`,
      ),
    [data, agent],
  );
  const list = { data, onOpen };
  return (
    <>
      <section class="card">
        <h2>Redirects</h2>
        <UrlList {...list} title="Chains of several redirects" items={long}>
          Each step costs time, and crawlers give up after some. Let links and redirects lead to the end at
          once.
        </UrlList>
        <UrlList {...list} title="Redirects that go round" items={loops}>
          They never arrive anywhere.
        </UrlList>
      </section>
      <section class="card">
        <h2>Canonicals</h2>
        <UrlList {...list} title="Conflicts: several canonicals that disagree" items={conflicts}>
          Search engines ignore all of them then.
        </UrlList>
        <UrlList {...list} title="Canonicals to a URL that cannot be indexed" items={bad}>
          The page asks to be known by a URL that is blocked, missing, redirects, or is canonicalised itself.
        </UrlList>
        <UrlList {...list} title="Canonicals to a URL that was not judged" items={unknown}>
          It is outside of what is audited, or the crawl has not come to it.
        </UrlList>
      </section>
    </>
  );
}
