// The metadata of a page: directives for crawlers, canonical, versions in other languages.
import { describeRobotsStatement, type PageJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Fact } from '../../shared/fact.tsx';
import { formatCount, formatOmitted } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';

type Page = PageJson<'Page'>;

/** Items of a list that are shown. */
const MAX_SHOWN = 20;

/** Shows the facts. @param agent - the crawler that they are for. */
export function PageFacts({ page, agent }: { readonly page: Page; readonly agent: string }): JSX.Element {
  return (
    <section aria-labelledby="page-facts">
      <h2 id="page-facts">What the page says</h2>
      <dl class="page-facts">
        <Fact name="Title">{page.title === null ? 'none' : visible(page.title, 500)}</Fact>
        <Fact name="Directives">
          <Directives robots={page.robots} agent={agent} />
        </Fact>
        <Fact name="Canonical">
          <Canonical canonical={page.canonical} />
        </Fact>
        {page.refresh !== null && (
          <Fact name="Refresh">
            to <code>{visible(page.refresh, 2_000)}</code> after{' '}
            {formatCount(page.refreshAfter ?? 0, 'second')}
          </Fact>
        )}
        {page.alternates.length > 0 && (
          <Fact name="hreflang">
            <Items items={page.alternates} noun="version">
              {({ hreflang, url }) => (
                <>
                  {visible(hreflang, 60)}: <code>{visible(url, 500)}</code>
                </>
              )}
            </Items>
          </Fact>
        )}
        {page.use.length > 0 && (
          <Fact name="Use of content">
            <Items items={page.use} noun="statement">
              {({ from, name, text, problem }) => (
                <>
                  {USE_PLACES[from]} {visible(name, 60)}: <code>{visible(text, 500)}</code>
                  {problem !== null && (
                    <>
                      {' '}
                      says <b>nothing</b>: {visible(problem)}
                    </>
                  )}
                </>
              )}
            </Items>
          </Fact>
        )}
      </dl>
      {page.isTruncated && (
        <p class="aside">The page is long: a part of it was not read, or is not listed.</p>
      )}
    </section>
  );
}

/** Where a statement about the use of the content is. */
const USE_PLACES: Readonly<Record<Page['use'][number]['from'], string>> = {
  header: 'header',
  meta: 'meta element',
  link: 'link element',
  script: 'script element',
};

interface DirectivesProps {
  readonly robots: Page['robots'];
  readonly agent: string;
}

function Directives({ robots, agent }: DirectivesProps): JSX.Element {
  if (robots.length === 0) return <>none: nothing forbids indexing</>;
  return (
    <Items items={robots} noun="statement">
      {({ from, agent: named, text, noindexFor }) => (
        <>
          {visible(describeRobotsStatement(from, named, text), 1_500)}
          {noindexFor.includes(agent) && (
            <>
              : <b>forbids {visible(agent, 60)} to index the page</b>
            </>
          )}
          {!noindexFor.includes(agent) && noindexFor.length > 0 && (
            <>
              {' '}
              (noindex for {formatCount(noindexFor.length, 'other crawler')}, not for {visible(agent, 60)})
            </>
          )}
        </>
      )}
    </Items>
  );
}

const KINDS: Readonly<Record<Page['canonical']['kind'], string>> = {
  absent: 'none',
  self: 'the page itself',
  other: 'another URL, which should be indexed instead:',
  conflict: 'several, so search engines ignore all of them:',
};

function Canonical({
  canonical: { kind, urls, statements },
}: {
  readonly canonical: Page['canonical'];
}): JSX.Element {
  const ignored = statements.filter((each) => each.ignored !== null);
  return (
    <>
      {KINDS[kind]}
      {(kind === 'other' || kind === 'conflict') && (
        <Items items={urls} noun="canonical">
          {(url) => <code>{visible(url, 2_000)}</code>}
        </Items>
      )}
      {ignored.length > 0 && (
        <Items items={ignored} noun="statement">
          {({ href, ignored: why }) => (
            <>
              ignored ({visible(why ?? '')}): <code>{visible(href, 500)}</code>
            </>
          )}
        </Items>
      )}
    </>
  );
}

interface ItemsProps<Item> {
  readonly items: readonly Item[];
  readonly noun: string;
  readonly children: (item: Item) => JSX.Element;
}

function Items<Item>({ items, noun, children }: ItemsProps<Item>): JSX.Element {
  return (
    <>
      {items.slice(0, MAX_SHOWN).map((item, index) => (
        <div key={index}>{children(item)}</div>
      ))}
      {items.length > MAX_SHOWN && <div class="aside">{formatOmitted(items.length - MAX_SHOWN, noun)}</div>}
    </>
  );
}
