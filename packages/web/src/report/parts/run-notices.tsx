// What limits the whole report: sites without access, a run that is not complete, URLs that the report omits.
import type { JSX } from 'preact';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { useReport } from '../report-context.ts';

export function RunNotices(): JSX.Element {
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
      {head.end?.why !== 'complete' && (
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
