// The trend of the audits of a site: indexable URLs and the reasons of others, errors by kind, and what changed from run to run.
import type { AuditTrend } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { OUTCOMES } from '../../report/data/outcome.ts';
import { OUTCOME_TEXTS } from '../../report/text.ts';
import { Key } from '../../shared/charts/charts.tsx';
import { Select } from '../../shared/fields/select.tsx';
import { useJson } from '../../shared/requests/use-request.ts';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { ErrorColumns, OutcomeColumns } from './trend-chart.tsx';
import {
  createErrorSeries,
  createPoints,
  describeErrors,
  findPauses,
  getLast,
  listAgents,
  type Point,
} from './trend-data.ts';
import { ChangeList, TrendTable } from './trend-table.tsx';

/** Bytes of a response. */
const MAX_RESPONSE = 8 * 1024 * 1024;

interface TrendViewProps {
  /** The starts of the audits; `null`: those with the newest run. */
  readonly site: string | null;
  readonly onSite: (site: string) => void;
}

/** Requests the trend and shows it, if there are runs. */
export function TrendView({ site, onSite }: TrendViewProps): JSX.Element | null {
  const query = site === null ? '' : `?${new URLSearchParams({ site })}`;
  const result = useJson<AuditTrend>(`v1/audits/trend${query}`, MAX_RESPONSE);
  if (result === null) return <p role="status">Loading…</p>;
  if (result.kind === 'problem')
    return result.status === 401 ? null : <p class="problem">{visible(result.message)}</p>;
  const { sites, site: shown, runs } = result.value;
  if (sites.length === 0) return null;
  return (
    <section class="card" aria-labelledby="trend">
      <div class="bar">
        <h2 id="trend" class="grow">
          Trend
        </h2>
        <Select
          label="Site"
          value={shown ?? ''}
          choices={[...new Set([shown ?? '', ...sites])].map((each) => [each, visible(each, 100)])}
          onChoose={onSite}
        />
      </div>
      {runs.length === 0 ? <p>There is no audit of this site.</p> : <Runs runs={runs} />}
    </section>
  );
}

function Runs({ runs }: Pick<AuditTrend, 'runs'>): JSX.Element {
  const agents = listAgents(runs);
  const [chosen, setChosen] = useState<string | null>(null);
  const agent = chosen !== null && agents.includes(chosen) ? chosen : (agents[0] ?? '');
  const points = createPoints(runs, agent);
  const series = createErrorSeries(points);
  return (
    <>
      <div class="bar">
        <h3 class="grow">URLs by verdict</h3>
        {agents.length > 1 && (
          <Select
            label="Crawler"
            value={agent}
            choices={agents.map((each) => [each, visible(each, 60)])}
            onChoose={setChosen}
          />
        )}
      </div>
      <OutcomeColumns points={points} label={`URLs by verdict for ${visible(agent, 60)}, by audit`} />
      <Legend points={points} />
      <p class="aside">
        Each column is an audit, and opens its report if it is stored.
        {findPauses(points).length > 0 && ' At a dashed line, no audits began for a long time.'}
      </p>
      <h3>Errors</h3>
      {series.length === 0 && <p>No audit has found errors.</p>}
      <ul class="error-series">
        {series.map(({ code, counts }) => (
          <li key={code}>
            <p>
              {describeErrors(code, getLast(counts))}{' '}
              <span class="aside">at most {formatNumber(Math.max(...counts.map((each) => each ?? 0)))}</span>
            </p>
            <ErrorColumns points={points} counts={counts} label={`${code}, by audit`} />
          </li>
        ))}
      </ul>
      <h3>What changed</h3>
      <ChangeList points={points} />
      <details>
        <summary>As a table</summary>
        <TrendTable points={points} />
      </details>
    </>
  );
}

function Legend({ points }: { readonly points: readonly Point[] }): JSX.Element {
  const found = new Set(points.flatMap(({ counts }) => counts?.parts.map(({ outcome }) => outcome) ?? []));
  const hasUnfinished = points.some(({ counts }) => counts === null);
  return (
    <p class="key aside">
      {OUTCOMES.filter((outcome) => found.has(outcome)).map((outcome) => (
        <Key key={outcome} name={outcome} label={OUTCOME_TEXTS[outcome].label} />
      ))}
      {hasUnfinished && <Key name="unjudged" label="not finished" />}
    </p>
  );
}
