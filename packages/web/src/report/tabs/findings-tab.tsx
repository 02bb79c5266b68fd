// The first tab: what is wrong for the chosen crawler, the most urgent first.
import type { Severity } from '@maycrawl/core';
import { PURPOSE_MEANINGS } from '@maycrawl/core/crawlers';
import type { AgentSummary, FindingCode } from 'maycrawl/api';
import type { JSX } from 'preact';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { DEFAULT_FILTER } from '../data/filter.ts';
import { FindingItem } from '../parts/finding-item.tsx';
import { useReport } from '../report-context.ts';
import { INCOMPLETE } from '../text.ts';

interface FindingsProps {
  /** The kind that the address names. */
  readonly chosen: FindingCode | '';
  readonly onChoose: (code: FindingCode | '') => void;
}

const SEVERITIES: readonly (readonly [Severity, title: string, meaning: string])[] = [
  ['error', 'Errors', 'URLs are lost, or a statement of the site has no effect.'],
  ['warning', 'Warnings', 'They waste requests or weaken the site.'],
  ['info', 'Info', 'Often intended.'],
];

const ORDER =
  'Findings have the order of their severity, then of the number of their URLs. A URL counts more the more pages link to it.';

/** What the crawler uses pages for. Nothing if that is not documented. */
function Purposes({
  summary: { purposes, isIndexing },
}: {
  readonly summary: AgentSummary;
}): JSX.Element | null {
  if (purposes.length === 0) return null;
  const uses = purposes.map((purpose) => PURPOSE_MEANINGS[purpose]).join(', ');
  return (
    <p class="aside">
      It reads pages for: {uses}.
      {!isIndexing && ' It is not the crawler of a search engine, so findings about indexing are not for it.'}
    </p>
  );
}

/** How many URLs a crawler can index, or may fetch if it indexes none. */
function Verdicts({
  summary: { isIndexing, judged, indexable, all },
}: {
  readonly summary: AgentSummary;
}): JSX.Element {
  const { onFilter } = useReport();
  const total = formatCount(judged, 'URL');
  return isIndexing ? (
    <p class="big">
      <button
        type="button"
        class="link"
        onClick={() => onFilter({ ...DEFAULT_FILTER, verdict: 'indexable' })}
      >
        <b>{formatNumber(indexable)}</b>
      </button>{' '}
      of {total} can be indexed
    </p>
  ) : (
    <p class="big">
      The crawler may fetch <b>{formatNumber(judged - all.blocked)}</b> of {total}
    </p>
  );
}

export function FindingsTab({ chosen, onChoose }: FindingsProps): JSX.Element {
  const { data, agent } = useReport();
  const { head } = data;
  const summary = head.agents[agent];
  const name = visible(summary?.agent ?? '', 60);
  const findings = summary?.findings ?? [];
  const isComplete = head.end?.reason === 'complete';
  return (
    <>
      <RunNotices />
      <section class="card">
        <h2>For {name}</h2>
        {summary !== undefined && <Purposes summary={summary} />}
        {summary !== undefined && <Verdicts summary={summary} />}
        {findings.length === 0 && <p>No findings for {name}.</p>}
        {findings.length > 1 && <p class="aside">{ORDER}</p>}
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
            {own.map((finding) => (
              <FindingItem
                key={`${finding.code} ${agent}`}
                finding={finding}
                isChosen={finding.code === chosen}
                onToggle={(isOpen) => onChoose(isOpen ? finding.code : '')}
              />
            ))}
          </section>
        );
      })}
    </>
  );
}

/** What limits the whole report: sites without access, a run that is not complete, URLs that the report omits. */
function RunNotices(): JSX.Element {
  const { data } = useReport();
  const { head } = data;
  const closed = head.robots.filter(({ policy, isAudited }) => isAudited && policy.kind === 'disallow-all');
  return (
    <>
      {closed.map(({ origin, meaning }) => (
        <p class="notice" key={origin}>
          <b>{visible(origin)}/robots.txt</b>: {visible(meaning)}
        </p>
      ))}
      {head.end?.reason !== 'complete' && (
        <p class="notice">{head.ending} This report covers what was crawled until then.</p>
      )}
      {head.omitted.urls > 0 && (
        <p class="notice">
          The run has {formatCount(head.total, 'URL')}, more than a browser can display. The table and the
          lists contain the {formatNumber(data.count)} most important ones. The counts of findings and
          verdicts cover all URLs, as do the CSV and NDJSON files of <code>maycrawl audit report</code>.
        </p>
      )}
    </>
  );
}
