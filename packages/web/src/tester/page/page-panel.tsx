// The tab for one page: whether crawlers may fetch and index it, and which of its resources robots.txt blocks.
import type { PageJson, PageReport } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Select } from '../../shared/fields/select.tsx';
import { TextField } from '../../shared/fields/text-field.tsx';
import { RequestStatus } from '../../shared/requests/request-status.tsx';
import { hasService } from '../../shared/requests/service.ts';
import { visible } from '../../shared/visible.ts';
import { ResultBadge } from './badges.tsx';
import { CrawlerTable } from './crawler-table.tsx';
import { HopList } from './hop-list.tsx';
import type { PageCheck } from './page-check.ts';
import { PageFacts } from './page-facts.tsx';
import { ResourceList } from './resource-list.tsx';

interface PagePanelProps {
  readonly check: PageCheck;
  /** The URL of the selected row of the matrix, which is the default. */
  readonly selectedUrl: string;
  readonly crawlers: readonly string[];
  readonly profile: string;
}

export function PagePanel({ check, selectedUrl, crawlers, profile }: PagePanelProps): JSX.Element {
  if (!hasService())
    return (
      <p class="empty">
        This tab needs the service, because a browser does not let a page request pages of other sites. Start
        it with <code>npx maycrawl serve</code>, and open the address that it prints.
      </p>
    );
  const { typed, isRunning, result } = check;
  const url = typed ?? (/^https?:/.test(selectedUrl) ? selectedUrl : '');
  const onCheck = (): void => check.onCheck(url, crawlers, profile);
  const report = result?.kind === 'success' && !isRunning ? result.value : null;
  return (
    <>
      <div class="bar">
        <TextField
          isInRow
          label="URL of a page"
          inputMode="url"
          placeholder="https://example.com/page"
          value={url}
          onValue={check.onType}
          onEnter={onCheck}
        />
        <button type="button" class="primary" onClick={onCheck} disabled={url.trim() === ''}>
          Check page
        </button>
      </div>
      <p class="aside">
        The service requests the page once, if robots.txt allows that, and no other file of it. The robots.txt
        that applies is the live one, not the text in the editor.
      </p>
      <RequestStatus {...{ isRunning, result }} pending="Checking…" onToken={onCheck}>
        {/* Without the list of crawlers, all of which a screen reader would announce. */}
        {report !== null && <p class="unseen">{visible(getResult(report, check.agent).text, 5_000)}</p>}
      </RequestStatus>
      {report !== null && <Result report={report} result={getResult(report, check.agent)} check={check} />}
      {report !== null && <Details report={report} result={getResult(report, check.agent)} check={check} />}
    </>
  );
}

type PageResult = PageJson<'CrawlerResult'>;

interface ResultProps {
  readonly report: PageReport;
  /** The result for the chosen crawler. */
  readonly result: PageResult;
  readonly check: PageCheck;
}

function getResult({ agents }: PageReport, agent: string | null): PageResult {
  return (agents.find((each) => each.agent === agent) ?? agents[0]) as PageResult;
}

function Result({ report, result, check }: ResultProps): JSX.Element {
  return (
    <section aria-labelledby="page-answer" class="answer">
      <h2 id="page-answer">
        <code>{visible(report.url, 2_000)}</code>
      </h2>
      <p>
        <Select
          label="Crawler"
          value={result.agent}
          choices={report.agents.map(({ agent }) => [agent, visible(agent, 60)])}
          onChoose={check.onAgent}
        />{' '}
        <ResultBadge result={result.result} />
      </p>
      <p class="sentence">{visible(result.text, 5_000)}</p>
    </section>
  );
}

function Details({ report, result, check }: ResultProps): JSX.Element {
  return (
    <>
      <HopList hops={report.hops} agent={result.agent} />
      {report.page !== null && <PageFacts page={report.page} agent={result.agent} />}
      {report.resources !== null && <ResourceList resources={report.resources} agent={result.agent} />}
      <CrawlerTable report={report} chosen={result.agent} onChoose={check.onAgent} />
    </>
  );
}
