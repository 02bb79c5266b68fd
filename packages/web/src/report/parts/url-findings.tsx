// The findings about one URL, for one crawler, with what to do.
import { describeUrlFinding, type Target } from 'maycrawl/api';
import type { JSX } from 'preact';
import { SeverityBadge } from '../../shared/severity.tsx';
import type { UrlFinding } from '../data/findings.ts';
import type { ReportData } from '../data/report-data.ts';
import { useReport } from '../report-context.ts';
import { formatDetail } from '../text.ts';
import { UrlButton } from './url-list.tsx';

/** URLs that are shown with a finding. */
const MAX_URLS = 5;

export function UrlFindings({ index }: { readonly index: number }): JSX.Element | null {
  const { data, agent } = useReport();
  const findings = data.findings.ofUrl(index, agent);
  if (findings.length === 0) return null;
  const isIndexing = data.head.agents[agent]?.isIndexing ?? true;
  return (
    <ul class="url-findings">
      {findings.map((finding) => {
        const { code, severity, detail } = finding;
        const text = detail === null ? '' : formatDetail(code, detail);
        const { sentence, action } = describeUrlFinding(code, text, isIndexing);
        const urls = findUrls(data, index, agent, finding);
        return (
          <li key={code}>
            <SeverityBadge severity={severity} /> {urls.length === 0 ? sentence.replace(/:$/, '.') : sentence}{' '}
            {urls.map((target) => (
              <div key={target}>
                <UrlButton target={target} />
              </div>
            ))}
            <span class="aside">{action}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** The URLs that no other part of the evidence shows: the versions that are at fault, and the pages that are equal. */
function findUrls(
  data: ReportData,
  index: number,
  agent: number,
  { code, targets }: UrlFinding,
): readonly Target[] {
  if (code.startsWith('duplicate-')) return data.findings.findOthers(code, index, agent, MAX_URLS);
  return code.startsWith('hreflang-') ? targets.slice(0, MAX_URLS) : [];
}
