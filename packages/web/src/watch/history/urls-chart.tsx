// How many of the listed URLs each crawler may fetch, over time: a drawing for each crawler, and one table.
import type { PolicyCode } from '@maycrawl/core';
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Hatch } from '../../shared/charts/hatch.tsx';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { readPolicyCode } from '../../shared/requests/service.ts';
import { type Column, DataTable } from '../../shared/table/data-table.tsx';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { Moment, PolicyBadge } from '../badges.tsx';
import { concernsSite } from '../connection/live-stream.ts';
import { useResponse } from '../connection/watch-client.ts';
import { describeAllowed } from '../text.ts';
import { Scale } from './band.tsx';
import { percent, placeIn, type Span } from './spans.ts';

/** Height of a drawing, in pixels. */
const HEIGHT = 44;

/** Requests the counts and shows them. */
export function UrlsOverTime({
  origin,
  span,
}: {
  readonly origin: string;
  readonly span: Span;
}): JSX.Element {
  const [result] = useResponse('GET urls', { origin }, concernsSite(origin));
  return (
    <section class="card" aria-labelledby="urls" aria-busy={result === null}>
      <h2 id="urls">Your URLs over time</h2>
      {result === null && <p>Counting…</p>}
      {result?.kind === 'problem' && <p class="problem">{visible(result.message)}</p>}
      {result?.kind === 'success' && <Counts counts={result.value} span={span} />}
    </section>
  );
}

interface CountsProps {
  readonly counts: WatchJson<'UrlCounts'>;
  readonly span: Span;
}

function Counts({ counts, span }: CountsProps): JSX.Element {
  const { total, counted, agents, steps } = counts;
  const last = steps.at(-1);
  if (total === 0) return <p>None of the listed URLs belongs to this site.</p>;
  if (last === undefined) return <p>The site has not been checked yet.</p>;
  return (
    <>
      {counted < total && (
        <p class="aside">
          Only the first {formatNumber(counted)} of {formatCount(total, 'URL')} were counted.
        </p>
      )}
      {agents.map((agent, index) => (
        <div key={agent} class="chart">
          <p>
            <b>{visible(agent, 60)}</b> {describeAllowed(last.allowed[index] ?? 0, counted)}
          </p>
          <Steps steps={steps} index={index} counted={counted} span={span} />
        </div>
      ))}
      <svg width="100%" height="18" aria-hidden="true">
        <Scale span={span} y={13} />
      </svg>
      <p class="aside key">
        <span>Filled: allowed.</span> <span>Green: all allowed, without rules.</span>{' '}
        <span>Hatched: all disallowed, the site is unreachable.</span>
      </p>
      <details>
        <summary>As a table</summary>
        <ScrollRegion label="Your URLs over time, as a table">
          <DataTable
            rows={[...steps].reverse()}
            getKey={({ at }) => at}
            columns={[
              { title: 'From', getCell: ({ at }) => <Moment at={new Date(at).toISOString()} /> },
              { title: 'Version', getCell: ({ version }) => version },
              { title: 'Policy', getCell: ({ policy }) => <PolicyBadge policy={policy} /> },
              ...agents.map(
                (agent, index): Column<WatchJson<'UrlStep'>> => ({
                  title: visible(agent, 60),
                  kind: 'number',
                  getCell: ({ allowed }) => formatNumber(allowed[index] ?? 0),
                }),
              ),
            ]}
          />
        </ScrollRegion>
      </details>
    </>
  );
}

interface StepsProps {
  readonly steps: readonly WatchJson<'UrlStep'>[];
  readonly index: number;
  readonly counted: number;
  readonly span: Span;
}

const KINDS: Readonly<Record<PolicyCode, string>> = {
  rules: 'successful',
  unavailable: 'unavailable',
  'outage-expired': 'unavailable',
  unreachable: 'unreachable',
  unknown: 'unreachable',
};

function Steps({ steps, index, counted, span }: StepsProps): JSX.Element {
  const hatch = useId();
  const parts = steps.map((step, at) => ({
    kind: KINDS[readPolicyCode(step.policy)],
    share: (step.allowed[index] ?? 0) / Math.max(1, counted),
    at: step.at,
    start: placeIn(span, step.at),
    end: placeIn(span, steps[at + 1]?.at ?? span.to),
  }));
  return (
    <svg class="steps" width="100%" height={HEIGHT} aria-hidden="true">
      <Hatch id={hatch} />
      <rect class="ground" x="0" y="0" width="100%" height={HEIGHT} />
      {parts
        .filter(({ end }) => end > 0)
        .map(({ at, kind, share, start, end }) => {
          const height = kind === 'unreachable' ? HEIGHT : Math.round(share * HEIGHT);
          return (
            <rect
              key={at}
              class={`step ${kind}`}
              x={percent(start)}
              width={percent(Math.max(end - start, 0.2))}
              y={HEIGHT - height}
              height={height}
              {...(kind === 'unreachable' && { fill: `url(#${hatch})` })}
            />
          );
        })}
    </svg>
  );
}
