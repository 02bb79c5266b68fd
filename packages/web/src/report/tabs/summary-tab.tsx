// A summary of the run: the crawl, the robots.txt files, and the number of URLs by verdict.
import { STATES } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Bars, type Part, Stack } from '../../shared/charts/charts.tsx';
import { Fact } from '../../shared/fact.tsx';
import { formatCount, formatMoment, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { ALL } from '../data/filter.ts';
import { OUTCOMES } from '../data/outcome.ts';
import type { ReportData } from '../data/report-data.ts';
import { useReport } from '../report-context.ts';
import { describeScope, OUTCOME_TEXTS, STATE_DESCRIPTIONS } from '../text.ts';

export function SummaryTab(): JSX.Element {
  const { data, agent, onFilter } = useReport();
  const { head } = data;
  const { settings, end } = head;
  const summary = head.agents[agent];
  const unjudged = head.total - (summary?.judged ?? 0);
  const reasons = OUTCOMES.flatMap((outcome) => {
    if (outcome === 'unjudged') return [];
    const count = (outcome === 'indexable' ? summary?.indexable : summary?.primary[outcome]) ?? 0;
    return count === 0
      ? []
      : [
          {
            name: outcome,
            label: OUTCOME_TEXTS[outcome].label,
            count,
            description: OUTCOME_TEXTS[outcome].description,
          },
        ];
  });
  const [statuses, depths] = useMemo(() => [countStatuses(data, agent), countDepths(data)], [data, agent]);
  return (
    <>
      <section class="card">
        <h2>For {visible(summary?.agent ?? '', 60)}</h2>
        <p class="big">
          <b>{formatNumber(summary?.indexable ?? 0)}</b> of {formatCount(summary?.judged ?? 0, 'URL')} can be
          indexed
        </p>
        <Stack parts={reasons} label="URLs by verdict" />
        <Bars
          unit="URLs"
          rows={reasons}
          head="Verdict"
          onChoose={(name) => onFilter({ ...ALL, verdict: name })}
        />
        {unjudged > 0 && (
          <p class="aside">
            <button type="button" class="link" onClick={() => onFilter({ ...ALL, verdict: 'unjudged' })}>
              {formatCount(unjudged, 'other URL')}
            </button>{' '}
            {unjudged === 1 ? 'was' : 'were'} not judged: not reached by the crawl, or out of scope.
          </p>
        )}
      </section>
      <div class="cards">
        <section class="card">
          <h2>The crawl</h2>
          <dl class="facts">
            <Fact name="Started">
              {formatMoment(settings.startedAt)}
              {end !== null && `, ended ${formatMoment(end.at)}`}
            </Fact>
            <Fact name="Outcome">{head.ending}</Fact>
            {head.rendered !== null && <Fact name="Rendering">{head.rendered}</Fact>}
            <Fact name="Start URLs">
              {settings.starts.slice(0, 10).map((start) => (
                <div key={start}>
                  <code>{visible(start)}</code>
                </div>
              ))}
              {settings.starts.length > 10 && `and ${settings.starts.length - 10} more`}
            </Fact>
            <Fact name="Scope">{describeScope(settings)}</Fact>
            <Fact name="URLs">
              {STATES.filter((state) => head.counts[state] > 0).map((state) => (
                <div key={state}>
                  <button type="button" class="link" onClick={() => onFilter({ ...ALL, state })}>
                    {formatNumber(head.counts[state])}
                  </button>{' '}
                  {STATE_DESCRIPTIONS[state]}
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
                {visible(meaning)} {bytes !== null && <span class="aside">{formatCount(bytes, 'byte')}</span>}
              </Fact>
            ))}
          </dl>
          {head.robots.length === 0 && <p>No robots.txt was fetched.</p>}
          {head.omitted.robots > 0 && (
            <p class="aside">and {formatCount(head.omitted.robots, 'other site')}</p>
          )}
        </section>
        <section class="card">
          <h2>Status codes</h2>
          <Bars
            unit="URLs"
            rows={statuses}
            head="Status"
            onChoose={(name) => onFilter({ ...ALL, state: 'fetched', status: name })}
          />
        </section>
        <section class="card">
          <h2>Links from the start</h2>
          <Bars
            unit="URLs"
            rows={depths}
            head="Depth"
            onChoose={(name) => onFilter({ ...ALL, state: 'fetched', depth: name })}
          />
        </section>
      </div>
    </>
  );
}

/** Depths that are counted one by one. */
const MAX_DEPTH = 12;

/** Counts what the crawler gets: the status of a URL that it may not fetch is unknown to it. */
function countStatuses(data: ReportData, agent: number): Part[] {
  const counts = new Map<number, number>();
  for (let index = 0; index < data.count; index++)
    if (data.getState(index) === 'fetched' && !data.isBlocked(index, agent)) {
      const status = data.statuses[index] as number;
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  return [...counts]
    .sort(([a], [b]) => (a >>> 0) - (b >>> 0))
    .map(([status, count]) => ({
      name: status < 0 ? 'none' : String(status),
      label: status < 0 ? 'no response' : String(status),
      count,
    }));
}

function countDepths(data: ReportData): Part[] {
  const counts = new Map<number, number>();
  for (let index = 0; index < data.count; index++) {
    if (data.getState(index) !== 'fetched') continue;
    const depth = data.depths[index] as number;
    const step = depth < 0 ? MAX_DEPTH + 2 : Math.min(depth, MAX_DEPTH + 1);
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const getName = (step: number): string =>
    step > MAX_DEPTH + 1 ? 'none' : step > MAX_DEPTH ? `${MAX_DEPTH}+` : String(step);
  const getLabel = (step: number): string =>
    step > MAX_DEPTH + 1 ? 'not linked' : step > MAX_DEPTH ? `over ${MAX_DEPTH}` : String(step);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([step, count]) => ({ name: getName(step), label: getLabel(step), count }));
}
