// The answers for all crawlers. A crawler is chosen by its name.
import type { PageJson, PageReport } from 'maycrawl/api';
import type { JSX } from 'preact';
import { formatCount, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { describeCause, ResultBadge, RobotsBadge } from './badges.tsx';

interface CrawlerTableProps {
  readonly report: PageReport;
  readonly chosen: string;
  readonly onChoose: (agent: string) => void;
}

export function CrawlerTable({ report, chosen, onChoose }: CrawlerTableProps): JSX.Element {
  return (
    <section aria-labelledby="page-crawlers">
      <h2 id="page-crawlers">All crawlers</h2>
      <table class="page-crawlers">
        <thead>
          <tr>
            <th scope="col">Crawler</th>
            <th scope="col">May fetch</th>
            <th scope="col">May index</th>
          </tr>
        </thead>
        <tbody>
          {report.agents.map((result) => (
            <tr key={result.agent} aria-current={result.agent === chosen ? 'true' : undefined}>
              <th scope="row">
                <button type="button" class="link" onClick={() => onChoose(result.agent)}>
                  {visible(result.agent, 60)}
                </button>
              </th>
              <td>
                <Verdict report={report} result={result} />
              </td>
              <td>
                <ResultBadge result={result.result} />{' '}
                <span class="aside">{describeBlocked(report, result)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface VerdictProps {
  readonly report: PageReport;
  readonly result: PageJson<'CrawlerResult'>;
}

/** The verdict about the URL at which the redirects end for the crawler. */
function Verdict({ report, result }: VerdictProps): JSX.Element | null {
  const verdict = report.hops[result.hop]?.verdicts.find(({ agent }) => agent === result.agent);
  if (verdict === undefined) return null;
  return (
    <>
      <RobotsBadge verdict={verdict} /> <span class="aside">{visible(describeCause(verdict), 100)}</span>
    </>
  );
}

/** "2 of 12 resources blocked"; empty for a page that the crawler does not load. */
function describeBlocked(
  { resources }: PageReport,
  { result, blockedResources }: PageJson<'CrawlerResult'>,
): string {
  const { script, style, image } = blockedResources;
  const blocked = script + style + image;
  if (resources === null || blocked === 0 || result === 'blocked' || result === 'unknown') return '';
  return `${formatNumber(blocked)} of ${formatCount(resources.total, 'resource')} blocked`;
}
