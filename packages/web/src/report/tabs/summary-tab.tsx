/**
 * The run in short: what was crawled, what the robots.txt files were, and how many URLs have which reason.
 *
 * @module
 */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { visible } from '../../shared/visible.ts';
import { ALL, type Filter } from '../data/filter.ts';
import { STATES } from '../data/head.ts';
import type { ReportData } from '../data/report-data.ts';
import { Bars, Stack } from '../parts/charts.tsx';
import { counted, MEANINGS, STANDINGS, STATE_WORDS, wordOf } from '../words.tsx';

interface SummaryProps {
  readonly data: ReportData;
  readonly agent: number;
  readonly onFilter: (filter: Filter) => void;
}

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Shows it. */
export function SummaryTab({ data, agent, onFilter }: SummaryProps): JSX.Element {
  const { head } = data;
  const { settings, end } = head;
  const closed = head.robots.filter(({ use }) => use === 'unreachable');
  const summary = head.agents[agent];
  const unjudged = head.total - (summary?.judged ?? 0);
  const reasons = STANDINGS.flatMap((standing) => {
    if (standing === 'unjudged') return [];
    const count = (standing === 'indexable' ? summary?.indexable : summary?.primary[standing]) ?? 0;
    return count === 0
      ? []
      : [{ name: standing, word: wordOf(standing), count, meaning: MEANINGS[standing] }];
  });
  const [statuses, depths] = useMemo(() => [countStatuses(data), countDepths(data)], [data]);
  return (
    <>
      {closed.map(({ origin, meaning }) => (
        <p class="notice" key={origin}>
          <b>{visible(origin)}/robots.txt</b>: {visible(meaning)}
        </p>
      ))}
      {end?.why !== 'complete' && (
        <p class="notice">{head.ending} What is said here is of what was seen until then.</p>
      )}
      {head.leftOut.urls > 0 && (
        <p class="notice">
          The run has {counted(head.total, 'URL')}, more than a browser can hold. The table, and the lists
          that are made of it, have the {data.count.toLocaleString('en')} most important; the numbers on this
          page are of all, and so are the CSV and NDJSON files of <code>maycrawl audit report</code>.
        </p>
      )}
      <section class="card">
        <h2>For {visible(summary?.agent ?? '', 60)}</h2>
        <p class="big">
          <b>{(summary?.indexable ?? 0).toLocaleString('en')}</b> of {counted(summary?.judged ?? 0, 'URL')}{' '}
          can be indexed
        </p>
        <Stack parts={reasons} label="URLs by what is said about them" />
        <Bars rows={reasons} head="What is said" onChoose={(name) => onFilter({ ...ALL, reason: name })} />
        {unjudged > 0 && (
          <p class="aside">
            <button type="button" class="link" onClick={() => onFilter({ ...ALL, reason: 'unjudged' })}>
              {counted(unjudged, 'other URL')}
            </button>{' '}
            {unjudged === 1 ? 'was' : 'were'} not judged: the crawl has not come there, or was not to.
          </p>
        )}
      </section>
      <div class="cards">
        <section class="card">
          <h2>The crawl</h2>
          <dl class="facts">
            <Fact name="Began">
              {FORMAT.format(settings.startedAt)}
              {end !== null && `, ended ${FORMAT.format(end.at)}`}
            </Fact>
            <Fact name="Outcome">{head.ending}</Fact>
            <Fact name="Starts">
              {settings.starts.slice(0, 10).map((start) => (
                <div key={start}>
                  <code>{visible(start)}</code>
                </div>
              ))}
              {settings.starts.length > 10 && `and ${settings.starts.length - 10} more`}
            </Fact>
            <Fact name="Scope">
              {settings.scope}
              {settings.maxPages !== null && `, at most ${counted(settings.maxPages, 'page')}`}
              {settings.maxDepth !== null && `, at most ${counted(settings.maxDepth, 'link')} deep`}
              {settings.include.length > 0 && `, only ${visible(settings.include.join(' '))}`}
              {settings.exclude.length > 0 && `, not ${visible(settings.exclude.join(' '))}`}
            </Fact>
            <Fact name="URLs">
              {STATES.filter((state) => head.counts[state] > 0).map((state) => (
                <div key={state}>
                  <button type="button" class="link" onClick={() => onFilter({ ...ALL, state })}>
                    {head.counts[state].toLocaleString('en')}
                  </button>{' '}
                  {STATE_WORDS[state]}
                </div>
              ))}
            </Fact>
          </dl>
        </section>
        <section class="card">
          <h2>robots.txt</h2>
          <dl class="facts sites">
            {head.robots.map(({ origin, meaning, bytes }) => (
              <Fact key={origin} name={<code>{visible(origin)}</code>}>
                {visible(meaning)} {bytes !== null && <span class="aside">{counted(bytes, 'byte')}</span>}
              </Fact>
            ))}
          </dl>
          {head.robots.length === 0 && <p>No site was asked for its robots.txt.</p>}
          {head.leftOut.robots > 0 && <p class="aside">and {counted(head.leftOut.robots, 'other site')}</p>}
        </section>
        <section class="card">
          <h2>Status codes</h2>
          <Bars
            rows={statuses}
            head="Status"
            onChoose={(name) => onFilter({ ...ALL, state: 'asked', status: name })}
          />
        </section>
        <section class="card">
          <h2>Links from the start</h2>
          <Bars rows={depths} head="Depth" />
        </section>
      </div>
    </>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface Count {
  readonly name: string;
  readonly word: string;
  readonly count: number;
}

/** Depths that are counted one by one. */
const MAX_DEPTH = 12;

function countStatuses(data: ReportData): Count[] {
  const asked = STATES.indexOf('asked');
  const counts = new Map<number, number>();
  for (let place = 0; place < data.count; place++)
    if (data.states[place] === asked) {
      const status = data.statuses[place] as number;
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  return [...counts]
    .sort(([a], [b]) => (a >>> 0) - (b >>> 0))
    .map(([status, count]) => ({
      name: status < 0 ? 'none' : String(status),
      word: status < 0 ? 'no answer' : String(status),
      count,
    }));
}

function countDepths(data: ReportData): Count[] {
  const counts = new Map<number, number>();
  const asked = STATES.indexOf('asked');
  for (let place = 0; place < data.count; place++) {
    if (data.states[place] !== asked) continue;
    const depth = data.depths[place] as number;
    const step = depth < 0 ? MAX_DEPTH + 2 : Math.min(depth, MAX_DEPTH + 1);
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const word = (step: number): string =>
    step > MAX_DEPTH + 1 ? 'not linked' : step > MAX_DEPTH ? `over ${MAX_DEPTH}` : String(step);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([step, count]) => ({ name: String(step), word: word(step), count }));
}
