/**
 * How many of the owner's URLs each crawler may fetch, over time: a drawing for each crawler, and a table for all.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { ScrollRegion } from '../../shared/scroll-region.tsx';
import { visible } from '../../shared/visible.ts';
import type { Holds, UrlsAnswer, UrlsStep } from '../answers.ts';
import { useAnswer } from '../connection/asking.ts';
import { isAbout } from '../connection/live.ts';
import { Moment, State } from '../words.tsx';
import { Hatch, Scale } from './band.tsx';
import { percent, placeIn, type Span } from './spans.ts';

/** Height of a drawing, in pixels. */
const HEIGHT = 44;

/** Asks, and shows what came. */
export function UrlsOverTime({
  origin,
  span,
}: {
  readonly origin: string;
  readonly span: Span;
}): JSX.Element {
  const [reply] = useAnswer<UrlsAnswer>('urls', { origin }, isAbout(origin));
  return (
    <section class="card" aria-labelledby="urls" aria-busy={reply === null}>
      <h2 id="urls">Your URLs over time</h2>
      {reply === null && <p>Counting…</p>}
      {reply?.kind === 'problem' && <p class="problem">{visible(reply.message)}</p>}
      {reply?.kind === 'answer' && <Counted answer={reply.answer} span={span} />}
    </section>
  );
}

function Counted({ answer, span }: { readonly answer: UrlsAnswer; readonly span: Span }): JSX.Element {
  const { total, counted, agents, steps } = answer;
  const last = steps.at(-1);
  if (total === 0) return <p>None of the listed URLs is of this site.</p>;
  if (last === undefined) return <p>The site was not checked yet.</p>;
  return (
    <>
      {counted < total && (
        <p class="aside">
          The first {counted.toLocaleString('en')} of {total.toLocaleString('en')} URLs were counted.
        </p>
      )}
      {agents.map((agent, index) => (
        <div key={agent} class="chart">
          <p>
            <b>{visible(agent, 60)}</b> may fetch {(last.allowed[index] ?? 0).toLocaleString('en')} of{' '}
            {counted.toLocaleString('en')} now
          </p>
          <Steps steps={steps} index={index} counted={counted} span={span} />
        </div>
      ))}
      <svg width="100%" height="18" aria-hidden="true">
        <Scale span={span} y={13} />
      </svg>
      <p class="aside key">
        <span>Filled: may be fetched.</span> <span>Green: there was no file.</span>{' '}
        <span>Lines across: unreachable, nothing may be fetched.</span>
      </p>
      <details>
        <summary>As a table</summary>
        <ScrollRegion label="Your URLs over time, as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">Version</th>
                <th scope="col">What held</th>
                {agents.map((agent) => (
                  <th key={agent} scope="col" class="number">
                    {visible(agent, 60)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...steps].reverse().map(({ at, version, holds, allowed }) => (
                <tr key={at}>
                  <td>
                    <Moment at={new Date(at).toISOString()} />
                  </td>
                  <td>{version}</td>
                  <td>
                    <State holds={holds} />
                  </td>
                  {allowed.map((count, index) => (
                    <td key={agents[index]} class="number">
                      {count.toLocaleString('en')}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </details>
    </>
  );
}

interface StepsProps {
  readonly steps: readonly UrlsStep[];
  readonly index: number;
  readonly counted: number;
  readonly span: Span;
}

const KINDS: Readonly<Record<Holds, string>> = {
  rules: 'found',
  absent: 'absent',
  'outage-expired': 'absent',
  unreachable: 'unreachable',
  unknown: 'unreachable',
};

function Steps({ steps, index, counted, span }: StepsProps): JSX.Element {
  const hatch = useId();
  const parts = steps.map((step, at) => ({
    kind: KINDS[step.holds] ?? 'found',
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
