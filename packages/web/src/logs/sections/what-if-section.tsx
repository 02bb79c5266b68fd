// What another robots.txt would have stopped and opened in the time of the log.
import { formatSize, type ReportCrawler } from 'maycrawl/api';
import type { ComponentChildren, JSX } from 'preact';
import { Chart } from '../../shared/charts/chart.tsx';
import { BarLine, Key } from '../../shared/charts/charts.tsx';
import { DataTable } from '../../shared/table/data-table.tsx';
import { formatCount, formatNumber, formatShare } from '../../shared/text.ts';
import { useMore } from '../../shared/use-more.tsx';
import { visible } from '../../shared/visible.ts';
import { createWhatIfTable } from '../data/tables.ts';
import type { SectionProps } from '../parts/props.ts';
import { Section } from '../parts/section.tsx';

/** A crawler whose requests the other file changes. */
interface Effect {
  readonly name: string;
  readonly effect: NonNullable<ReportCrawler['whatIf']>;
}

export function WhatIfSection({ crawlers, onShow }: SectionProps): JSX.Element {
  const all = crawlers.flatMap((crawler): Effect[] =>
    crawler.whatIf === null ? [] : [{ name: crawler.crawler, effect: crawler.whatIf }],
  );
  const changed = all
    .filter(({ effect }) => effect.stopped + effect.opened > 0)
    .sort((a, b) => b.effect.stopped - a.effect.stopped || b.effect.opened - a.effect.opened);
  const unchanged = all.length - changed.length;
  return (
    <Section name="what-if" finding={<Finding effects={all} />}>
      {changed.length > 0 && (
        <Chart
          title="Requests that the other file would have stopped or opened"
          table={() => createWhatIfTable(crawlers)}
        >
          <p class="key aside">
            <Key name="stopped" label="stopped" /> <Key name="opened" label="opened" /> in % of the verified
            requests of the crawler, or if there are none, of those that are not spoofed
          </p>
          <Effects effects={changed} onShow={onShow} />
        </Chart>
      )}
      {unchanged > 0 && (
        <p class="aside">
          {formatCount(unchanged, changed.length === 0 ? 'crawler' : 'other crawler')}: nothing changes. They
          requested no URL about which the files differ, or their operators document that they ignore
          robots.txt.
        </p>
      )}
    </Section>
  );
}

function Finding({ effects }: { readonly effects: readonly Effect[] }): JSX.Element {
  const sum = (get: (effect: Effect) => number): number =>
    effects.reduce((total, effect) => total + get(effect), 0);
  const total = sum(({ effect }) => effect.requests);
  const stopped = sum(({ effect }) => effect.stopped);
  const opened = sum(({ effect }) => effect.opened);
  return (
    <>
      The other robots.txt would have stopped <b>{formatCount(stopped, 'request')}</b>
      {stopped > 0 &&
        ` (${formatShare(stopped, total, 1)}, ${formatSize(sum(({ effect }) => effect.stoppedBytes))})`}{' '}
      and opened <b>{formatCount(opened, 'request')}</b>
      {opened > 0 && ` (${formatSize(sum(({ effect }) => effect.openedBytes))})`} of {formatNumber(total)}, if
      all crawlers had obeyed it as they obey the one that was served.
    </>
  );
}

function Effects({
  effects,
  onShow,
}: { readonly effects: readonly Effect[] } & Pick<SectionProps, 'onShow'>): JSX.Element {
  const { shown, more } = useMore(effects.length);
  return (
    <>
      <DataTable
        class="stacked effects"
        rows={effects.slice(0, shown)}
        getKey={({ name }) => name}
        columns={[
          {
            title: 'Crawler',
            kind: 'row',
            getCell: ({ name }) => (
              <button type="button" class="link" onClick={() => onShow(name)}>
                {visible(name, 80)}
              </button>
            ),
          },
          {
            title: 'Shares',
            kind: 'chart',
            getCell: ({ effect }) => (
              <BarLine
                parts={[
                  { name: 'stopped', fraction: toFraction(effect.stopped, effect.requests) },
                  { name: 'opened', fraction: toFraction(effect.opened, effect.requests) },
                ]}
              />
            ),
          },
          {
            title: 'Stopped',
            ...{ kind: 'number', note: 'stopped' },
            getCell: ({ effect }) => toCell(formatNumber(effect.stopped), effect.stopped, effect.requests),
          },
          {
            title: 'Size',
            ...{ kind: 'number', note: 'size' },
            getCell: ({ effect }) =>
              toCell(formatSize(effect.stoppedBytes), effect.stoppedBytes, effect.bytes),
          },
          {
            title: 'Opened',
            ...{ kind: 'number', note: 'opened' },
            getCell: ({ effect }) => toCell(formatNumber(effect.opened), effect.opened, effect.requests),
          },
          {
            title: 'Size of these',
            head: 'Size',
            ...{ kind: 'number', note: 'size' },
            getCell: ({ effect }) => toCell(formatSize(effect.openedBytes), effect.openedBytes, effect.bytes),
          },
        ]}
      />
      {more}
    </>
  );
}

function toFraction(count: number, total: number): number {
  return total === 0 ? 0 : count / total;
}

/** A number with its share. */
function toCell(text: string, count: number, total: number): ComponentChildren {
  if (count === 0) return <span class="zero">0</span>;
  return (
    <>
      {text}
      <small>{formatShare(count, total, 1)}</small>
    </>
  );
}
