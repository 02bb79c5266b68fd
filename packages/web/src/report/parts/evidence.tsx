/**
 * All that is known of one URL, for one crawler.
 *
 * @module
 */
import type { ComponentChildren, JSX } from 'preact';
import { visible } from '../../shared/visible.ts';
import { chainFrom } from '../data/chains.ts';
import type { Verdict } from '../data/head.ts';
import type { ReportData } from '../data/report-data.ts';
import {
  Badge,
  counted,
  describeReason,
  MEANINGS,
  reasonsIn,
  STATE_WORDS,
  standingOf,
  waysOf,
  wordOf,
} from '../words.tsx';
import { UrlButton } from './url-list.tsx';

interface EvidenceProps {
  readonly data: ReportData;
  readonly agent: number;
  readonly place: number;
  readonly onOpen: (place: number) => void;
  readonly onClose: () => void;
}

/** Shows it. */
export function EvidencePanel({ data, agent, place, onOpen, onClose }: EvidenceProps): JSX.Element {
  const verdict = data.verdict(place, agent);
  const standing = standingOf(verdict);
  const others = data.head.agents.map((_, other) => other).filter((other) => other !== agent);
  return (
    <section class="evidence card" aria-label="Evidence" aria-live="polite">
      <div class="evidence-head">
        <h2>Evidence</h2>
        <button type="button" class="small" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="whole">
        <code>{visible(data.urls[place] ?? '', 2_000)}</code>
      </p>
      <p>
        <Badge standing={standing} /> <span class="aside">{MEANINGS[standing]}</span>
      </p>
      <dl class="facts">
        {verdict !== null && reasonsIn(verdict[0]).length > 1 && (
          <Fact name="All reasons">{reasonsIn(verdict[0]).map(wordOf).join(', ')}</Fact>
        )}
        {standing === 'unjudged' && <Fact name="State">{STATE_WORDS[data.state(place)]}</Fact>}
        {data.note(place) !== null && standing !== 'blocked' && (
          <Fact name={data.state(place) === 'trap' ? 'Trap' : 'No answer'}>
            {visible(data.note(place) ?? '')}
          </Fact>
        )}
        {verdict !== null && <RobotsFact data={data} verdict={verdict} />}
        {standing === 'blocked' ? (
          <Unseen verdict={verdict} />
        ) : (
          verdict !== null && <Seen {...{ data, place, verdict, onOpen }} />
        )}
        <Sitemaps data={data} place={place} />
        <Found {...{ data, place, onOpen }} />
        <Fact name="Depth">
          {(data.depths[place] as number) < 0
            ? 'no way leads there from a start'
            : counted(data.depths[place] as number, 'link')}
        </Fact>
        {others.length > 0 && (
          <Fact name="Other crawlers">
            {others.map((other) => (
              <div key={other}>
                {visible(data.head.agents[other]?.agent ?? '', 60)}{' '}
                <Badge standing={standingOf(data.verdict(place, other))} />
              </div>
            ))}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function RobotsFact({
  data,
  verdict,
}: {
  readonly data: ReportData;
  readonly verdict: Verdict;
}): JSX.Element | null {
  const crawl = data.head.crawls[verdict[2]];
  if (crawl === undefined) return null;
  const [allowed, reason, line, text] = crawl;
  return (
    <Fact name="robots.txt">
      {allowed === 1 ? 'Allowed' : 'Disallowed'}: {describeReason(reason)}
      {line > 0 && (
        <span class="line">
          <span class="aside">line {line}</span> <code>{text === null ? '' : visible(text)}</code>
        </span>
      )}
    </Fact>
  );
}

/** What a block hides is unseen, not absent. */
function Unseen({ verdict }: { readonly verdict: Verdict | null }): JSX.Element {
  const hidden = reasonsIn(verdict?.[1] ?? 0);
  return (
    <Fact name="Behind the block">
      Status, noindex and canonical are unseen, not absent: the crawler must not fetch the page, so nothing
      that it says counts.
      {hidden.length > 0 && (
        <>
          {' '}
          Another crawler of the run has fetched it; without the block it would be:{' '}
          {hidden.map(wordOf).join(', ')}.
        </>
      )}
    </Fact>
  );
}

interface SeenProps {
  readonly data: ReportData;
  readonly place: number;
  readonly verdict: Verdict;
  readonly onOpen: (place: number) => void;
}

function Seen({ data, place, verdict, onOpen }: SeenProps): JSX.Element {
  const status = data.statuses[place] as number;
  const { steps, isLoop } = chainFrom(data, place);
  const canonical = data.canonical(place);
  const ignored = data.ignoredCanonicals(place);
  const [, , , ...noindex] = verdict;
  const bytes = data.bytes(place);
  return (
    <>
      <Fact name="Status">{status < 0 ? 'no answer' : status}</Fact>
      {steps.length > 0 && (
        <Fact name="Redirects">
          {steps.map(({ status: code, to }, step) => (
            <div key={step}>
              {code} → <UrlButton data={data} target={to} onOpen={onOpen} />
            </div>
          ))}
          {isLoop && <b>It goes round.</b>}
        </Fact>
      )}
      {status >= 0 && (
        <Fact name="noindex">
          {noindex.length === 0
            ? 'none'
            : noindex.map((number) => {
                const [from, agent, text] = data.head.noindexes[number] ?? ['meta', null, ''];
                return (
                  <div key={number}>
                    {from === 'meta' ? 'meta tag' : 'X-Robots-Tag header'} for{' '}
                    {agent === null ? 'all' : visible(agent)}: <code>{visible(text)}</code>
                  </div>
                );
              })}
        </Fact>
      )}
      {status >= 0 && (
        <Fact name="Canonical">
          {canonical === null && 'none'}
          {canonical?.kind === 'self' && `itself (${canonical.from.join(', ')})`}
          {canonical?.kind === 'conflict' && <b>a conflict, so all are ignored: </b>}
          {canonical !== null && canonical.kind === 'other' && `another URL (${canonical.from.join(', ')}): `}
          {canonical?.targets.map((target) => (
            <div key={target}>
              <UrlButton data={data} target={target} onOpen={onOpen} />
            </div>
          ))}
          {ignored.map(([from, href, why], index) => (
            <div key={index} class="aside">
              ignored ({why}, {from}): <code>{visible(href)}</code>
            </div>
          ))}
        </Fact>
      )}
      {data.title(place) !== null && <Fact name="Title">{visible(data.title(place) ?? '')}</Fact>}
      {status >= 0 && (
        <Fact name="Answer">
          {[
            data.type(place) === null ? 'no media type' : visible(data.type(place) ?? ''),
            ...(bytes === null ? [] : [counted(bytes, 'byte')]),
            `${(data.milliseconds[place] as number).toLocaleString('en')} ms`,
          ].join(', ')}
        </Fact>
      )}
    </>
  );
}

function Sitemaps({ data, place }: { readonly data: ReportData; readonly place: number }): JSX.Element {
  const ids = data.sitemaps(place);
  const urlOf = (id: number): string =>
    data.head.sitemaps.find((each) => each.id === id)?.url ?? `number ${id}`;
  return (
    <Fact name="Sitemaps">
      {ids.length === 0
        ? 'none names it'
        : ids.slice(0, 10).map((id) => (
            <div key={id}>
              <code>{visible(urlOf(id))}</code>
            </div>
          ))}
    </Fact>
  );
}

function Found({ data, place, onOpen }: Omit<SeenProps, 'verdict'>): JSX.Element {
  const sources = data.sources(place);
  const count = data.links[place] as number;
  return (
    <Fact name="Found by">
      {data.isStart(place) && <div>the run begins there</div>}
      {data.isInSitemap(place) && <div>a sitemap</div>}
      {count > 0 && (
        <div>
          {count === 1 ? 'one page leads there' : `${count.toLocaleString('en')} pages lead there`}
          {count > sources.length && ', such as'}
        </div>
      )}
      {sources.map(({ from, ways }) => (
        <div key={from}>
          <span class="aside">{waysOf(ways)}: </span>
          <UrlButton data={data} target={from} onOpen={onOpen} />
        </div>
      ))}
    </Fact>
  );
}
