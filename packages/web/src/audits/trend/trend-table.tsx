// The numbers of the runs as a table, and what changed from one to the next.
import type { JSX } from 'preact';
import { OUTCOMES } from '../../report/data/outcome.ts';
import { OUTCOME_TEXTS } from '../../report/text.ts';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { SeverityBadge } from '../../shared/severity.tsx';
import { NumberHead } from '../../shared/table/data-table.tsx';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { formatStart, getReportUrl } from './trend-chart.tsx';
import { type Point, sumErrors } from './trend-data.ts';

/** The reasons that a table has columns for: those that occur. */
function listOutcomes(points: readonly Point[]): (typeof OUTCOMES)[number][] {
  const found = new Set(points.flatMap(({ counts }) => counts?.parts.map(({ outcome }) => outcome) ?? []));
  return OUTCOMES.filter((outcome) => outcome === 'indexable' || found.has(outcome));
}

/** The numbers, the newest run first. */
export function TrendTable({ points }: { readonly points: readonly Point[] }): JSX.Element {
  const outcomes = listOutcomes(points);
  return (
    <ScrollRegion label="The runs as a table">
      <table class="trend-table">
        <thead>
          <tr>
            <th scope="col">Audit</th>
            {outcomes.map((outcome) => (
              <NumberHead key={outcome}>{OUTCOME_TEXTS[outcome].label}</NumberHead>
            ))}
            <NumberHead>errors</NumberHead>
          </tr>
        </thead>
        <tbody>
          {[...points].reverse().map((point) => (
            <tr key={point.run.name}>
              <th scope="row">
                <RunLink point={point} />
                {point.run.state === 'limited' && <span class="aside"> up to a limit</span>}
              </th>
              {point.counts === null ? (
                <td colSpan={outcomes.length + 1}>{visible(point.run.ending, 300)}</td>
              ) : (
                <>
                  {outcomes.map((outcome) => (
                    <td key={outcome} class="number">
                      {formatNumber(point.counts?.parts.find((each) => each.outcome === outcome)?.count ?? 0)}
                    </td>
                  ))}
                  <td class="number">{formatNumber(sumErrors(point) ?? 0)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** When a run began, as a link to its report if it has one. */
function RunLink({ point }: { readonly point: Point }): JSX.Element {
  const { name, hasReport, startedAt } = point.run;
  const time = <time dateTime={startedAt}>{formatStart(point)}</time>;
  return hasReport ? <a href={getReportUrl(name)}>{time}</a> : time;
}

/** What each run reported, the newest first. Runs without changes are counted. */
export function ChangeList({ points }: { readonly points: readonly Point[] }): JSX.Element {
  const changed = [...points].reverse().filter(({ run }) => run.changes.length > 0);
  if (changed.length === 0) return <p>No audit has reported a change. Only scheduled audits are compared.</p>;
  return (
    <ol class="changes">
      {changed.map((point) => (
        <li key={point.run.name}>
          <p>
            <RunLink point={point} />
          </p>
          <ul>
            {point.run.changes.map(({ severity, title }) => (
              <li key={title}>
                <SeverityBadge severity={severity} /> {visible(title, 300)}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
