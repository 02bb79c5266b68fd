// The first tab: what is wrong for the chosen crawler, the most urgent first.
import type { Severity } from '@maycrawl/core';
import type { FindingCode } from 'maycrawl/api';
import type { JSX } from 'preact';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { DEFAULT_FILTER, type Filter } from '../data/filter.ts';
import { FindingItem } from '../parts/finding-item.tsx';
import { RunNotices } from '../parts/run-notices.tsx';
import { INCOMPLETE } from '../text.ts';
import type { TabProps } from './sitemap-tab.tsx';

interface FindingsProps extends TabProps {
  /** The kind that the address names. */
  readonly chosen: FindingCode | '';
  readonly onChoose: (code: FindingCode | '') => void;
  readonly onFilter: (filter: Filter) => void;
}

const SEVERITIES: readonly (readonly [Severity, title: string, meaning: string])[] = [
  ['error', 'Errors', 'URLs are lost, or a statement of the site has no effect.'],
  ['warning', 'Warnings', 'They waste requests or weaken the site.'],
  ['info', 'Info', 'Often intended.'],
];

export function FindingsTab(props: FindingsProps): JSX.Element {
  const { data, agent, chosen, onOpen, onChoose, onFilter } = props;
  const { head } = data;
  const summary = head.agents[agent];
  const name = visible(summary?.agent ?? '', 60);
  const findings = summary?.findings ?? [];
  const isComplete = head.end?.why === 'complete';
  return (
    <>
      <RunNotices data={data} />
      <section class="card">
        <h2>For {name}</h2>
        <p class="big">
          <button
            type="button"
            class="link"
            onClick={() => onFilter({ ...DEFAULT_FILTER, verdict: 'indexable' })}
          >
            <b>{formatNumber(summary?.indexable ?? 0)}</b>
          </button>{' '}
          of {formatCount(summary?.judged ?? 0, 'URL')} can be indexed
        </p>
        {findings.length === 0 && <p>No findings for {name}.</p>}
        {!isComplete && <p class="aside">{INCOMPLETE}</p>}
        {isComplete && head.inSitemaps === 0 && (
          <p class="aside">No sitemap lists any URL, so sitemaps and pages were not compared.</p>
        )}
      </section>
      {SEVERITIES.map(([severity, title, meaning]) => {
        const own = findings.filter((each) => each.severity === severity);
        if (own.length === 0) return null;
        return (
          <section class="card" key={severity}>
            <h2>{title}</h2>
            <p class="aside">{meaning}</p>
            {own.map(({ code }) => (
              <FindingItem
                key={`${code} ${agent}`}
                {...{ data, agent, code, onOpen, onFilter }}
                isChosen={code === chosen}
                onToggle={(isOpen) => onChoose(isOpen ? code : '')}
              />
            ))}
          </section>
        );
      })}
    </>
  );
}
